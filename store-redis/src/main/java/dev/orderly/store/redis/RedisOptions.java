package dev.orderly.store.redis;

import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Address of the server, and the prefix of its keys. Applications begin with {@link #at}.
 *
 * @param url {@code redis://user:password@host:port/database}, or {@code rediss://} for TLS; everything but the host
 *     may be left out. {@code redis-sentinel://user:password@host:port,host:port/database#name} (or {@code
 *     rediss-sentinel://}) asks these Sentinels for the primary of that name; user and password are those of the
 *     servers. With {@code ?replicas=1} a place, a pass or another change that was promised to somebody is answered
 *     once so many replicas have it. Never logged with its password
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

    private static final Pattern SCHEME = Pattern.compile("rediss?(-sentinel)?://");
    private static final Pattern REPLICAS = Pattern.compile("[?&]replicas=([^&#]*)");

    /** Lettuce's result for a missing host or a malformed port. */
    private static final Pattern NO_HOST = Pattern.compile("|[^:]*:[^:]*");

    /** @throws IllegalArgumentException if a value breaks its rule; the message never has the password */
    public RedisOptions {
        Objects.requireNonNull(url, "url");
        Objects.requireNonNull(prefix, "prefix");
        if (!SCHEME.matcher(url).lookingAt()) {
            throw new IllegalArgumentException("The address of a Redis server has to start with redis://, rediss://,"
                    + " redis-sentinel:// or rediss-sentinel://, this one does not: correct it");
        }
        if (!RULE.matcher(prefix).matches()) {
            throw new IllegalArgumentException(
                    "\"" + prefix + "\" is no prefix for Orderly's keys: use 1 to 60 letters,"
                            + " digits and any of - _ . :");
        }
        if (REPLICAS.matcher(url).find() && replicas(url) == 0) {
            throw new IllegalArgumentException("replicas in the address of a Redis server is not a number of replicas"
                    + " that have a change before it is answered: use 1 to 9");
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

    /** The number of replicas that have a promised change before it is answered; 0 without any. */
    int replicas() {
        return replicas(url);
    }

    private static int replicas(String url) {
        Matcher given = REPLICAS.matcher(url);
        return given.find() && given.group(1).matches("[1-9]") ? Integer.parseInt(given.group(1)) : 0;
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
            boolean named = uri.getSentinels().isEmpty()
                    ? !NO_HOST.matcher(String.valueOf(uri.getHost())).matches()
                    : uri.getSentinelMasterId() != null && !uri.getSentinelMasterId().isEmpty();
            if (!named) {
                throw new IllegalArgumentException("no host, or no name of a primary");
            }
            return uri;
        } catch (IllegalArgumentException e) {
            // Without the cause, whose message may have the password.
            throw new IllegalArgumentException("The address of the Redis server is malformed: use"
                    + " redis://user:password@host:port/database, or"
                    + " redis-sentinel://user:password@host:port,host:port/database#name with the name of the primary,"
                    + " with special characters of the password percent-encoded");
        }
    }

    /** Address and prefix, without user and password. */
    @Override
    public String toString() {
        RedisURI uri = parse(url);
        String database = uri.getDatabase() == 0 ? "" : "/" + uri.getDatabase();
        String address = uri.getSentinels().isEmpty()
                ? "://" + server(uri) + database
                : "-sentinel://" + uri.getSentinels().stream().map(RedisOptions::server)
                        .collect(Collectors.joining(",")) + database + "#" + uri.getSentinelMasterId();
        return (uri.isSsl() ? "rediss" : "redis") + address + " prefix " + prefix;
    }

    private static String server(RedisURI uri) {
        return uri.getHost() + ":" + uri.getPort();
    }
}
