package dev.orderly.web.header;

import java.net.IDN;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A host and an optional port, as in a Host header, in normal form: lower case, no dot at the end, an IPv6 address in
 * its shortest spelling, a port without leading zeros. All spellings of a host are equal, so that no two servers
 * disagree about it.
 *
 * @param host a name in ASCII, an IPv4 address, or an IPv6 address in brackets
 * @param port a number from 1; empty for none
 */
public record Authority(String host, String port) {
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.\\d{1,3}){3}|\\[?::1]?",
            Pattern.CASE_INSENSITIVE);
    private static final int NAME_MAX = 253;
    private static final int LABEL_MAX = 63;
    private static final int PORT_MAX = 65_535;
    /** Letters that the two standards of international names map differently: ß, final sigma, joiner, non-joiner. */
    private static final String DEVIATIONS = "\u00df\u03c2\u200c\u200d";

    /** Parses any text; empty unless it is a host and port that all servers read alike. */
    public static Optional<Authority> parse(String text) {
        int end = text.startsWith("[") ? text.indexOf(']') + 1 : text.indexOf(':');
        int hostEnd = end < 0 ? text.length() : end;
        String port = hostEnd == text.length() ? "" : text.substring(hostEnd + 1);
        boolean separated = hostEnd == text.length() || text.charAt(hostEnd) == ':';
        String host = normal(text.substring(0, hostEnd));
        if (host == null || !separated || !isPort(port)) {
            return Optional.empty();
        }
        String plain = port.startsWith("0") ? Integer.toString(Integer.parseInt(port)) : port;
        return plain.equals("0") ? Optional.empty() : Optional.of(new Authority(host, plain));
    }

    /**
     * The normal form of a host from the configuration, which may have letters beyond ASCII.
     *
     * @throws IllegalArgumentException naming the text, the rule and the remedy
     */
    public static String hostOf(String text) {
        if (text.chars().anyMatch(c -> DEVIATIONS.indexOf(c) >= 0)) {
            throw wrong(text, "has a letter that programs turn into ASCII in different ways");
        }
        String ascii;
        try {
            ascii = text.startsWith("[") ? text : IDN.toASCII(text, IDN.USE_STD3_ASCII_RULES);
        } catch (IllegalArgumentException _) {
            throw wrong(text, "is not the name of a host");
        }
        String host = normal(ascii);
        if (host == null) {
            throw wrong(text, "is not the name of a host, without a port");
        }
        return host;
    }

    /** Whether a host, of a URL or a Host header, names the machine itself; decided by the text, without a lookup. */
    public static boolean isLoopback(String host) {
        return LOOPBACK.matcher(host).matches();
    }

    /** The host of a text in normal form. */
    public static String withoutPort(String normal) {
        int colon = normal.lastIndexOf(':');
        return colon > normal.lastIndexOf(']') ? normal.substring(0, colon) : normal;
    }

    /** The form of a Host header. */
    public String text() {
        return port.isEmpty() ? host : host + ":" + port;
    }

    private static @Nullable String normal(String host) {
        return host.startsWith("[") ? address(host) : name(host);
    }

    private static @Nullable String address(String text) {
        try {
            boolean bracketed = text.length() > 3 && text.endsWith("]") && text.indexOf('%') < 0;
            return bracketed
                    ? "[" + shortest(InetAddress.ofLiteral(text.substring(1, text.length() - 1))) + "]"
                    : null;
        } catch (IllegalArgumentException _) {
            return null;
        }
    }

    /** The spelling of RFC 5952: no leading zeros, and the first of the longest runs of zeros left out. */
    private static String shortest(InetAddress address) {
        if (!(address instanceof Inet6Address)) {
            return address.getHostAddress();
        }
        String[] groups = address.getHostAddress().split(":", -1);
        int from = 0;
        int to = 0;
        for (int i = 0; i < groups.length; i++) {
            int end = i;
            while (end < groups.length && groups[end].equals("0")) {
                end++;
            }
            if (end - i > Math.max(1, to - from)) {
                from = i;
                to = end;
            }
        }
        List<String> all = List.of(groups);
        return from == to
                ? String.join(":", all)
                : String.join(":", all.subList(0, from)) + "::" + String.join(":", all.subList(to, groups.length));
    }

    private static @Nullable String name(String text) {
        int end = text.endsWith(".") ? text.length() - 1 : text.length();
        int label = 0;
        boolean upper = false;
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            boolean dot = c == '.';
            if ((dot && label == 0) || !(dot || isNameChar(c))) {
                return null;
            }
            label = dot ? 0 : label + 1;
            upper |= c >= 'A' && c <= 'Z';
            if (label > LABEL_MAX) {
                return null;
            }
        }
        if (label == 0 || end > NAME_MAX) {
            return null;
        }
        String name = end == text.length() ? text : text.substring(0, end);
        String lower = upper ? lower(name) : name;
        return isNumber(lower, lower.lastIndexOf('.') + 1) && !isPlainIpv4(lower) ? null : lower;
    }

    private static boolean isNameChar(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c) || c == '-' || c == '_';
    }

    private static String lower(String name) {
        char[] chars = name.toCharArray();
        for (int i = 0; i < chars.length; i++) {
            chars[i] += chars[i] >= 'A' && chars[i] <= 'Z' ? (char) 32 : 0;
        }
        return new String(chars);
    }

    /**
     * Whether the last label is a number, which makes the host an IPv4 address, such as {@code 127.1} or {@code 0x7f}.
     */
    private static boolean isNumber(String name, int from) {
        boolean hex = name.startsWith("0x", from);
        for (int i = hex ? from + 2 : from; i < name.length(); i++) {
            char c = name.charAt(i);
            if (!isDigit(c) && !(hex && c >= 'a' && c <= 'f')) {
                return false;
            }
        }
        return true;
    }

    private static boolean isPlainIpv4(String text) {
        String[] parts = text.split("\\.", -1);
        for (String part : parts) {
            boolean plain = !part.isEmpty() && part.length() <= 3 && isPort(part)
                    && (part.length() == 1 || part.charAt(0) != '0') && Integer.parseInt(part) <= 255;
            if (!plain) {
                return false;
            }
        }
        return parts.length == 4;
    }

    private static boolean isPort(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isDigit(text.charAt(i))) {
                return false;
            }
        }
        return text.length() <= 5 && (text.isEmpty() || Integer.parseInt(text) <= PORT_MAX);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static IllegalArgumentException wrong(String text, String rule) {
        return new IllegalArgumentException("Host \"" + text + "\" " + rule
                + ": use a name such as shop.example.com, or its ASCII form, which begins with xn--");
    }
}
