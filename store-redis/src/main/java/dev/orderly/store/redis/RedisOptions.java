package dev.orderly.store.redis;

import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * Where the server is and how it is used.
 *
 * @param url {@code redis://user:password@host:port/database}, or {@code rediss://} for TLS; everything but the host may
 *     be left out. Never logged as it is
 * @param prefix of all keys: 1 to 60 letters, digits and {@code - _ . :}. Programs that share a server and a prefix share
 *     the rooms
 */
public record RedisOptions(String url, String prefix) {
    /** The prefix unless another one is asked for. */
    public static final String PREFIX = "orderly";
    /** How long connecting may take. */
    static final Duration CONNECT = Duration.ofSeconds(5);
    /** How long an answer may take before the connection is given up. */
    static final Duration COMMAND = Duration.ofSeconds(2);

    private static final Pattern RULE = Pattern.compile("[A-Za-z0-9_.:-]{1,60}");

    /** What Lettuce makes of a host or port that is none. */
    private static final Pattern NO_HOST = Pattern.compile("|[^:]*:[^:]*");

    /** @throws IllegalArgumentException naming the rule that is broken; never the password */
    public RedisOptions {
        if (!url.startsWith("redis://") && !url.startsWith("rediss://")) {
            throw new IllegalArgumentException(
                    "The address of a Redis server starts with redis:// or rediss:// and this one does not");
        }
        if (!RULE.matcher(prefix).matches()) {
            throw new IllegalArgumentException(
                    "\"" + prefix + "\" is no prefix for Orderly's keys: use 1 to 60 letters,"
                            + " digits and any of - _ . :");
        }
        parse(url);
    }

    /** That server, with everything else as it is by default. */
    public static RedisOptions at(String url) {
        return new RedisOptions(url, PREFIX);
    }

    public RedisOptions withPrefix(String other) {
        return new RedisOptions(url, other);
    }

    /** What Lettuce connects to. */
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
            // Its message may have the password in it.
            throw new IllegalArgumentException("The address of the Redis server is not one: use"
                    + " redis://user:password@host:port/database, with what is special in a password written in hex"
                    + " as in a web address");
        }
    }

    /** Without what is secret. */
    @Override
    public String toString() {
        RedisURI uri = parse(url);
        String database = uri.getDatabase() == 0 ? "" : "/" + uri.getDatabase();
        return (uri.isSsl() ? "rediss://" : "redis://") + uri.getHost() + ":" + uri.getPort() + database + " prefix "
                + prefix;
    }
}
