package dev.orderly.store.postgres;

import dev.orderly.job.store.NodeTimes;
import dev.orderly.store.postgres.sql.SchemaChoice;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Address of the database, and limits of its use.
 *
 * @param url a JDBC URL: {@code jdbc:postgresql://host:port/database}
 * @param user null to leave it to the URL or the driver
 * @param password null to leave it to the URL or the driver; never logged
 * @param schema schema of all of Orderly's tables and of nothing else; created if it does not exist. Null for the
 *     default: {@value #SCHEMA}, or {@code orderly} where version 0.1.0 has made it. Neither {@code public} nor the
 *     name of a database user
 * @param connections size of this node's pool, 1 or more; callers beyond it wait up to 5 seconds, and one stays
 *     open while idle. The bus (two, one of them for LISTEN) and the heartbeat (one) have connections of their own.
 *     Without effect if the store works over a {@code DataSource} of the application; pushes and completions in a
 *     transaction of a caller are always on that caller's connection
 * @param callerHold longest idle time of a transaction of a caller that pushed or completed jobs, and from PostgreSQL
 *     17 on its longest duration if it holds a group, before the server ends it; 1 second to 1 hour
 */
public record PostgresOptions(String url, @Nullable String user, @Nullable String password,
        @Nullable String schema, int connections, Duration callerHold) {
    /** The default schema. */
    public static final String SCHEMA = SchemaChoice.DEFAULT;
    /** The default number of connections of a node's pool. */
    public static final int CONNECTIONS = 10;
    /** The default time for which a caller's transaction may hold the jobs it pushed or completed. */
    public static final Duration CALLER_HOLD = Duration.ofSeconds(30);
    /** Longest wait of a caller for a connection of the pool. */
    static final Duration WAIT = Duration.ofSeconds(5);
    /** Longest duration of a statement; after it the server ends the statement. */
    static final Duration STATEMENT = NodeTimes.STATEMENT;
    /**
     * Longest idle time of a node inside a transaction; after it the server ends the transaction. A process that is
     * suspended there keeps its locks for this long, and with them blocks pushes into those groups. A running node is
     * never idle inside a transaction.
     */
    static final Duration IDLE = Duration.ofSeconds(5);

    private static final Pattern RULE = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

    /** @throws IllegalArgumentException naming the value and the rule; never the password */
    public PostgresOptions {
        if (!url.startsWith("jdbc:postgresql:")) {
            throw new IllegalArgumentException(
                    "A JDBC URL of a PostgreSQL database has to start with jdbc:postgresql:, this one does not: correct"
                            + " the address");
        }
        if (schema != null && (!RULE.matcher(schema).matches() || schema.startsWith("pg_"))) {
            throw new IllegalArgumentException("\"" + schema + "\" is no name for Orderly's schema: use 1 to 63 lower"
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

    /** Options with the default {@link #CALLER_HOLD}, 30 seconds. */
    public PostgresOptions(String url, @Nullable String user, @Nullable String password, @Nullable String schema,
            int connections) {
        this(url, user, password, schema, connections, CALLER_HOLD);
    }

    /**
     * Options from an address, {@code postgres://USER:PASSWORD@HOST:PORT/DATABASE}. The parameters {@code schema},
     * {@code connections} and {@code caller-hold} (in seconds) belong to Orderly, every other parameter to the driver,
     * such as {@code sslmode=require}.
     *
     * @param url the address, or a JDBC URL, whose parameters all belong to the driver
     * @throws IllegalArgumentException if the address is malformed or a value out of bounds; the message never has the
     *     password
     */
    public static PostgresOptions at(String url) {
        return url.startsWith("jdbc:")
                ? new PostgresOptions(url, null, null, null, CONNECTIONS)
                : PostgresUrl.read(url);
    }

    public PostgresOptions withSchema(String other) {
        return new PostgresOptions(url, user, password, other, connections, callerHold);
    }

    public PostgresOptions withConnections(int other) {
        return new PostgresOptions(url, user, password, schema, other, callerHold);
    }

    public PostgresOptions withCallerHold(Duration other) {
        return new PostgresOptions(url, user, password, schema, connections, other);
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
     * Opens a connection outside the pool. Blocks; at most {@link #WAIT} to connect.
     *
     * @param silence longest wait for an answer, in whole seconds
     */
    Connection connect(Duration silence) throws SQLException {
        Properties properties = new Properties();
        if (user != null) {
            properties.setProperty("user", user);
        }
        if (password != null) {
            properties.setProperty("password", password);
        }
        properties.putAll(patience(silence));
        return DriverManager.getConnection(url, properties);
    }

    /** Address and schema, without user, password and parameters. */
    @Override
    public String toString() {
        int end = url.indexOf('?');
        String address = end < 0 ? url : url.substring(0, end);
        return address.substring("jdbc:".length()).replaceFirst("//[^/@]*@", "//") + " schema "
                + (schema == null ? SCHEMA : schema);
    }
}
