package dev.orderly.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Upper bounds of the edge for each kind of client. A null value is derived from the heap and the available file
 * handles.
 *
 * @param connections client connections at once
 * @param connectionsPerAddress connections of one address
 * @param waitingStreams event streams of waiting visitors
 * @param waitingStreamsPerAddress event streams of waiting visitors of one address
 * @param streamsPerTicket event streams of one ticket
 * @param live connections of users, and event streams of their jobs
 * @param origin connections to each origin
 * @param pushes requests on routes at once
 * @param addressShare share of the requests of each kind that one address may have, 0 to 1
 * @param bodies bytes of bodies in memory at once
 */
public record EdgeLimits(@Nullable Integer connections, @Nullable Integer connectionsPerAddress,
        @Nullable Integer waitingStreams, @Nullable Integer waitingStreamsPerAddress, int streamsPerTicket,
        @Nullable Integer live, OriginLimits origin, int pushes, double addressShare, @Nullable Long bodies) {
    /** The limits of a file without {@code limits}. */
    public static final EdgeLimits DEFAULT = new EdgeLimits(null, null, null, null, 4, null,
            new OriginLimits(null, null, null, null, Duration.ofSeconds(20)), 1_024, 0.25, null);

    /**
     * Connections to one origin.
     *
     * @param pages for requests without a body, or with a small body
     * @param uploads for requests with a large body
     * @param streams for event streams
     * @param webSockets tunnelled WebSockets
     * @param stall time for which a client with a connection may neither send nor read
     */
    public record OriginLimits(@Nullable Integer pages, @Nullable Integer uploads, @Nullable Integer streams,
            @Nullable Integer webSockets, Duration stall) {}
}
