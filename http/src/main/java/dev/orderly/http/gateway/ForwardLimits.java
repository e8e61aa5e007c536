package dev.orderly.http.gateway;

import java.time.Duration;

/**
 * What forwarding may take.
 *
 * @param connect how long a request may wait for a connection to its origin, new or from the pool
 * @param head how long an origin may take to begin its answer once it has the request; less than the listener's idle time
 * @param webSocket how long a WebSocket may rest without a byte either way
 * @param bodyBytes of one request; more is answered 413
 * @param pool how much goes on at once
 */
public record ForwardLimits(Duration connect, Duration head, Duration webSocket, long bodyBytes, Pool pool) {
    private static final Duration LONGEST = Duration.ofHours(24);

    /** 5 s, 60 s, 10 min, 100 MiB, {@link Pool#DEFAULT}. */
    public static final ForwardLimits DEFAULT = new ForwardLimits(Duration.ofSeconds(5), Duration.ofSeconds(60),
            Duration.ofMinutes(10), 100L << 20, Pool.DEFAULT);

    /** @throws IllegalArgumentException naming the limit that is out of its bounds */
    public ForwardLimits {
        check("connect", connect);
        check("head", head);
        check("webSocket", webSocket);
        if (bodyBytes < 0) {
            throw new IllegalArgumentException("Forwarding limit bodyBytes is " + bodyBytes + ": use 0 or more");
        }
    }

    public ForwardLimits withConnect(Duration value) {
        return new ForwardLimits(value, head, webSocket, bodyBytes, pool);
    }

    public ForwardLimits withHead(Duration value) {
        return new ForwardLimits(connect, value, webSocket, bodyBytes, pool);
    }

    public ForwardLimits withWebSocket(Duration value) {
        return new ForwardLimits(connect, head, value, bodyBytes, pool);
    }

    public ForwardLimits withBodyBytes(long value) {
        return new ForwardLimits(connect, head, webSocket, value, pool);
    }

    public ForwardLimits withPool(Pool value) {
        return new ForwardLimits(connect, head, webSocket, bodyBytes, value);
    }

    private static void check(String name, Duration value) {
        if (value.toMillis() < 1 || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("Forwarding limit " + name + " is " + value + ": use 1 ms to 24 hours");
        }
    }

    /**
     * What goes on at once; beyond it requests are answered 503.
     *
     * @param connections to one origin
     * @param waiting requests that wait for one of them
     * @param webSockets tunnelled, over all origins
     */
    public record Pool(int connections, int waiting, int webSockets) {
        /** 256 connections, 1,024 waiting, 2,048 WebSockets. */
        public static final Pool DEFAULT = new Pool(256, 1_024, 2_048);

        /** @throws IllegalArgumentException naming the bound that is out of its bounds */
        public Pool {
            if (connections < 1 || waiting < 0 || webSockets < 0) {
                throw new IllegalArgumentException("Forwarding pool is " + connections + " connections, " + waiting
                        + " waiting, " + webSockets + " WebSockets: use 1 connection or more, 0 or more of the others");
            }
        }
    }
}
