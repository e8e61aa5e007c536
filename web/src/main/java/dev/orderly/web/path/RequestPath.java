package dev.orderly.web.path;

import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A request's path in normal forms, so that a path is not checked as one path and served as another.
 *
 * @param wire the normal form of RFC 3986, section 6.2.2: upper-case escapes, no unnecessary escapes, no dot segments,
 *   no doubled slashes. Routes and origins are chosen by it, and origins get it
 * @param key a stricter form for matching rules, never sent: everything decoded once,
 *   {@code ;params} dropped from each segment, dot segments and doubled slashes removed again, dots and blanks at the
 *   end of a segment dropped, lower case. A path whose {@code ..} appears only then is refused, since servers read it
 *   differently
 * @param others further keys, none for a path in plain spelling: by servers that keep what the key drops or decodes
 *   ({@code ;params}, {@code %2F}, {@code %5C}, written as {@code %2f} and {@code %5c} there), decode twice, or take
 *   compatible characters of Unicode for the same. Which of them a server behind this one is, is not known here
 */
public record RequestPath(String wire, String key, List<String> others) {
    private static final String RESERVED = "/.orderly";
    private static final String HEX = "0123456789ABCDEF";
    private static final String SLASH = "%2f";
    private static final String BACKSLASH = "%5c";
    private static final int KEYS_MAX = 16;

    public RequestPath {
        others = List.copyOf(others);
    }

    /** A path that all servers read alike. */
    public RequestPath(String wire, String key) {
        this(wire, key, List.of());
    }

    /**
     * Reads a path that is sent on in its normal form.
     *
     * @param path as sent, without the query; starts with a slash, or is {@code *}
     * @throws ProblemException if it has a broken escape, a control character or a backslash, is not UTF-8 once
     *     decoded, or is read in too many ways
     */
    public static RequestPath of(String path) {
        if (isPlain(path)) {
            return new RequestPath(path, path);
        }
        String wire = withoutDots(normalEscapes(path));
        String decoded = decoded(wire, true).toLowerCase(Locale.ROOT);
        String key = key(withoutParams(decoded.replace(SLASH, "/").replace(BACKSLASH, "/")));
        List<String> others = new ArrayList<>(keys(decoded));
        others.remove(key);
        return new RequestPath(wire, key, others);
    }

    /**
     * Reads a path that is served as it was sent, by a container with a reading of its own. Its keys are those of both
     * readings.
     *
     * @param sent as for {@link #of(String)}
     * @param served the path by which the container serves it, decoded
     * @throws ProblemException also if the path has dot segments, or no server reads it as the container does, but for
     *     a file that the container shows for a folder: what is behind the container may read the sent text by itself
     */
    public static RequestPath of(String sent, String served) {
        RequestPath path = of(sent);
        if (path.isAsterisk() || (path.others.isEmpty() && sent.equals(path.key) && sent.equals(served))) {
            return path;
        }
        if (hasDots(withoutParams(decoded(sent, true).replace(SLASH, "/").replace(BACKSLASH, "/")), false)) {
            throw new ProblemException(ProblemType.BAD_REQUEST,
                    "The path has . or .. as a segment, which the application and its"
                            + " container read in different ways: resolve it before the request");
        }
        String text = served.replace("\\", BACKSLASH).toLowerCase(Locale.ROOT);
        Set<String> keys = new LinkedHashSet<>(List.of(key(text), key(decoded(text, false))));
        boolean isFolder = path.key.endsWith("/") && key(text).startsWith(path.key);
        if (!isFolder && keys.stream().noneMatch(path::isRead)) {
            throw new ProblemException(ProblemType.BAD_REQUEST,
                    "The application and its container read the path in different"
                            + " ways: request the intended path, without ; and needless escapes");
        }
        keys.addAll(path.others);
        keys.remove(path.key);
        return new RequestPath(path.wire, path.key, List.copyOf(keys));
    }

    private boolean isRead(String reading) {
        return key.equals(reading) || others.contains(reading);
    }

