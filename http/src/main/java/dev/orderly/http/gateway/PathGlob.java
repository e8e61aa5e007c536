package dev.orderly.http.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A pattern over {@link RequestPath#key}s: {@code /tickets/**}, {@code /a/*}{@code /b}, {@code /img/*.svg}.
 *
 * <p>{@code *} stands for any characters inside one segment, also none beside others, but a segment of only {@code *} is
 * not empty. {@code **} is a whole segment and stands for any number of them, also none: {@code /tickets/**} matches
 * {@code /tickets} too. Upper and lower case are one.
 *
 * <p>Ordered from the more to the less specific: from the left, a literal segment before one with a {@code *}, that
 * before {@code *}, that before the end, that before {@code **}; of two literals with a {@code *} the longer one.
 */
public record PathGlob(String text, List<String> segments) implements Comparable<PathGlob> {
    private static final Pattern SEGMENT = Pattern.compile("[^/\\\\%;\\p{Cntrl}{}?#]*");
    private static final int SEGMENTS_MAX = 32;
    private static final int STARS_MAX = 4;
    private static final String DEEP = "**";

    // After what it is checked with.
    /** Everything. */
    public static final PathGlob ALL = parse("/**");

    public PathGlob {
        segments = List.copyOf(segments);
    }

    /**
     * Reads a pattern. It is written decoded: {@code /größe}, not {@code /gr%C3%B6%C3%9Fe}.
     *
     * @throws IllegalArgumentException naming the pattern, the rule and the remedy
     */
    public static PathGlob parse(String text) {
        if (!text.startsWith("/")) {
            throw new IllegalArgumentException(
                    "Path pattern " + text + " does not start with a slash: put one in front");
        }
        List<String> segments = new ArrayList<>();
        String[] parts = text.substring(1).split("/", -1);
        for (int i = 0; i < parts.length; i++) {
            check(text, parts[i], i == parts.length - 1);
            segments.add(parts[i].toLowerCase(Locale.ROOT));
        }
        if (segments.size() > SEGMENTS_MAX || segments.stream().filter(DEEP::equals).count() > STARS_MAX) {
            throw new IllegalArgumentException("Path pattern " + text + " is too long: use at most " + SEGMENTS_MAX
                    + " segments, of them " + STARS_MAX + " with **");
        }
        return new PathGlob(text, segments);
    }

    private static void check(String text, String part, boolean last) {
        if (part.equals(".") || part.equals("..") || (part.isEmpty() && !last)) {
            throw new IllegalArgumentException("Path pattern " + text + " has the segment \"" + part
                    + "\", which no request has once its path is normalised: leave it out");
        }
        if (part.contains(DEEP) && !part.equals(DEEP)) {
            throw new IllegalArgumentException("Path pattern " + text + " has \"" + part
                    + "\": ** stands alone between slashes, inside a segment use a single *");
        }
        if (!SEGMENT.matcher(part).matches()) {
            throw new IllegalArgumentException("Path pattern " + text + " has the segment \"" + part
                    + "\": write it decoded, without \\ % ; ? # { } and control characters");
        }
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

    /** Whether the rest of the pattern matches from here, or from behind any later slash, or from the end. */
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

    /** Greedy with one step back, so linear in practice whatever the stars. */
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
