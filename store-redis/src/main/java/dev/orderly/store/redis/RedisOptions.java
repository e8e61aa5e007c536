package dev.orderly.store.redis;

import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Address of the server, and the prefix of its keys. Applications begin with {@link #at}.
 *
 * @param url {@code redis://user:password@host:port/database}, or {@code rediss://} for TLS; everything but the host
 *     may be left out. Never logged with its password
 * @param prefix of all keys: 1 to 60 letters, digits and {@code - _ . :}. Programs that share a server and a prefix
 *     share the rooms
 */
public record RedisOptions(String url, String prefix) {
    /** The default prefix. */
    public static final String PREFIX = "orderly";
    /** Longest time to connect. */
    static final Duration CONNECT = Duration.ofSeconds(5);
    /** Longest wait for an answer; after it the connection is closed. */
    static final Duration COMMAND = Duration.ofSeconds(2);

    private static final Pattern RULE = Pattern.compile("[A-Za-z0-9_.:-]{1,60}");

    /** Lettuce's result for a missing host or a malformed port. */
    private static final Pattern NO_HOST = Pattern.compile("|[^:]*:[^:]*");

    /** @throws IllegalArgumentException if a value breaks its rule; the message never has the password */
    public RedisOptions {
        Objects.requireNonNull(prefix, "prefix");
        if (!url.startsWith("redis://") && !url.startsWith("rediss://")) {
            throw new IllegalArgumentException(
                    "The address of a Redis server has to start with redis:// or rediss://, this one does not: correct"
                            + " it");
        }
        if (!RULE.matcher(prefix).matches()) {
            throw new IllegalArgumentException(
                    "\"" + prefix + "\" is no prefix for Orderly's keys: use 1 to 60 letters,"
                            + " digits and any of - _ . :");
        }
        parse(url);
    }

    /** A server with the default prefix. */
    public static RedisOptions at(String url) {
        return new RedisOptions(url, PREFIX);
    }

    public RedisOptions withPrefix(String other) {
        Objects.requireNonNull(other, "other");
        return new RedisOptions(url, other);
    }

    /** The address as Lettuce takes it, with a timeout and a name of the client. */
    RedisURI uri() {
        RedisURI uri = parse(url);
        uri.setTimeout(CONNECT);
        uri.setClientName("orderly");
        return uri;
    }

    private static RedisURI parse(String url) {
        try {
            RedisURI uri = RedisURI.create(url);
            if (NO_HOST.matcher(String.valueOf(uri.getHost())).matches()) {
                throw new IllegalArgumentException("no host");
            }
            return uri;
        } catch (IllegalArgumentException e) {
            // Without the cause, whose message may have the password.
            throw new IllegalArgumentException("The address of the Redis server is malformed: use"
                    + " redis://user:password@host:port/database, with special characters of the password"
                    + " percent-encoded");
        }
    }

    /** Address and prefix, without user and password. */
    @Override
    public String toString() {
        RedisURI uri = parse(url);
        String database = uri.getDatabase() == 0 ? "" : "/" + uri.getDatabase();
        return (uri.isSsl() ? "rediss://" : "redis://") + uri.getHost() + ":" + uri.getPort() + database + " prefix "
                + prefix;
    }
}
