package dev.orderly.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How much of the edge each kind of client may take. What is null follows from the heap and the file handles there are.
 *
 * @param connections of clients at once
 * @param connectionsPerAddress of them
 * @param waitingStreams event streams of visitors who wait
 * @param waitingStreamsPerAddress of them
 * @param streamsPerTicket event streams of one place in line
 * @param live connections of users, and event streams of their jobs
 * @param origin what goes on at once with each origin
 * @param pushes requests on routes at once
 * @param addressShare of the requests of each kind that one address may have, 0 to 1
 * @param bodies bytes of bodies that are held at once
 */
public record EdgeLimits(@Nullable Integer connections, @Nullable Integer connectionsPerAddress,
        @Nullable Integer waitingStreams, @Nullable Integer waitingStreamsPerAddress, int streamsPerTicket,
        @Nullable Integer live, OriginLimits origin, int pushes, double addressShare, @Nullable Long bodies) {
    /** What the file means without a word about limits. */
    public static final EdgeLimits DEFAULT = new EdgeLimits(null, null, null, null, 4, null,
            new OriginLimits(null, null, null, null, Duration.ofSeconds(20)), 1_024, 0.25, null);

    /**
     * Connections to one origin.
     *
     * @param pages for requests without a body, or with a small one
     * @param uploads for requests with a large body
     * @param streams for event streams
     * @param webSockets tunnelled to it
     * @param stall how long a client may neither send nor read while it keeps one
     */
    public record OriginLimits(@Nullable Integer pages, @Nullable Integer uploads, @Nullable Integer streams,
            @Nullable Integer webSockets, Duration stall) {}
}
