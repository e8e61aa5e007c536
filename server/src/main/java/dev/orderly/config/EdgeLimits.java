package dev.orderly.config;

import dev.orderly.config.EdgeLimits.OriginLimits;
import dev.orderly.config.schema.CheckedSection;
import dev.orderly.config.schema.KeySpec;
import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.KeySpec.Group;
import dev.orderly.config.schema.RoomValueTypes;
import dev.orderly.config.schema.UnitText;
import dev.orderly.config.schema.ValueTypes;
import java.time.Duration;
import java.util.List;
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

    static final KeySpec.Key<Long> CONNECTIONS = new KeySpec.Key<>("connections",
            ValueTypes.count(16, 1_000_000, "20000"),
            new Absent.Depends("one per 40 KiB of heap, at most 100000 and at most half of the file handles"),
            "Client connections at once. At the limit an idle connection is closed for a new one, those of waiting"
                    + " visitors first.");
    static final KeySpec.Key<Long> PER_ADDRESS = new KeySpec.Key<>("connections-per-address",
            ValueTypes.count(4, 1_000_000, "2000"), new Absent.Depends("a tenth of `connections`, at least 100"),
            "Connections of one address, an IPv6 /64 counting as one. Those of `trusted-proxies` do not count.");
    static final KeySpec.Key<Long> WAITING = new KeySpec.Key<>("waiting-streams",
            ValueTypes.count(0, 1_000_000, "10000"),
            new Absent.Depends("half of `connections`"),
            "Event streams of waiting visitors. Beyond the limit a visitor's page polls instead.");
    static final KeySpec.Key<Long> WAITING_PER_ADDRESS = new KeySpec.Key<>("waiting-streams-per-address",
            ValueTypes.count(0, 1_000_000, "1000"), new Absent.Depends("a tenth of `waiting-streams`, at least 50"),
            "Event streams of waiting visitors of one address.");
    static final KeySpec.Key<Long> PER_TICKET = new KeySpec.Key<>("streams-per-ticket",
            ValueTypes.count(1, 100, "4"),
            new Absent.Means(Integer.toString(DEFAULT.streamsPerTicket())),
            "Event streams of one ticket, that is, tabs of one visitor.");
    static final KeySpec.Key<Long> LIVE = new KeySpec.Key<>("live-connections",
            ValueTypes.count(1, 1_000_000, "4000"),
            new Absent.Depends("a fifth of `connections`"),
            "Live connections of users, and as many event streams of their jobs again.");
    static final KeySpec.Key<Long> PAGES = new KeySpec.Key<>("pages", ValueTypes.count(1, 100_000, "256"),
            new Absent.Depends("256, or half of `connections`"),
            "Connections to each origin for pages: requests without a body, or with a body of at most 64 KiB, which is"
                    + " received whole first. Four times as many requests may wait for a connection.");
    static final KeySpec.Key<Long> UPLOADS = new KeySpec.Key<>("uploads", ValueTypes.count(1, 100_000, "128"),
            new Absent.Depends("128, or a quarter of `connections`"), "Connections to each origin for larger bodies.");
    static final KeySpec.Key<Long> STREAMS = new KeySpec.Key<>("streams", ValueTypes.count(1, 100_000, "1024"),
            new Absent.Depends("1024, or a tenth of `connections`"),
            "Connections to each origin for its event streams.");
    static final KeySpec.Key<Long> WEB_SOCKETS = new KeySpec.Key<>("websockets",
            ValueTypes.count(1, 100_000, "2048"),
            new Absent.Depends("2048, or a tenth of `connections`"), "WebSockets carried to each origin.");
    static final KeySpec.Key<Duration> STALL = new KeySpec.Key<>("stall", ValueTypes.duration("1s", "1h", "20s"),
            new Absent.Means(UnitText.text(DEFAULT.origin().stall())),
            "How long a client with a connection to an origin may neither send more of its body nor read more of its"
                    + " answer.");
    static final KeySpec.Key<Long> PUSHES = new KeySpec.Key<>("pushes", ValueTypes.count(1, 100_000, "1024"),
            new Absent.Means(Integer.toString(DEFAULT.pushes())), "Requests on `routes` at once.");
    static final KeySpec.Key<Double> ADDRESS_SHARE = new KeySpec.Key<>("address-share",
            RoomValueTypes.share("25%"),
            new Absent.Means(UnitText.shareText(DEFAULT.addressShare())),
            "The share of `pages`, `uploads`, `streams`, `websockets` and `pushes` that one address may take.");
    static final KeySpec.Key<Long> BODIES = new KeySpec.Key<>("bodies",
            ValueTypes.size("1MiB", "1024GiB", "64MiB"),
            new Absent.Depends("a 24th of the heap"),
            "Memory for bodies in transit. A body beyond it is answered 503; the API has as much again.");
    public static final Group LIMITS = new Group("limits",
            List.of(CONNECTIONS, PER_ADDRESS, WAITING, WAITING_PER_ADDRESS,
                    PER_TICKET, LIVE, PAGES, UPLOADS, STREAMS, WEB_SOCKETS, STALL, PUSHES, ADDRESS_SHARE, BODIES),
            "Upper bounds for clients. No kind of request can take another kind's share, and no address a whole share."
                    + " A request beyond a limit is answered at once: 429 if its address is at its limit, otherwise"
                    + " 503. The log names the limits at start.");

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

    static EdgeLimits read(CheckedSection at) {
        Integer connections = count(at, CONNECTIONS);
        for (KeySpec.Key<Long> part : List.of(PER_ADDRESS, WAITING, LIVE)) {
            checkPart(at, part, connections);
        }
        OriginLimits origin = new OriginLimits(count(at, PAGES), count(at, UPLOADS),
                count(at, STREAMS), count(at, WEB_SOCKETS),
                at.value(STALL).orElse(DEFAULT.origin().stall()));
        Integer pushes = count(at, PUSHES);
        Integer perTicket = count(at, PER_TICKET);
        return new EdgeLimits(connections, count(at, PER_ADDRESS), count(at, WAITING),
                count(at, WAITING_PER_ADDRESS), perTicket == null ? DEFAULT.streamsPerTicket() : perTicket,
                count(at, LIVE), origin, pushes == null ? DEFAULT.pushes() : pushes,
                at.value(ADDRESS_SHARE).orElse(DEFAULT.addressShare()),
                at.value(BODIES).orElse(null));
    }

    /** Checks that a limit for some clients leaves a tenth of the connections to others. */
    private static void checkPart(CheckedSection at, KeySpec.Key<Long> part, @Nullable Integer connections) {
        Integer given = count(at, part);
        if (given != null && connections != null && given > connections / 10 * 9) {
            at.report(part, "It leaves other clients less than a tenth of the " + connections
                    + " connections", "set it to " + connections / 10 * 9 + " at most, or raise connections");
        }
    }

    private static @Nullable Integer count(CheckedSection at, KeySpec.Key<Long> key) {
        return at.value(key).map(Math::toIntExact).orElse(null);
    }
}
