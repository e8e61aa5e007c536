package dev.orderly.http.gateway;

import dev.orderly.flow.Quota;
import java.time.Duration;

/**
 * What forwarding may take.
 *
 * @param connect how long a request may wait for a connection to its origin, new or from the pool
 * @param head how long an origin may take to begin its answer once it has the request; less than the listener's idle time
 * @param stall how long a client may send nothing of its body, or take nothing of its answer, while that keeps a
 *     connection to its origin
 * @param webSocket how long a WebSocket may rest without a byte either way
 * @param bodyBytes of one request; more is answered 413
 * @param shares how much goes on at once
 */
public record ForwardLimits(Duration connect, Duration head, Duration stall, Duration webSocket, long bodyBytes,
        Shares shares) {
    private static final Duration LONGEST = Duration.ofHours(24);

    /** 5 s, 60 s, 20 s, 10 min, 100 MiB, {@link Shares#DEFAULT}. */
    public static final ForwardLimits DEFAULT = new ForwardLimits(Duration.ofSeconds(5), Duration.ofSeconds(60),
            Duration.ofSeconds(20), Duration.ofMinutes(10), 100L << 20, Shares.DEFAULT);

    /** @throws IllegalArgumentException naming the limit that is out of its bounds */
    public ForwardLimits {
        check("connect", connect);
        check("head", head);
        check("stall", stall);
        check("webSocket", webSocket);
        if (bodyBytes < 0) {
            throw new IllegalArgumentException("Forwarding limit bodyBytes is " + bodyBytes + ": use 0 or more");
        }
    }

    public ForwardLimits withConnect(Duration value) {
        return new ForwardLimits(value, head, stall, webSocket, bodyBytes, shares);
    }

    public ForwardLimits withHead(Duration value) {
        return new ForwardLimits(connect, value, stall, webSocket, bodyBytes, shares);
    }

    public ForwardLimits withStall(Duration value) {
        return new ForwardLimits(connect, head, value, webSocket, bodyBytes, shares);
    }

    public ForwardLimits withWebSocket(Duration value) {
        return new ForwardLimits(connect, head, stall, value, bodyBytes, shares);
    }

    public ForwardLimits withBodyBytes(long value) {
        return new ForwardLimits(connect, head, stall, webSocket, value, shares);
    }

    public ForwardLimits withShares(Shares value) {
        return new ForwardLimits(connect, head, stall, webSocket, bodyBytes, value);
    }

    private static void check(String name, Duration value) {
        if (value.toMillis() < 1 || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("Forwarding limit " + name + " is " + value + ": use 1 ms to 24 hours");
        }
    }

    /** The shares of each {@link ForwardKind} at one origin. None can take of another's. */
    public record Shares(Share pages, Share uploads, Share streams, Share tunnels) {
        /**
         * 256 connections for pages, 128 for uploads, 1,024 for event streams, 2,048 for WebSockets. A quarter of the
         * first two and an eighth of the others is the most one address may have.
         */
        public static final Shares DEFAULT = new Shares(new Share(256, 1_024, 64), new Share(128, 896, 32),
                new Share(1_024, 0, 128), new Share(2_048, 0, 256));

        Share of(ForwardKind kind) {
            return switch (kind) {
                case PAGE -> pages;
                case UPLOAD -> uploads;
                case STREAM -> streams;
                case TUNNEL -> tunnels;
            };
        }

        public Shares withPages(Share value) {
            return new Shares(value, uploads, streams, tunnels);
        }

        public Shares withUploads(Share value) {
            return new Shares(pages, value, streams, tunnels);
        }

        public Shares withStreams(Share value) {
            return new Shares(pages, uploads, value, tunnels);
        }

        public Shares withTunnels(Share value) {
            return new Shares(pages, uploads, streams, value);
        }
    }

    /**
     * What goes on at once; beyond it requests are answered 503, or 429 where one address has all it may have.
     *
     * @param connections to the origin
     * @param waiting requests that wait for one of them
     * @param perAddress requests of one address, whether they have a connection or wait for it
     */
    public record Share(int connections, int waiting, int perAddress) {
        /** @throws IllegalArgumentException naming the bound that is out of its bounds */
        public Share {
            if (connections < 1 || waiting < 0 || perAddress < 1) {
                throw new IllegalArgumentException("A forwarding share is " + connections + " connections, " + waiting
                        + " waiting, " + perAddress + " an address: use 1 or more, and 0 or more that wait");
            }
        }

        Quota.Limit limit() {
            return new Quota.Limit(Math.addExact(connections, waiting), perAddress);
        }
    }
}
