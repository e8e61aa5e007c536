package dev.orderly.web.path;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Spellings of a path that some server may read as that path: of each part the usual spelling and odd ones, by escapes,
 * params, dots, slashes, signs of Unicode, and control characters.
 */
public final class PathSpellings {
    private static final List<String> SEPARATORS = List.of("/", "//", "/./", "/%2e/", "/x/../", "/x/%2E%2e/",
            "/x/.%2e/",
            "/x/..;/", "/x;/../", "/x/;a/../", "/x/.;/../", "/x//../", "/;/", "/;a=b/", "/.;/", "/%3b/", "%2f", "%2F",
            "\\", "%5c", "/%5C", "%252f", "%255c", "/%252e/", "/x/%252e%252e/", "/x%2f..%2f", "/x%5c..%5c", "%c0%af",
            "/x/%c0%ae%c0%ae/", "/x/%e2%80%a5/", "%ef%bc%8f", "/%09/", "/%20/", "/x/..%00/", "/;/../;/", "/..;/",
            "/%2e%2e;/");
    private static final Set<String> STRONG = Set.of("//", "/x/;a/../", "%252f", ";jsessionid=1");
    private static final List<String> ENDS = List.of("", "/", "//", "/.", "/x/..", ";jsessionid=1", ";a/;b", "/;",
            "%3Bx",
            ".", "%20", "%00", "%2500", "%09", "%2f", "?", "?a=/../x", "%5c", "/%2e", "/x/..;", "::$DATA");

    private PathSpellings() {}

    /**
     * Spellings of the path of some segments below a context path, with one odd part or two, of which one is of those
     * that change how many segments there are, or which part is decoded when.
     *
     * @param context a slash and a name; empty for none
     */
    public static Set<String> of(String context, String... segments) {
        List<List<String>> parts = parts(context, segments);
        Set<String> spellings = withOneOddPart(context, segments);
        for (int one = 0; one < parts.size(); one++) {
            for (int two = 0; two < parts.size(); two++) {
                for (String strong : one == two ? List.<String>of() : STRONG) {
                    if (parts.get(two).contains(strong)) {
                        for (String odd : parts.get(one)) {
                            spellings.add(spelled(parts, one, odd, two, strong));
                        }
                    }
                }
            }
        }
        return spellings;
    }

    /** The same with one odd part. */
    public static Set<String> withOneOddPart(String context, String... segments) {
        List<List<String>> parts = parts(context, segments);
        Set<String> spellings = new LinkedHashSet<>();
        for (int one = 0; one < parts.size(); one++) {
            for (String odd : parts.get(one)) {
                spellings.add(spelled(parts, one, odd, one, odd));
            }
        }
        return spellings;
    }

    private static List<List<String>> parts(String context, String... segments) {
        List<List<String>> parts = new ArrayList<>();
        if (!context.isEmpty()) {
            parts.add(separators(context));
            parts.add(names(context.substring(1)));
        }
        for (String segment : segments) {
            parts.add(separators(context));
            parts.add(names(segment));
        }
        parts.add(ENDS);
        return parts;
    }

    private static String spelled(List<List<String>> parts, int one, String odd, int two, String other) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < parts.size(); i++) {
            path.append(i == one ? odd : i == two ? other : parts.get(i).getFirst());
        }
        return path.toString();
    }

    private static List<String> separators(String context) {
        List<String> all = new ArrayList<>(SEPARATORS);
        if (!context.isEmpty()) {
            all.add(context + "/../");
            all.add(context + "/;/../../");
        }
        return all;
    }

    /** Spellings of a name. */
    private static List<String> names(String name) {
        char first = name.charAt(0);
        String rest = name.substring(1);
        String hex = String.format(Locale.ROOT, "%%%02x", (int) first);
        return List.of(name, hex + rest, hex.toUpperCase(Locale.ROOT) + rest, encoded(name),
                "%25" + hex.substring(1) + rest,
                "%2525" + hex.substring(1) + rest, name.toUpperCase(Locale.ROOT), name + ";a=b", name + ";a=%2f..",
                name + "%3Ba", name + ".", name + "%20", name + "%00", name + "%2500", "%20" + name, "%c1%" + String
                        .format(Locale.ROOT, "%02x", 0x80 | (first & 0x3f)) + rest,
                encoded(String.valueOf((char) (first + 0xfee0))) + rest);
    }

    private static String encoded(String text) {
        StringBuilder encoded = new StringBuilder();
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            encoded.append(String.format(Locale.ROOT, "%%%02X", octet & 0xff));
        }
        return encoded.toString();
    }
}
