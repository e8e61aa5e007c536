package dev.orderly.web.path;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A pattern for {@link RequestPath#key}s: {@code /tickets/**}, {@code /a/*}{@code /b}, {@code /img/*.svg}.
 *
 * <p>{@code *} matches any characters inside one segment, or none beside other characters; a segment of only {@code *}
 * matches at least one character. {@code **} is a whole segment and matches any number of segments, or none:
 * {@code /tickets/**} matches {@code /tickets} too. Case is ignored.
 *
 * <p>Ordered from more to less specific, compared segment by segment: a literal segment, a segment with a {@code *},
 * {@code *}, the end of the pattern, {@code **}; of two segments with a {@code *} the longer is more specific.
 */
public record PathGlob(String text, List<String> segments) implements Comparable<PathGlob> {
    private static final Pattern SEGMENT = Pattern.compile("[^/\\\\%;\\p{Cntrl}{}?#]*");
    private static final int SEGMENTS_MAX = 32;
    private static final int STARS_MAX = 4;
    private static final String DEEP = "**";

    // Initialised after the constants that it uses.
    /** The pattern of all paths. */
    public static final PathGlob ALL = parse("/**");

    public PathGlob {
        segments = List.copyOf(segments);
    }

    /**
     * Parses a pattern. It is written decoded: {@code /größe}, not {@code /gr%C3%B6%C3%9Fe}.
     *
     * @throws IllegalArgumentException naming the pattern, the rule and the remedy
     */
    public static PathGlob parse(String text) {
        if (!text.startsWith("/")) {
            throw new IllegalArgumentException(
                    "Path pattern " + text + " does not start with a slash: add it");
        }
        List<String> segments = new ArrayList<>();
        String[] parts = text.substring(1).split("/", -1);
        for (int i = 0; i < parts.length; i++) {
            check(text, parts[i], i == parts.length - 1);
            segments.add(Normalizer.normalize(parts[i], Normalizer.Form.NFC).toLowerCase(Locale.ROOT));
        }
        if (segments.size() > SEGMENTS_MAX || segments.stream().filter(DEEP::equals).count() > STARS_MAX) {
            throw new IllegalArgumentException("Path pattern " + text + " is too long: use at most " + SEGMENTS_MAX
                    + " segments, of them " + STARS_MAX + " with **");
        }
        return new PathGlob(text, segments);
    }

    private static void check(String text, String part, boolean last) {
        if (part.endsWith(".") || part.endsWith(" ") || (part.isEmpty() && !last)) {
            throw new IllegalArgumentException("Path pattern " + text + " has the segment \"" + part
                    + "\", which no request has once its path is normalised: leave it out");
        }
        if (part.contains(DEEP) && !part.equals(DEEP)) {
            throw new IllegalArgumentException("Path pattern " + text + " has \"" + part
                    + "\": use ** only as a whole segment, and a single * inside a segment");
        }
        if (!SEGMENT.matcher(part).matches()) {
            throw new IllegalArgumentException("Path pattern " + text + " has the segment \"" + part
                    + "\": write it decoded, without \\ % ; ? # { } and control characters");
        }
    }

    /**
     * The same pattern with a slash at its end, or without it: a request that many sites take for the same. The pattern
     * itself where that is no difference.
     */
    PathGlob otherEnd() {
        if (segments.getLast().equals(DEEP) || text.equals("/")) {
            return this;
        }
        boolean folder = segments.getLast().isEmpty();
        List<String> other = new ArrayList<>(folder ? segments.subList(0, segments.size() - 1) : segments);
        if (!folder) {
            other.add("");
        }
        return new PathGlob(folder ? text.substring(0, text.length() - 1) : text + "/", other);
    }

    /** @param key of a {@link RequestPath} */
    public boolean matches(String key) {
        return matches(key, 1, 0);
    }

    private boolean matches(String key, int start, int index) {
        int from = start;
        for (int i = index; i < segments.size(); i++) {
            String segment = segments.get(i);
            if (segment.equals(DEEP)) {
                return matchesDeep(key, from, i);
            }
            if (from > key.length()) {
                return false;
            }
            int slash = key.indexOf('/', from);
            int end = slash < 0 ? key.length() : slash;
            if (!matchesSegment(segment, key, from, end)) {
                return false;
            }
            from = end + 1;
        }
        return from > key.length();
    }

    /** Whether the rest of the pattern matches here, after any later slash, or at the end. */
    private boolean matchesDeep(String key, int start, int index) {
        if (index == segments.size() - 1) {
            return true;
        }
        int from = start;
        while (from <= key.length()) {
            if (matches(key, from, index + 1)) {
                return true;
            }
            int slash = key.indexOf('/', from);
            from = slash < 0 ? key.length() + 1 : slash + 1;
        }
        return false;
    }

    /** Greedy with one level of backtracking, so linear in practice for any number of stars. */
    private static boolean matchesSegment(String pattern, String key, int start, int end) {
        if (pattern.equals("*")) {
            return start < end;
        }
        int p = 0;
        int star = -1;
        int mark = start;
        for (int k = start; k < end;) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p++;
                mark = k;
            } else if (p < pattern.length() && pattern.charAt(p) == key.charAt(k)) {
                p++;
                k++;
            } else if (star >= 0) {
                p = star + 1;
                k = ++mark;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }

    @Override
    public int compareTo(PathGlob other) {
        int shared = Math.min(segments.size(), other.segments.size());
        for (int i = 0; i < shared; i++) {
            String one = segments.get(i);
            String two = other.segments.get(i);
            int order = Integer.compare(rank(one), rank(two));
            if (order == 0 && rank(one) == 1) {
                order = Integer.compare(two.length(), one.length());
            }
            if (order != 0) {
                return order;
            }
        }
        if (segments.size() != other.segments.size()) {
            boolean otherDeeper = other.segments.size() > segments.size();
            boolean nextDeep = (otherDeeper ? other.segments : segments).get(shared).equals(DEEP);
            return otherDeeper == nextDeep ? -1 : 1;
        }
        return String.join("/", segments).compareTo(String.join("/", other.segments));
    }

    private static int rank(String segment) {
        return segment.equals(DEEP) ? 3 : segment.equals("*") ? 2 : segment.indexOf('*') >= 0 ? 1 : 0;
    }
}
