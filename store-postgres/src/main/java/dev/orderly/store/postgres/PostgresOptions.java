package dev.orderly.store.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where the database is and how it is used.
 *
 * @param url a JDBC URL: {@code jdbc:postgresql://host:port/database}
 * @param user null to leave it to the URL or the driver
 * @param password null to leave it to the URL or the driver; never logged
 * @param schema holds all of Orderly's tables and nothing else; made when it is not there
 * @param connections 1 or more: the most this node opens; callers beyond wait up to {@link #WAIT}
 * @param callerHold 1 second to 1 hour: how long a {@link CallersTransaction} may be idle, and from PostgreSQL 17 on go on
 *     at all if it holds a group, before the server ends it
 */
public record PostgresOptions(String url, @Nullable String user, @Nullable String password, String schema,
        int connections, Duration callerHold) {
    /** The schema unless another one is asked for. */
    public static final String SCHEMA = "orderly";
    /** How many connections a node opens unless told otherwise. */
    public static final int CONNECTIONS = 10;
    /** How long a caller's transaction may hold what it pushed or completed unless told otherwise. */
    public static final Duration CALLER_HOLD = Duration.ofSeconds(30);
    /** How long a caller waits for a connection. */
    static final Duration WAIT = Duration.ofSeconds(5);
    /** How long a statement may take before the server ends it. */
    static final Duration STATEMENT = Duration.ofSeconds(10);
    /**
     * How long the server lets a node do nothing inside a transaction. A node that is stopped there holds its locks so long,
     * and with them the pushes into those groups; one that runs never waits there.
     */
    static final Duration IDLE = Duration.ofSeconds(5);

    private static final Pattern RULE = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

    /** @throws IllegalArgumentException naming the value and the rule; never the password */
    public PostgresOptions {
        if (!url.startsWith("jdbc:postgresql:")) {
            throw new IllegalArgumentException(
                    "The address of a PostgreSQL database starts with jdbc:postgresql: and this one does not");
        }
        if (!RULE.matcher(schema).matches() || schema.startsWith("pg_")) {
            throw new IllegalArgumentException("\"" + schema + "\" is no name for Orderly's schema: use 1 to 63 lower"
                    + " case letters, digits and '_', starting with a letter and not with pg_");
        }
        if (connections < 1) {
            throw new IllegalArgumentException(connections + " connections to PostgreSQL: use 1 or more");
        }
        if (callerHold.compareTo(Duration.ofSeconds(1)) < 0 || callerHold.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException(
                    "A caller's transaction may hold a group for " + callerHold + ": use 1 second to 1 hour");
        }
    }

    /** With a {@link #CALLER_HOLD} of 30 seconds. */
    public PostgresOptions(String url, @Nullable String user, @Nullable String password, String schema,
            int connections) {
        this(url, user, password, schema, connections, CALLER_HOLD);
    }

    /**
     * The database of an address, {@code postgres://USER:PASSWORD@HOST:PORT/DATABASE}. {@code ?schema=}, {@code
     * &connections=} and {@code &caller-hold=} (in seconds) are Orderly's, every other parameter is the driver's, such as
     * {@code sslmode=require}.
     *
     * @param url may also be a JDBC URL, for those who have one already
     * @throws IllegalArgumentException if it is none; never naming the password
     */
    public static PostgresOptions at(String url) {
        return url.startsWith("jdbc:")
                ? new PostgresOptions(url, null, null, SCHEMA, CONNECTIONS)
                : PostgresUrl.read(url);
    }

    public PostgresOptions withSchema(String other) {
        return new PostgresOptions(url, user, password, other, connections, callerHold);
    }

    public PostgresOptions withCallerHold(Duration other) {
        return new PostgresOptions(url, user, password, schema, connections, other);
    }

    /**
     * How long the driver waits, as properties of a connection: texts, since it passes over numbers in silence.
     *
     * @param silence for an answer, in whole seconds
     */
    Map<String, String> patience(Duration silence) {
        return Map.of("tcpKeepAlive", "true", "connectTimeout", String.valueOf(WAIT.toSeconds()), "socketTimeout",
                String.valueOf(silence.toSeconds()));
    }

    /**
     * A connection beside the pool. Blocks, at most {@link #WAIT} for the connection itself.
     *
     * @param silence for which an answer may keep the driver waiting, in whole seconds
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

    /** Without what might be secret. */
    @Override
    public String toString() {
        int end = url.indexOf('?');
        String address = end < 0 ? url : url.substring(0, end);
        return address.substring("jdbc:".length()).replaceFirst("//[^/@]*@", "//") + " schema " + schema;
    }
}
