package dev.orderly.store.redis;

import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
 *     servers, {@code ?sentinel-password=} is that of the Sentinels.
 *     {@code redis-cluster://user:password@host:port,host:port} (or {@code rediss-cluster://}) is a cluster, of
 *     which one of these servers has to answer at the start. With {@code ?replicas=1} a place, a pass or another
 *     change that was promised to somebody is answered once so many replicas have it. Never logged with its password
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

    private static final Pattern SCHEME = Pattern.compile("rediss?(-sentinel|-cluster)?://");
    private static final Pattern CLUSTER = Pattern.compile(
            "(?<scheme>rediss?)-cluster://(?<user>[^@/?#]*@)?(?<servers>[^@/?#]+)/?(?<params>\\?[^#]*)?");
    private static final String REPLICAS = "replicas";
    private static final String SENTINEL_PASSWORD = "sentinel-password";
    /** The parameters that Lettuce reads. Lettuce ignores any other, so that nobody would learn of a misspelt one. */
    private static final List<String> OF_CLIENT = List.of("timeout", "database", "db", "sentinelMasterId", "clientName",
            "libraryName", "libraryVersion", "verifyPeer");

    /** Lettuce's result for a missing host or a malformed port. */
    private static final Pattern NO_HOST = Pattern.compile("|[^:]*:[^:]*");

    /** @throws IllegalArgumentException if a value breaks its rule; the message never has the password */
    public RedisOptions {
        Objects.requireNonNull(url, "url");
        Objects.requireNonNull(prefix, "prefix");
        if (!SCHEME.matcher(url).lookingAt()) {
            throw new IllegalArgumentException("The address of a Redis server has to start with redis:// or"
                    + " rediss://, redis-sentinel:// or redis-cluster://, this one does not: correct it");
        }
        if (!RULE.matcher(prefix).matches()) {
            throw new IllegalArgumentException(
                    "\"" + prefix + "\" is no prefix for Orderly's keys: use 1 to 60 letters,"
                            + " digits and any of - _ . :");
        }
        Map<String, String> params = params(url);
        if (params.containsKey(REPLICAS) && replicas(params) == 0) {
            throw new IllegalArgumentException("replicas in the address of a Redis server is not a number of replicas"
                    + " that have a change before it is answered: use 1 to 9");
        }
        parse(url);
        params.keySet().forEach(RedisOptions::checkParam);
    }

    private static void checkParam(String name) {
        if (!name.equals(REPLICAS) && !name.equals(SENTINEL_PASSWORD)
                && OF_CLIENT.stream().noneMatch(name::equalsIgnoreCase)) {
            throw new IllegalArgumentException("\"" + name + "\" in the address of a Redis server is no parameter: use "
                    + REPLICAS + ", " + SENTINEL_PASSWORD + ", " + String.join(", ", OF_CLIENT));
        }
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
        return replicas(params(url));
    }

    private static int replicas(Map<String, String> params) {
        String given = params.getOrDefault(REPLICAS, "");
        return given.matches("[1-9]") ? Integer.parseInt(given) : 0;
    }

    /** The parameters behind user and password, each with its values. */
    private static Map<String, String> params(String url) {
        int from = url.indexOf('?', url.lastIndexOf('@') + 1);
        String params = from < 0 ? "" : url.substring(from + 1).replaceFirst("#.*", "");
        return Arrays.stream(params.split("&")).filter(param -> !param.isEmpty())
                .collect(Collectors.toMap(param -> param.replaceFirst("=.*", ""),
                        param -> param.replaceFirst("[^=]*=?", ""), (one, other) -> one + "," + other,
                        LinkedHashMap::new));
    }

    boolean isCluster() {
        return isCluster(url);
    }

    private static boolean isCluster(String url) {
        return url.startsWith("redis-cluster:") || url.startsWith("rediss-cluster:");
    }

    /** The addresses as Lettuce takes them, with a timeout and a name of the client; several for a cluster. */
    List<RedisURI> uris() {
        List<RedisURI> uris = parse(url);
        uris.forEach(uri -> {
            uri.setTimeout(CONNECT);
            uri.setClientName("orderly");
        });
        return uris;
    }

    /** A cluster has no databases. */
    private static List<RedisURI> parse(String url) {
        if (!isCluster(url)) {
            return List.of(server(url));
        }
        Matcher cluster = CLUSTER.matcher(url);
        if (!cluster.matches()) {
            throw malformed();
        }
        return Arrays.stream(cluster.group("servers").split(",", -1)).map(server -> server(cluster.group("scheme")
                + "://" + Objects.requireNonNullElse(cluster.group("user"), "") + server
                + Objects.requireNonNullElse(cluster.group("params"), ""))).toList();
    }

    private static RedisURI server(String url) {
        try {
            RedisURI uri = RedisURI.create(url);
            String password = params(url).get(SENTINEL_PASSWORD);
            if (password != null) {
                char[] decoded = URLDecoder.decode(password, StandardCharsets.UTF_8).toCharArray();
                uri.getSentinels()
                        .forEach(each -> each.setCredentialsProvider(new StaticCredentialsProvider(null, decoded)));
            }
            boolean named = uri.getSentinels().isEmpty()
                    ? !NO_HOST.matcher(String.valueOf(uri.getHost())).matches()
                    : uri.getSentinelMasterId() != null && !uri.getSentinelMasterId().isEmpty();
            if (!named) {
                throw new IllegalArgumentException("no host, or no name of a primary");
            }
            return uri;
        } catch (IllegalArgumentException e) {
            // Without the cause, whose message may have the password.
            throw malformed();
        }
    }

    private static IllegalArgumentException malformed() {
        return new IllegalArgumentException("The address of the Redis server is malformed: use"
                + " redis://user:password@host:port/database, or"
                + " redis-sentinel://user:password@host:port,host:port/database#name with the name of the primary, or"
                + " redis-cluster://user:password@host:port,host:port, with special characters of the password"
                + " percent-encoded");
    }

    /** Address and prefix, without user and password. */
    @Override
    public String toString() {
        List<RedisURI> uris = parse(url);
        RedisURI uri = uris.getFirst();
        String scheme = uri.isSsl() ? "rediss" : "redis";
        String database = uri.getDatabase() == 0 ? "" : "/" + uri.getDatabase();
        String address = isCluster()
                ? scheme + "-cluster://" + servers(uris)
                : uri.getSentinels().isEmpty()
                        ? scheme + "://" + servers(uris) + database
                        : scheme + "-sentinel://" + servers(uri.getSentinels()) + database + "#"
                                + uri.getSentinelMasterId();
        return address + " prefix " + prefix;
    }

    private static String servers(List<RedisURI> uris) {
        return uris.stream().map(uri -> uri.getHost() + ":" + uri.getPort()).collect(Collectors.joining(","));
    }
}
