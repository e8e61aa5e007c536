package dev.orderly.http.listener;

import dev.orderly.flow.Quota;
import dev.orderly.text.DurationText;
import java.time.Duration;

/**
 * The limits of a listener for its clients. A client beyond them is refused or disconnected, whatever its intent.
 *
 * @param head longest time from opening a connection to its first complete request head
 * @param body longest time for a request's body
 * @param answer longest time from the complete request to its answer, then 503; less than {@code idle}
 * @param idle longest time between an answer and the next complete head, or during an exchange without a byte either
 *     way
 * @param stop longest time that {@code close} waits for pending requests
 * @param capacity bounds on concurrent work
 */
public record HttpLimits(Duration head, Duration body, Duration answer, Duration idle, Duration stop,
        Capacity capacity) {
    // Before the default, whose constructor checks against it.
    private static final Duration LONGEST = Duration.ofHours(1);

    /** 10 s, 30 s, 30 s, 75 s, 10 s, {@link Capacity#DEFAULT}. */
    public static final HttpLimits DEFAULT = new HttpLimits(Duration.ofSeconds(10), Duration.ofSeconds(30),
            Duration.ofSeconds(30), Duration.ofSeconds(75), Duration.ofSeconds(10), Capacity.DEFAULT);

    /** @throws IllegalArgumentException naming the limit that is not 1 ms to 1 hour */
    public HttpLimits {
        check("head", head);
        check("body", body);
        check("answer", answer);
        check("idle", idle);
        check("stop", stop);
        if (answer.compareTo(idle) >= 0) {
            throw new IllegalArgumentException("HTTP limit answer is " + DurationText.of(answer) + " and idle is "
                    + DurationText.of(idle)
                    + ": use an answer limit shorter than idle, or the connection is closed before its answer");
        }
    }

    public HttpLimits withHead(Duration value) {
        return new HttpLimits(value, body, answer, idle, stop, capacity);
    }

    public HttpLimits withBody(Duration value) {
        return new HttpLimits(head, value, answer, idle, stop, capacity);
    }

    public HttpLimits withAnswer(Duration value) {
        return new HttpLimits(head, body, value, idle, stop, capacity);
    }

    public HttpLimits withIdle(Duration value) {
        return new HttpLimits(head, body, answer, value, stop, capacity);
    }

    public HttpLimits withStop(Duration value) {
        return new HttpLimits(head, body, answer, idle, value, capacity);
    }

    public HttpLimits withCapacity(Capacity value) {
        return new HttpLimits(head, body, answer, idle, stop, value);
    }

    private static void check(String name, Duration value) {
        if (value.toMillis() < 1 || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "HTTP limit " + name + " is " + DurationText.of(value) + ": use 1 ms to 1 hour");
        }
    }

    /**
     * The bounds that protect memory and processor. Beyond them new work is answered 503, or 429 if one address has
     * used its share. Bounds hold for all event loops together.
     *
     * @param connections open at once; beyond them, idle connections are closed for new ones
     * @param requests pending at once, besides pushes and streams
     * @param pushes pending requests whose bodies are collected here
     * @param bodyBytes held at once by all pending requests
     * @param headBytes all headers of one request; larger ones are answered 431
     * @param lineBytes a request line; a longer one is answered 414
     * @param eventLoops threads that read, answer from memory and write; each connection belongs to one of them
     */
    public record Capacity(Quota.Limit connections, int requests, Quota.Limit pushes, long bodyBytes, int headBytes,
            int lineBytes, int eventLoops) {
        /**
         * 10,000 connections, 4,096 requests, 1,024 pushes, 128 MiB, 16 KiB, 8 KiB; one address may use everything. As
         * many event loops as cores.
         */
        public static final Capacity DEFAULT = new Capacity(10_000, 4_096, 128 << 20, 16 << 10, 8 << 10);

        /** @throws IllegalArgumentException naming the bound that is not 1 or more */
        public Capacity {
            check("connections", Math.min(connections.total(), connections.each()));
            check("requests", requests);
            check("pushes", Math.min(pushes.total(), pushes.each()));
            check("bodyBytes", bodyBytes);
            check("headBytes", headBytes);
            check("lineBytes", lineBytes);
            check("eventLoops", eventLoops);
        }

        /** Bounds without shares: one address may use everything. As many event loops as cores. */
        public Capacity(int connections, int requests, long bodyBytes, int headBytes, int lineBytes) {
            this(Quota.Limit.of(connections), requests, Quota.Limit.of(Math.min(requests, 1_024)), bodyBytes,
                    headBytes, lineBytes, Runtime.getRuntime().availableProcessors());
        }

        public Capacity withConnections(Quota.Limit value) {
            return new Capacity(value, requests, pushes, bodyBytes, headBytes, lineBytes, eventLoops);
        }

        public Capacity withPushes(Quota.Limit value) {
            return new Capacity(connections, requests, value, bodyBytes, headBytes, lineBytes, eventLoops);
        }

        public Capacity withBodyBytes(long value) {
            return new Capacity(connections, requests, pushes, value, headBytes, lineBytes, eventLoops);
        }

        public Capacity withEventLoops(int value) {
            return new Capacity(connections, requests, pushes, bodyBytes, headBytes, lineBytes, value);
        }

        private static void check(String name, long value) {
            if (value < 1) {
                throw new IllegalArgumentException("HTTP capacity " + name + " is " + value + ": use 1 or more");
            }
        }
    }
}
