package dev.orderly.http.gateway;

import dev.orderly.flow.Quota;
import dev.orderly.text.DurationText;
import java.time.Duration;

/**
 * The limits of forwarding.
 *
 * @param connect the maximum wait for a connection to the origin, new or from the pool
 * @param head the maximum time from the complete request to the beginning of the origin's answer; less than the
 *   listener's idle time
 * @param stall the maximum pause of a client that sends its body, or reads its answer, while it occupies a connection
 *   to the origin
 * @param webSocket the maximum time of a WebSocket without a byte in either direction
 * @param bodyBytes the maximum body of one request; a larger body is answered 413
 * @param shares the limits on concurrent requests
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
            throw new IllegalArgumentException(
                    "Forwarding limit " + name + " is " + DurationText.of(value) + ": use 1 ms to 24 hours");
        }
    }

    /** The shares of each {@link ForwardKind} at one origin. No kind can use another's share. */
    public record Shares(Share pages, Share uploads, Share streams, Share tunnels) {
        /**
         * 256 connections for pages, 128 for uploads, 1,024 for event streams, 2,048 for WebSockets. One address may
         * have at most a quarter of the first two and an eighth of the others.
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
     * Limits on concurrent requests; beyond them requests are answered 503, or 429 if the limit of the address is
     * reached.
     *
     * @param connections to the origin
     * @param waiting requests that wait for a connection
     * @param perAddress requests of one address, with or without a connection
     */
    public record Share(int connections, int waiting, int perAddress) {
        /** @throws IllegalArgumentException naming the bound that is out of its bounds */
        public Share {
            if (connections < 1 || waiting < 0 || perAddress < 1) {
                throw new IllegalArgumentException("A forwarding share is " + connections + " connections, " + waiting
                        + " waiting, " + perAddress + " an address: use 1 or more, and 0 or more waiting");
            }
        }

        Quota.Limit limit() {
            return new Quota.Limit(Math.addExact(connections, waiting), perAddress);
        }
    }
}
