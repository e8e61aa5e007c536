package dev.orderly.testkit.server;

import redis.embedded.RedisSentinel;

/**
 * One Sentinel, which promotes the replica of a Redis two seconds after that has died. Needs
 * {@code org.signal:embedded-redis} on the class path. Used by one thread at a time.
 */
public final class SentinelNode implements AutoCloseable {
    private static final String NAME = "rooms";
    private static final long DOWN_MILLIS = 2_000;

    private final int port = FreePort.find();
    private final RedisSentinel sentinel;

    private SentinelNode(RedisNode primary) {
        sentinel = RedisSentinel.builder().bind("127.0.0.1").port(port).masterName(NAME).masterPort(primary.port())
                .quorumSize(1).downAfterMilliseconds(DOWN_MILLIS).failoverTimeout(10 * DOWN_MILLIS).build();
        sentinel.start();
    }

    /** Starts one. Blocks less than a second. */
    public static SentinelNode start(RedisNode primary) {
        return new SentinelNode(primary);
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
