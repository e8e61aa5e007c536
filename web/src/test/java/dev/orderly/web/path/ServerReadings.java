package dev.orderly.web.path;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * What servers make of a request's path, as models of their own: independent of {@link RequestPath}, without its order
 * of steps. A reading is a list of segments, in lower case.
 */
public final class ServerReadings {
    private ServerReadings() {}

    /** The readings of servers of many kinds. */
    public static List<List<String>> of(String path) {
        List<UnaryOperator<String>> texts = List.of(
                text -> dots(merged(decoded(text))), // nginx, Apache: decodes, merges slashes, resolves dots
                text -> merged(dots(decoded(text))), // the other order
                text -> dots(merged(decoded(params(text)).replace('\\', '/'))), // Tomcat with lenient settings
                text -> dots(decoded(params(text))), // Jetty with lenient settings
                text -> dots(merged(trimmed(decoded(text).replace('\\', '/')))), // IIS
                text -> dots(merged(decoded(decoded(text)))), // a server behind a proxy that decodes
                text -> dots(merged(decoded(params(decoded(text))))), // a container behind such a proxy
                text -> dots(merged(decoded(decoded(params(text)).replace('\\', '/')))),
                text -> dots(merged(Normalizer.normalize(decoded(text), Normalizer.Form.NFKC))), // best fit, HFS+
                text -> dots(merged(Normalizer.normalize(params(decoded(text)), Normalizer.Form.NFKC))),
                text -> beforeNul(decoded(text)), // C strings
                text -> beforeNul(decoded(decoded(text))));
        List<List<String>> readings = new ArrayList<>();
        texts.forEach(reading -> readings.add(segments(reading.apply(path), false)));
        // Routers that split first, then decode each segment: Spring MVC, Express, Rails
        readings.add(segments(path, true));
        readings.add(segments(params(path), true));
        readings.add(segments(merged(params(path)), true));
        readings.add(segments(dots(params(path)), true));
        readings.add(segments(decoded(path.replaceAll("(?i)%2f|%5c", "~")), true));
        Set<List<String>> once = new LinkedHashSet<>(readings);
        return List.copyOf(once);
    }

    /** Whether the reading is a path of {@code /tickets/**}, {@code /events/ID/buy} or {@code /search}. */
    public static boolean isInRoom(List<String> segments) {
        boolean folder = !segments.isEmpty() && segments.getLast().isEmpty();
        List<String> names = folder ? segments.subList(0, segments.size() - 1) : segments; // optional slash at the end
        return !names.isEmpty() && (names.getFirst().equals("tickets") || names.equals(List.of("search"))
                || (names.size() == 3 && names.getFirst().equals("events") && !names.get(1).isEmpty()
                        && names.get(2).equals("buy")));
    }

    private static List<String> segments(String path, boolean decode) {
        List<String> segments = new ArrayList<>();
        for (String segment : path.substring(path.startsWith("/") ? 1 : 0).split("/", -1)) {
            segments.add((decode ? decoded(segment) : segment).toLowerCase(Locale.ROOT));
        }
        return segments;
    }

    /** Decodes leniently, overlong forms of UTF-8 too. */
    private static String decoded(String path) {
        StringBuilder decoded = new StringBuilder();
        byte[] octets = new byte[path.length()];
        int count = 0;
        for (int i = 0; i <= path.length(); i++) {
            boolean escape = i + 2 < path.length() && path.charAt(i) == '%'
                    && Character.digit(path.charAt(i + 1), 16) >= 0 && Character.digit(path.charAt(i + 2), 16) >= 0;
            if (escape) {
                octets[count++] = (byte) Integer.parseInt(path, i + 1, i + 3, 16);
                i += 2;
                continue;
            }
            if (count > 0) {
                decoded.append(text(octets, count));
                count = 0;
            }
            if (i < path.length()) {
                decoded.append(path.charAt(i));
            }
        }
        return decoded.toString();
    }

    private static String text(byte[] octets, int count) {
        if (count == 2 && (octets[0] & 0xfe) == 0xc0) {
            return String.valueOf((char) ((octets[0] & 0x1f) << 6 | (octets[1] & 0x3f)));
        }
        return new String(octets, 0, count, StandardCharsets.UTF_8);
    }

    private static String params(String path) {
        return path.replaceAll(";[^/]*", "");
    }

    private static String merged(String path) {
        return path.replaceAll("/+", "/");
    }

    private static String trimmed(String path) {
        return path.replaceAll("(?<=[^/. ])[. ]+(?=/|$)", "");
    }

    private static String beforeNul(String path) {
        int nul = path.indexOf('\0');
        return nul < 0 ? path : path.substring(0, nul);
    }

    /** RFC 3986, section 5.2.4. */
    private static String dots(String path) {
        List<String> kept = new ArrayList<>();
        String[] segments = path.substring(path.startsWith("/") ? 1 : 0).split("/", -1);
        for (int i = 0; i < segments.length; i++) {
            boolean last = i == segments.length - 1;
            if (segments[i].equals("..") && !kept.isEmpty()) {
                kept.removeLast();
            }
            if (!segments[i].equals("..") && !segments[i].equals(".")) {
                kept.add(segments[i]);
            } else if (last) {
                kept.add("");
            }
        }
        return "/" + String.join("/", kept);
    }
}
