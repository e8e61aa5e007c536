package dev.orderly.store.postgres;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/** Parser of the address of a database, in the form that PostgreSQL's own programs use. */
final class PostgresUrl {
    /** The value of the driver's parameter for the server that takes writes. */
    static final String PRIMARY = "primary";

    private static final String FORM = "postgres://USER:PASSWORD@HOST:PORT/DATABASE, with HOST:PORT,HOST:PORT for"
            + " several servers";
    private static final String HOST = "(?:[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(?::[0-9]{1,5})?";
    private static final Pattern WHOLE = Pattern.compile("postgres(?:ql)?://(?:(?<user>[\\w.~!$&'()*+;=,%-]*)"
            + "(?::(?<password>[\\w.~!$&'()*+;=,:%-]*))?@)?(?<servers>" + HOST + "(?:," + HOST + ")*+)"
            + "(?<database>/[^/?#]+)(?:\\?(?<params>[^#]*))?");
    /** The name of libpq for the choice among several servers, and that of the driver. */
    private static final String ATTRIBUTES = "target_session_attrs";
    static final String SERVER_TYPE = "targetServerType";

    /** The values of that parameter with which the driver finds a server that takes writes. */
    private static final Set<String> WRITING = Set.of(PRIMARY, "master", "preferPrimary", "any");

    private PostgresUrl() {}

    /**
     * Checks a JDBC URL. The driver's own error would have the whole of it, and a password before the host in its log.
     */
    static void check(String url) {
        Properties parts = url.split("\\?", 2)[0].contains("@") ? null : Driver.parseURL(url, null);
        if (parts == null) {
            throw new IllegalArgumentException("The JDBC URL of a PostgreSQL database is not of the form"
                    + " jdbc:postgresql://HOST:PORT/DATABASE?user=USER&password=PASSWORD, with HOST:PORT,HOST:PORT for"
                    + " several servers: percent-encode special characters of the password");
        }
        String type = PGProperty.TARGET_SERVER_TYPE.getOrDefault(parts);
        if (type != null && !WRITING.contains(type)) {
            throw new IllegalArgumentException(SERVER_TYPE + "=" + type + " in the address of a PostgreSQL database:"
                    + " use primary, preferPrimary or any, since a standby takes no writes");
        }
    }

    /** The hosts of a JDBC URL that was checked, with commas between them. */
    static String servers(String url) {
        return String.valueOf(PGProperty.PG_HOST.getOrDefault(Driver.parseURL(url, null)));
    }

    static PostgresOptions read(String url) {
        Matcher whole = WHOLE.matcher(url);
        if (!whole.matches()) {
            throw malformed();
        }
        Map<String, String> params = params(whole.group("params"));
        String schema = params.remove("schema");
        int connections = number(params, "connections", PostgresOptions.CONNECTIONS);
        int hold = number(params, "caller-hold", (int) PostgresOptions.CALLER_HOLD.toSeconds());
        mapAttributes(params);
        String query = params.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue())
                .collect(Collectors.joining("&"));
        return PostgresOptions.of("jdbc:postgresql://" + whole.group("servers") + whole.group("database")
                + (query.isEmpty() ? "" : "?" + query), decoded(whole.group("user")), decoded(whole.group("password")))
                .withSchema(schema).withConnections(connections).withCallerHold(Duration.ofSeconds(hold));
    }

    /** Leaves out the address, which may have a password. */
    private static IllegalArgumentException malformed() {
        return new IllegalArgumentException("The address of a PostgreSQL database is not of the form " + FORM
                + ": escape special characters of the password as %XX");
    }

    /** A store writes, so it uses the one server that takes writes; of any, another one if none does. */
    private static void mapAttributes(Map<String, String> params) {
        String wanted = params.remove(ATTRIBUTES);
        if (wanted == null) {
            return;
        }
        if (params.containsKey(SERVER_TYPE)) {
            throw new IllegalArgumentException(ATTRIBUTES + " and " + SERVER_TYPE + " in the address of a PostgreSQL"
                    + " database say the same: use one of them");
        }
        if (!wanted.equals("any") && !wanted.equals("primary") && !wanted.equals("read-write")) {
            throw new IllegalArgumentException(ATTRIBUTES + "=" + wanted + " in the address of a PostgreSQL database:"
                    + " use primary, read-write or any, since a standby takes no writes");
        }
        params.put(SERVER_TYPE, wanted.equals("any") ? "preferPrimary" : PRIMARY);
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
        try {
            return text == null ? null : URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            throw malformed();
        }
    }
}
