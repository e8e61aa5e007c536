package dev.orderly.http.gateway;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The headers that are not forwarded. Every character but letters and digits counts as a dash, since many servers
 * cannot tell {@code X_Forwarded_For} or {@code X.Forwarded.For} from {@code X-Forwarded-For}.
 */
final class HeaderRules {
    private HeaderRules() {}

    /**
     * Whether a request header is for this hop, or may be set by this edge only.
     *
     * @param named the headers named by {@code Connection} headers, in lower case
     */
    static boolean endsHereInRequest(String name, Set<String> named) {
        return switch (first(name)) {
            case 'c' -> isHopByHop(name) || is(name, "cf-connecting-ip") || is(name, "cf-connecting-ipv6")
                    || is(name, "client-ip");
            case 'e' -> is(name, "expect");
            case 'f' -> is(name, "forwarded") || is(name, "fastly-client-ip");
            case 'h' -> is(name, "host") || is(name, "http2-settings");
            case 'o' -> startsWith(name, "orderly-");
            case 'p' -> is(name, "proxy") || isHopByHop(name);
            case 't' -> is(name, "true-client-ip") || isHopByHop(name);
            case 'v' -> is(name, "via");
            case 'x' -> startsWith(name, "x-forwarded") || startsWith(name, "x-original-") || isOfClient(name);
            default -> isHopByHop(name);
        } || isNamed(name, named);
    }

    /** Headers by which some servers identify the client or the requested path. */
    private static boolean isOfClient(String name) {
        return is(name, "x-real-ip") || is(name, "x-rewrite-url") || is(name, "x-client-ip")
                || is(name, "x-cluster-client-ip") || is(name, "x-remote-ip") || is(name, "x-remote-addr")
                || is(name, "x-host");
    }

    /** Whether an answer's header is for this hop only. */
    static boolean endsHereInAnswer(String name, Set<String> named) {
        return isHopByHop(name) || isNamed(name, named);
    }

    private static boolean isHopByHop(String name) {
        return switch (first(name)) {
            case 'c' -> is(name, "connection");
            case 'k' -> is(name, "keep-alive");
            case 'p' -> startsWith(name, "proxy-");
            case 't' -> is(name, "te") || is(name, "trailer") || is(name, "transfer-encoding");
            case 'u' -> is(name, "upgrade");
            default -> false;
        };
    }

    /** Content-Length is never removed, even if a Connection header names it. */
    private static boolean isNamed(String name, Set<String> named) {
        return !named.isEmpty() && named.contains(name.toLowerCase(Locale.ROOT)) && !is(name, "content-length");
    }

    /** The header names listed in {@code Connection} headers, in lower case. */
    static Set<String> named(List<String> connection) {
        if (connection.isEmpty()) {
            return Set.of();
        }
        if (connection.size() == 1) {
            String only = connection.getFirst();
            if (only.equalsIgnoreCase("keep-alive") || only.equalsIgnoreCase("close")) {
                return Set.of();
            }
        }
        Set<String> names = new HashSet<>();
        for (String line : connection) {
            for (String name : line.split(",", -1)) {
                names.add(name.strip().toLowerCase(Locale.ROOT));
            }
        }
        return names;
    }

    private static char first(String name) {
        return name.isEmpty() ? 0 : lower(name.charAt(0));
    }

    private static boolean is(String name, String lowerCase) {
        return name.length() == lowerCase.length() && startsWith(name, lowerCase);
    }

    private static boolean startsWith(String name, String lowerCase) {
        if (name.length() < lowerCase.length()) {
            return false;
        }
        for (int i = 0; i < lowerCase.length(); i++) {
            char c = lower(name.charAt(i));
            boolean plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
            if ((plain ? c : '-') != lowerCase.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static char lower(char c) {
        return c >= 'A' && c <= 'Z' ? (char) (c + 32) : c;
    }
}
