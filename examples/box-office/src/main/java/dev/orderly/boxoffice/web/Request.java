package dev.orderly.boxoffice.web;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A parsed request for the routes.
 *
 * @param path the parts between slashes; empty for the front page
 * @param form the fields of a POST
 * @param customer the customer of the cookie
 */
record Request(String method, List<String> path, Map<String, String> form, String customer) {
    static final int BODY_MAX = 16 << 10;
    private static final Pattern SESSION = Pattern
            .compile("(?:^|;\\s*)" + Sessions.COOKIE + "=([A-Za-z0-9_.-]+)(?:;|$)");

    boolean isPost() {
        return method.equals("POST");
    }

    /** A field without the blanks around it; empty if it was not sent. */
    String field(String name) {
        return form.getOrDefault(name, "").strip();
    }

    static List<String> path(HttpExchange exchange) {
        return Arrays.stream(exchange.getRequestURI().getPath().split("/", -1)).filter(part -> !part.isEmpty())
                .toList();
    }

    /** The token in the cookie, valid or not. */
    static Optional<String> session(Headers headers) {
        String cookies = headers.getFirst("Cookie");
        Matcher found = SESSION.matcher(cookies == null ? "" : cookies);
        return found.find() ? Optional.of(found.group(1)) : Optional.empty();
    }

    /** The fields of a form; empty if the body is too long or is not a form. */
    static Optional<Map<String, String>> form(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(BODY_MAX + 1);
        if (body.length > BODY_MAX) {
            return Optional.empty();
        }
        Map<String, String> fields = new HashMap<>();
        try {
            for (String pair : new String(body, StandardCharsets.UTF_8).split("&", -1)) {
                int equals = pair.indexOf('=');
                if (equals > 0) {
                    fields.putIfAbsent(decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
                }
            }
        } catch (IllegalArgumentException _) { // a broken percent sign
            return Optional.empty();
        }
        return Optional.of(fields);
    }

    /**
     * Whether a POST may come from one of our own pages. A browser always sends the origin of a form. A request without
     * it comes from a program (curl, a test), which carries no other visitor's cookie.
     */
    static boolean isFromHere(Headers headers) {
        String site = headers.getFirst("Sec-Fetch-Site");
        if (site != null) {
            String value = site.toLowerCase(Locale.ROOT);
            return value.equals("same-origin") || value.equals("none");
        }
        String origin = headers.getFirst("Origin");
        return origin == null || authority(origin).equalsIgnoreCase(headers.getFirst("Host"));
    }

    private static String authority(String origin) {
        try {
            @Nullable
            String authority = new URI(origin).getAuthority();
            return authority == null ? "" : authority;
        } catch (URISyntaxException _) {
            return "";
        }
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
