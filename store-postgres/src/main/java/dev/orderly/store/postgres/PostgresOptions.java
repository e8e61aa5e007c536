package dev.orderly.store.postgres;

import dev.orderly.store.postgres.sql.SchemaChoice;
import dev.orderly.store.postgres.sql.SessionStart;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Address of the database, and limits of its use. Immutable: each method returns a copy, and throws
 * {@link IllegalArgumentException} naming the value and the rule; never the password.
 */
public final class PostgresOptions {
    /** The default schema. */
    public static final String SCHEMA = SchemaChoice.DEFAULT;
    /** The default number of connections of a node's pool. */
    public static final int CONNECTIONS = 10;
    /** The default time for which a caller's transaction may hold the jobs it pushed or completed. */
    public static final Duration CALLER_HOLD = Duration.ofSeconds(30);
    /** Longest wait of a caller for a connection of the pool. */
    static final Duration WAIT = Duration.ofSeconds(5);
    private static final Pattern RULE = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

    private final Values values;

    private record Values(String url, @Nullable String user, @Nullable String password, @Nullable String schema,
            int connections, Duration callerHold) {
        Values {
            if (!url.startsWith("jdbc:postgresql:")) {
                throw new IllegalArgumentException(
                        "A JDBC URL of a PostgreSQL database has to start with jdbc:postgresql:, this one does not:"
                                + " correct the address");
            }
            PostgresUrl.check(url);
            if (schema != null && (!RULE.matcher(schema).matches() || schema.startsWith("pg_"))) {
                throw new IllegalArgumentException(
                        "\"" + schema + "\" is no name for Orderly's schema: use 1 to 63 lower"
                                + " case letters, digits and '_', starting with a letter or '_' and not with pg_");
            }
            if (connections < 1) {
                throw new IllegalArgumentException(connections + " connections to PostgreSQL: use 1 or more");
            }
            if (callerHold.compareTo(Duration.ofSeconds(1)) < 0 || callerHold.compareTo(Duration.ofHours(1)) > 0) {
                throw new IllegalArgumentException(
                        "A caller's transaction may hold a group for " + callerHold + ": use 1 second to 1 hour");
            }
        }
    }

    private PostgresOptions(Values values) {
        this.values = values;
    }

    /**
     * Options from an address, {@code postgres://USER:PASSWORD@HOST:PORT/DATABASE}. The parameters {@code schema},
     * {@code connections} and {@code caller-hold} (in seconds) belong to Orderly, every other parameter to the driver,
     * such as {@code sslmode=require}.
     *
     * <p>{@code HOST:PORT,HOST:PORT} are several servers of one database, of which the store uses the primary, also
     * after a failover. A standby alone is refused.
     *
     * @param url the address, or a JDBC URL, whose parameters all belong to the driver
     * @throws IllegalArgumentException if the address is malformed or a value out of bounds; the message never has the
     *     password
     */
    public static PostgresOptions at(String url) {
        Objects.requireNonNull(url, "url");
        return url.startsWith("jdbc:")
                ? of(url, null, null)
                : PostgresUrl.read(url);
    }

    static PostgresOptions of(String url, @Nullable String user, @Nullable String password) {
        return new PostgresOptions(new Values(url, user, password, null, CONNECTIONS, CALLER_HOLD));
    }

    /** A JDBC URL: {@code jdbc:postgresql://host:port/database}. */
    public String url() {
        return values.url;
    }

    /** Null to leave it to the URL or the driver. */
    public @Nullable String user() {
        return values.user;
    }

    /** Null to leave it to the URL or the driver; never logged. */
    public @Nullable String password() {
        return values.password;
    }

    /**
     * The schema of all of Orderly's tables and of nothing else; created if it does not exist. Null for the default:
     * {@value #SCHEMA}, or {@code orderly} where version 0.1.0 has made it. Neither {@code public} nor the name of a
     * database user.
     */
    public @Nullable String schema() {
        return values.schema;
    }

    /**
     * The size of this node's pool, 1 or more; callers beyond it wait up to 5 seconds, and one stays open while idle.
     * The bus (two, one of them for LISTEN) and the heartbeat (one) have connections of their own. Without effect if
     * the store works over a {@code DataSource} of the application; pushes and completions in a transaction of a caller
     * are always on that caller's connection.
     */
    public int connections() {
        return values.connections;
    }

    /**
     * The longest idle time of a transaction of a caller that pushed or completed jobs, and from PostgreSQL 17 on its
     * longest duration if it holds a group, before the server ends it; 1 second to 1 hour.
     */
    public Duration callerHold() {
        return values.callerHold;
    }

    public PostgresOptions withSchema(@Nullable String value) {
        return new PostgresOptions(
                new Values(values.url, values.user, values.password, value, values.connections, values.callerHold));
    }

    public PostgresOptions withConnections(int value) {
        return new PostgresOptions(
                new Values(values.url, values.user, values.password, values.schema, value, values.callerHold));
    }

    public PostgresOptions withCallerHold(Duration value) {
        Objects.requireNonNull(value, "value");
        return new PostgresOptions(
                new Values(values.url, values.user, values.password, values.schema, values.connections, value));
    }

    /** @param user null to leave both to the URL or the driver */
    public PostgresOptions withCredentials(@Nullable String user, @Nullable String password) {
        return new PostgresOptions(new Values(values.url, user, password, values.schema, values.connections,
                values.callerHold));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PostgresOptions options && values.equals(options.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    /**
     * Timeouts of the driver, as properties of a connection. The values are texts, since the driver silently ignores
     * numbers.
     *
     * @param silence longest wait for an answer, in whole seconds
     */
    Map<String, String> patience(Duration silence) {
        return Map.of("tcpKeepAlive", "true", "connectTimeout", String.valueOf(WAIT.toSeconds()), "socketTimeout",
                String.valueOf(silence.toSeconds()));
    }

    /**
     * The choice of the driver among several servers, as properties of a connection: the one that takes writes, unless
     * the address says otherwise. The only server of an address is asked by {@link SessionStart} in place of the
     * driver, which takes a primary that is read-only for a standby.
     */
    Map<String, String> choice() {
        return PostgresUrl.servers(values.url).contains(",")
                ? Map.of(PostgresUrl.SERVER_TYPE, PostgresUrl.PRIMARY)
                : Map.of();
    }

    /**
     * Opens a connection outside the pool. Blocks; at most {@link #WAIT} to connect.
     *
     * @param silence longest wait for an answer, in whole seconds
     */
    Connection connect(Duration silence) throws SQLException {
        Properties properties = new Properties();
        if (values.user != null) {
            properties.setProperty("user", values.user);
        }
        if (values.password != null) {
            properties.setProperty("password", values.password);
        }
        properties.putAll(patience(silence));
        properties.putAll(choice());
        Connection connection = DriverManager.getConnection(values.url, properties);
        boolean serves = false;
        try (Statement statement = connection.createStatement()) {
            statement.execute(SessionStart.check());
            serves = true;
            return connection;
        } finally {
            if (!serves) {
                connection.close();
            }
        }
    }

    /** Address and schema, without user, password and parameters. */
    @Override
    public String toString() {
        int end = values.url.indexOf('?');
        String address = end < 0 ? values.url : values.url.substring(0, end);
        return address.substring("jdbc:".length()) + " schema "
                + (values.schema == null ? SCHEMA : values.schema);
    }
}