    /** Whether some server reads the path as one that a pattern matches. */
    boolean mayMatch(PathGlob pattern) {
        if (pattern.matches(key)) {
            return true;
        }
        for (String other : others) {
            if (pattern.matches(other)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the path is spelled in its normal form, letter case aside, so that no server reads it differently. */
    public boolean isPlain() {
        return others.isEmpty() && wire.equalsIgnoreCase(key);
    }

    /** Whether the path is below {@code /.orderly}, in any spelling. Such paths are never forwarded. */
    public boolean isReserved() {
        return isReserved(key) || others.stream().anyMatch(RequestPath::isReserved);
    }

    private static boolean isReserved(String key) {
        return key.startsWith(RESERVED) && (key.length() == RESERVED.length() || key.charAt(RESERVED.length()) == '/');
    }

    /** Whether the request is about the server as a whole, as {@code OPTIONS *} is. */
    public boolean isAsterisk() {
        return wire.equals("*");
    }

    /** Whether both forms equal the path, and there is no other. Refuses invalid characters. */
    private static boolean isPlain(String path) {
        boolean plain = true;
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c <= ' ' || c > '~' || c == '\\') {
                throw malformed();
            }
            boolean odd = c == '%' || c == ';' || (c >= 'A' && c <= 'Z');
            char next = i + 1 < path.length() ? path.charAt(i + 1) : '/';
            plain &= !odd && !(c == '/' && i + 1 < path.length() && (next == '/' || next == '.'))
                    && !(c == '.' && next == '/');
        }
        return plain;
    }

    /** The keys of a path by all servers: each keeps or changes each of the ambiguous parts, in all combinations. */
    private static Set<String> keys(String decoded) {
        Set<String> texts = new LinkedHashSet<>(List.of(decoded));
        expand(texts, text -> decoded(text, false).toLowerCase(Locale.ROOT));
        expand(texts, RequestPath::compatible);
        expand(texts, text -> text.replace(SLASH, "/"));
        expand(texts, text -> text.replace(BACKSLASH, "/"));
        expand(texts, RequestPath::withoutParams);
        Set<String> keys = new LinkedHashSet<>();
        texts.forEach(text -> keys.add(key(text)));
        return keys;
    }

    private static void expand(Set<String> texts, UnaryOperator<String> reading) {
        List.copyOf(texts).forEach(text -> texts.add(reading.apply(text)));
        if (texts.size() > KEYS_MAX) {
            throw new ProblemException(ProblemType.BAD_REQUEST,
                    "The path has more kinds of escapes, semicolons and signs than"
                            + " servers read alike: encode it once, and leave out what it does not need");
        }
    }

    /** A text with the usual characters for compatible ones, such as a full-width letter or slash. */
    private static String compatible(String text) {
        return Normalizer.isNormalized(text, Normalizer.Form.NFKC)
                ? text
                : Normalizer.normalize(text, Normalizer.Form.NFKC).replace("\\", BACKSLASH).toLowerCase(Locale.ROOT);
    }

    private static String key(String text) {
        String ended = withoutEnds(text);
        if (hasDots(ended, true)) {
            throw new ProblemException(ProblemType.BAD_REQUEST,
                    "The path has a .. hidden behind an escape or a semicolon, which"
                            + " servers read in different ways: request the intended path");
        }
        return withoutDots(ended).toLowerCase(Locale.ROOT);
    }

    /** Whether a path has a segment {@code ..}, or a segment {@code .}. */
    private static boolean hasDots(String path, boolean onlyTwo) {
        return path.contains("/../") || path.endsWith("/..")
                || (!onlyTwo && (path.contains("/./") || path.endsWith("/.")));
    }

    /** The path without dots and blanks at the end of segments, which servers on Windows ignore. */
    private static String withoutEnds(String path) {
        if (path.indexOf('.') < 0 && path.indexOf(' ') < 0) {
            return path;
        }
        StringBuilder kept = new StringBuilder(path.length());
        int segment = 0;
        for (int i = 0; i <= path.length(); i++) {
            if (i < path.length() && path.charAt(i) != '/') {
                kept.append(path.charAt(i));
                continue;
            }
            int end = kept.length();
            while (end > segment && (kept.charAt(end - 1) == '.' || kept.charAt(end - 1) == ' ')) {
                end--;
            }
            if (end == segment) { // of nothing else: dots stay
                end = kept.length();
                while (end > segment + 1 && kept.charAt(end - 1) == ' ') {
                    end--;
                }
            }
            kept.setLength(end);
            if (i < path.length()) {
                kept.append('/');
                segment = kept.length();
            }
        }
        return kept.toString();
    }

    /** Decodes unnecessary escapes, and writes the others in upper case. */
    private static String normalEscapes(String path) {
        if (path.indexOf('%') < 0) {
            return path;
        }
        StringBuilder normal = new StringBuilder(path.length());
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c != '%') {
                normal.append(c);
                continue;
            }
            int octet = octet(path, i, true);
            if (isUnreserved(octet)) {
                normal.append((char) octet);
            } else {
                normal.append('%').append(HEX.charAt(octet >> 4)).append(HEX.charAt(octet & 15));
            }
            i += 2;
        }
        return normal.toString();
    }

    /** The octet of an escape; -1 if it is broken, unless that is refused. */
    private static int octet(String path, int percent, boolean strict) {
        int high = percent + 2 < path.length() ? Character.digit(path.charAt(percent + 1), 16) : -1;
        int low = high < 0 ? -1 : Character.digit(path.charAt(percent + 2), 16);
        if (low < 0 && strict) {
            throw malformed();
        }
        return low < 0 ? -1 : high << 4 | low;
    }

    private static boolean isUnreserved(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.'
                || c == '_' || c == '~';
    }

    /**
     * Decodes escapes once, but for slashes and backslashes.
     *
     * @param strict whether an escape that is broken or not of UTF-8 is refused; otherwise it stays
     */
    private static String decoded(String text, boolean strict) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        StringBuilder decoded = new StringBuilder(text.length());
        ByteBuffer octets = ByteBuffer.allocate(text.length() / 3);
        int from = -1; // where a run of escapes began
        for (int i = 0; i <= text.length(); i++) {
            int octet = i < text.length() && text.charAt(i) == '%' ? octet(text, i, strict) : -1;
            boolean slash = octet == '/' || octet == '\\';
            if (octet >= 0 && !slash) {
                if (octet < ' ' || octet == 127) {
                    throw malformed();
                }
                octets.put((byte) octet);
                from = from < 0 ? i : from;
                i += 2;
                continue;
            }
            if (from >= 0) {
                decoded.append(text(octets.flip(), strict ? null : text.substring(from, i)));
                octets.clear();
                from = -1;
            }
            if (slash) {
                decoded.append(octet == '/' ? SLASH : BACKSLASH);
                i += 2;
            } else if (i < text.length()) {
                decoded.append(text.charAt(i));
            }
        }
        return decoded.toString();
    }

    /** @param otherwise what stands for octets that are no text; null to refuse them */
    private static String text(ByteBuffer octets, @Nullable String otherwise) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(octets).toString();
        } catch (CharacterCodingException _) {
            if (otherwise == null) {
                throw malformed();
            }
            return otherwise;
        }
    }

    private static String withoutParams(String path) {
        if (path.indexOf(';') < 0) {
            return path;
        }
        StringBuilder kept = new StringBuilder(path.length());
        boolean inParams = false;
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            inParams = c != '/' && (inParams || c == ';');
            if (!inParams) {
                kept.append(c);
            }
        }
        return kept.toString();
    }

    /** The path without dot segments and doubled slashes. A path above the root is the root. */
    private static String withoutDots(String path) {
        if (!path.contains("//") && !path.contains("/.")) {
            return path;
        }
        List<String> kept = new ArrayList<>();
        int end = 0;
        for (int start = 1; end < path.length(); start = end + 1) {
            int slash = path.indexOf('/', start);
            end = slash < 0 ? path.length() : slash;
            String segment = path.substring(start, end);
            boolean last = end == path.length();
            if (segment.equals("..") && !kept.isEmpty()) {
                kept.removeLast();
            }
            boolean dots = segment.equals(".") || segment.equals("..");
            if (!dots && !segment.isEmpty()) {
                kept.add(segment);
            } else if (last) {
                kept.add(""); // a directory stays a directory
            }
        }
        return "/" + String.join("/", kept);
    }

    private static ProblemException malformed() {
        return new ProblemException(ProblemType.BAD_REQUEST,
                "The path is not percent-encoded UTF-8 without control characters"
                        + " and backslashes: encode everything but letters, digits, - . _ ~ and the slashes between"
                        + " segments");
    }
}
