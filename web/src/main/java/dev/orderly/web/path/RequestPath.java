package dev.orderly.web.path;

import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.problem.Refusal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A request's path in two normal forms, so that a path is not checked as one path and served as another.
 *
 * @param wire the normal form of RFC 3986, section 6.2.2: upper-case escapes, no unnecessary escapes, no dot segments,
 *   no doubled slashes. Routes and origins are chosen by it, and origins get it
 * @param key a stricter form for matching rules, never sent: everything decoded once, {@code \} replaced by a slash,
 *   {@code ;params} dropped from each segment, dot segments and doubled slashes removed again, lower case. A path whose
 *   {@code ..} appears only then is refused, since servers read it differently
 */
public record RequestPath(String wire, String key) {
    private static final String RESERVED = "/.orderly";
    private static final String HEX = "0123456789ABCDEF";

    /**
     * Reads a path.
     *
     * @param path as sent, without the query; starts with a slash, or is {@code *}
     * @throws Refusal if it has a broken escape or a control character, or is not UTF-8 once decoded
     */
    public static RequestPath of(String path) {
        if (isPlain(path)) {
            return new RequestPath(path, path);
        }
        String wire = path.indexOf('%') < 0 ? path : normalEscapes(path);
        wire = withoutDots(wire);
        String decoded = withoutParams(decode(wire).replace('\\', '/'));
        if (decoded.contains("/../") || decoded.endsWith("/..")) {
            throw new Refusal(ProblemType.BAD_REQUEST, "The path has a .. hidden behind an escape, a backslash or a"
                    + " semicolon, which servers read in different ways: request the intended path");
        }
        return new RequestPath(wire, withoutDots(decoded).toLowerCase(Locale.ROOT));
    }

    /** Whether the path is below {@code /.orderly}, in any spelling. Such paths are never forwarded. */
    public boolean isReserved() {
        return key.startsWith(RESERVED) && (key.length() == RESERVED.length() || key.charAt(RESERVED.length()) == '/');
    }

    /** Whether the request is about the server as a whole, as {@code OPTIONS *} is. */
    public boolean isAsterisk() {
        return wire.equals("*");
    }

    /** Whether both forms equal the path. Refuses invalid characters. */
    private static boolean isPlain(String path) {
        boolean plain = true;
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c <= ' ' || c > '~') {
                throw malformed();
            }
            boolean odd = c == '%' || c == '\\' || c == ';' || (c >= 'A' && c <= 'Z');
            char next = i + 1 < path.length() ? path.charAt(i + 1) : 0;
            plain &= !odd && !(c == '/' && (next == '/' || next == '.'));
        }
        return plain;
    }

    /** Decodes unnecessary escapes, and writes the others in upper case. */
    private static String normalEscapes(String path) {
        StringBuilder normal = new StringBuilder(path.length());
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c != '%') {
                normal.append(c);
                continue;
            }
            int octet = octet(path, i);
            if (isUnreserved(octet)) {
                normal.append((char) octet);
            } else {
                normal.append('%').append(HEX.charAt(octet >> 4)).append(HEX.charAt(octet & 15));
            }
            i += 2;
        }
        return normal.toString();
    }

    private static int octet(String path, int percent) {
        int high = percent + 2 < path.length() ? Character.digit(path.charAt(percent + 1), 16) : -1;
        int low = high < 0 ? -1 : Character.digit(path.charAt(percent + 2), 16);
        if (low < 0) {
            throw malformed();
        }
        return high << 4 | low;
    }

    private static boolean isUnreserved(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.'
                || c == '_' || c == '~';
    }

    private static String decode(String wire) {
        if (wire.indexOf('%') < 0) {
            return wire;
        }
        ByteBuffer bytes = ByteBuffer.allocate(wire.length());
        for (int i = 0; i < wire.length(); i++) {
            int octet = wire.charAt(i);
            if (octet == '%') {
                octet = octet(wire, i);
                i += 2;
                if (octet < ' ' || octet == 127) {
                    throw malformed();
                }
            }
            bytes.put((byte) octet);
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
        } catch (CharacterCodingException _) {
            throw malformed();
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

    private static Refusal malformed() {
        return new Refusal(ProblemType.BAD_REQUEST, "The path is not percent-encoded UTF-8 without control characters:"
                + " encode everything but letters, digits, - . _ ~ and the slashes between segments");
    }
}
