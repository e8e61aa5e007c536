package dev.orderly.testkit.server;

import redis.embedded.RedisSentinel;
import redis.embedded.RedisSentinelBuilder;

/**
 * One Sentinel, which promotes the replica of a Redis two seconds after that has died. Needs
 * {@code org.signal:embedded-redis} on the class path. Used by one thread at a time.
 */
public final class SentinelNode implements AutoCloseable {
    private static final String NAME = "rooms";
    private static final long DOWN_MILLIS = 2_000;

    private final int port = FreePort.find();
    private final RedisSentinel sentinel;

    private SentinelNode(RedisNode primary, String... settings) {
        RedisSentinelBuilder builder = RedisSentinel.builder().bind("127.0.0.1").port(port).masterName(NAME)
                .masterPort(primary.port()).quorumSize(1).downAfterMilliseconds(DOWN_MILLIS)
                .failoverTimeout(10 * DOWN_MILLIS);
        builder.addDefaultReplicationGroup();
        for (String setting : settings) {
            builder.setting(setting);
        }
        sentinel = builder.build();
        sentinel.start();
    }

    /**
     * Starts one. Blocks less than a second.
     *
     * @param settings lines of its configuration
     */
    public static SentinelNode start(RedisNode primary, String... settings) {
        return new SentinelNode(primary, settings);
    }

    public int port() {
        return port;
    }

    /** The URL for clients and the configuration. */
    public String url() {
        return "redis-sentinel://127.0.0.1:" + port + "#" + NAME;
    }

    /** The URL with parameters, such as {@code replicas=1}. */
    public String url(String params) {
        return "redis-sentinel://127.0.0.1:" + port + "?" + params + "#" + NAME;
    }

    @Override
    public void close() {
        sentinel.stop();
    }
}
