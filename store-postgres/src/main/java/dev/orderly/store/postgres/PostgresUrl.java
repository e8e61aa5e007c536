package dev.orderly.store.postgres;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Parser of the address of a database, in the form that PostgreSQL's own programs use. */
final class PostgresUrl {
    private static final Set<String> SCHEMES = Set.of("postgres", "postgresql");
    private static final String FORM = "postgres://USER:PASSWORD@HOST:PORT/DATABASE";

    private PostgresUrl() {}

    static PostgresOptions read(String url) {
        URI uri = uri(url);
        Map<String, String> params = params(uri.getRawQuery());
        String schema = params.remove("schema");
        int connections = number(params, "connections", PostgresOptions.CONNECTIONS);
        int hold = number(params, "caller-hold", (int) PostgresOptions.CALLER_HOLD.toSeconds());
        String query = params.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue())
                .collect(Collectors.joining("&"));
        String userInfo = uri.getRawUserInfo();
        int colon = userInfo == null ? -1 : userInfo.indexOf(':');
        String user = userInfo == null ? null : colon < 0 ? userInfo : userInfo.substring(0, colon);
        String password = userInfo == null || colon < 0 ? null : userInfo.substring(colon + 1);
        return PostgresOptions.of("jdbc:postgresql://" + uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort())
                + uri.getRawPath() + (query.isEmpty() ? "" : "?" + query), decoded(user), decoded(password))
                .withSchema(schema).withConnections(connections).withCallerHold(Duration.ofSeconds(hold));
    }

    private static URI uri(String url) {
        try {
            URI uri = new URI(url);
            boolean whole = uri.getScheme() != null && SCHEMES.contains(uri.getScheme()) && uri.getHost() != null
                    && uri.getRawPath() != null && uri.getRawPath().matches("/[^/]+") && uri.getRawFragment() == null;
            if (whole) {
                return uri;
            }
        } catch (URISyntaxException _) {
            // The message below leaves out the address, which may have a password.
        }
        throw new IllegalArgumentException("The address of a PostgreSQL database is not of the form " + FORM
                + ": escape special characters of the password as %XX");
    }

    private static Map<String, String> params(@Nullable String query) {
        Map<String, String> params = new LinkedHashMap<>();
        for (String param : query == null ? new String[0] : query.split("&")) {
            int equals = param.indexOf('=');
            if (equals < 1 || params.put(param.substring(0, equals), param.substring(equals + 1)) != null) {
                throw new IllegalArgumentException("A parameter of the address of a PostgreSQL database is not"
                        + " NAME=VALUE, or is there twice");
            }
        }
        return params;
    }

    private static int number(Map<String, String> params, String name, int otherwise) {
        String text = params.remove(name);
        if (text == null) {
            return otherwise;
        }
        if (!text.matches("[1-9][0-9]{0,3}")) {
            throw new IllegalArgumentException(
                    name + "=" + text + " in the address of a PostgreSQL database: use 1 to 9999");
        }
        return Integer.parseInt(text);
    }

    private static @Nullable String decoded(@Nullable String text) {
        return text == null ? null : URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
