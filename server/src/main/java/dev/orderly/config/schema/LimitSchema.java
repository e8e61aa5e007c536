package dev.orderly.config.schema;

import dev.orderly.config.EdgeLimits;
import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.KeySpec.Group;
import java.time.Duration;
import java.util.List;

/** The keys of the edge's limits. */
public final class LimitSchema {
    private static final EdgeLimits DEFAULT = EdgeLimits.DEFAULT;

    public static final KeySpec.Key<Long> CONNECTIONS = new KeySpec.Key<>("connections",
            ValueTypes.count(16, 1_000_000, "20000"),
            depends("one per 40 KiB of heap, at most 100000 and at most half of the file handles"),
            "Client connections at once. At the limit an idle connection is closed for a new one, those of waiting"
                    + " visitors first.");
    public static final KeySpec.Key<Long> PER_ADDRESS = new KeySpec.Key<>("connections-per-address",
            ValueTypes.count(4, 1_000_000, "2000"), depends("a tenth of `connections`, at least 100"),
            "Connections of one address, an IPv6 /64 counting as one. Those of `trusted-proxies` do not count.");
    public static final KeySpec.Key<Long> WAITING = new KeySpec.Key<>("waiting-streams",
            ValueTypes.count(0, 1_000_000, "10000"),
            depends("half of `connections`"),
            "Event streams of waiting visitors. Beyond the limit a visitor's page polls instead.");
    public static final KeySpec.Key<Long> WAITING_PER_ADDRESS = new KeySpec.Key<>("waiting-streams-per-address",
            ValueTypes.count(0, 1_000_000, "1000"), depends("a tenth of `waiting-streams`, at least 50"),
            "Event streams of waiting visitors of one address.");
    public static final KeySpec.Key<Long> PER_TICKET = new KeySpec.Key<>("streams-per-ticket",
            ValueTypes.count(1, 100, "4"),
            means(Integer.toString(DEFAULT.streamsPerTicket())),
            "Event streams of one ticket, that is, tabs of one visitor.");
    public static final KeySpec.Key<Long> LIVE = new KeySpec.Key<>("live-connections",
            ValueTypes.count(1, 1_000_000, "4000"),
            depends("a fifth of `connections`"),
            "Live connections of users, and as many event streams of their jobs again.");
    public static final KeySpec.Key<Long> PAGES = new KeySpec.Key<>("pages", ValueTypes.count(1, 100_000, "256"),
            depends("256, or half of `connections`"),
            "Connections to each origin for pages: requests without a body, or with a body of at most 64 KiB, which is"
                    + " received whole first. Four times as many requests may wait for a connection.");
    public static final KeySpec.Key<Long> UPLOADS = new KeySpec.Key<>("uploads", ValueTypes.count(1, 100_000, "128"),
            depends("128, or a quarter of `connections`"), "Connections to each origin for larger bodies.");
    public static final KeySpec.Key<Long> STREAMS = new KeySpec.Key<>("streams", ValueTypes.count(1, 100_000, "1024"),
            depends("1024, or a tenth of `connections`"), "Connections to each origin for its event streams.");
    public static final KeySpec.Key<Long> WEB_SOCKETS = new KeySpec.Key<>("websockets",
            ValueTypes.count(1, 100_000, "2048"),
            depends("2048, or a tenth of `connections`"), "WebSockets carried to each origin.");
    public static final KeySpec.Key<Duration> STALL = new KeySpec.Key<>("stall", ValueTypes.duration("1s", "1h", "20s"),
            means(Amounts.text(DEFAULT.origin().stall())),
            "How long a client with a connection to an origin may neither send more of its body nor read more of its"
                    + " answer.");
    public static final KeySpec.Key<Long> PUSHES = new KeySpec.Key<>("pushes", ValueTypes.count(1, 100_000, "1024"),
            means(Integer.toString(DEFAULT.pushes())), "Requests on `routes` at once.");
    public static final KeySpec.Key<Double> ADDRESS_SHARE = new KeySpec.Key<>("address-share",
            RoomValueTypes.share("25%"),
            means(Amounts.shareText(DEFAULT.addressShare())),
            "The share of `pages`, `uploads`, `streams`, `websockets` and `pushes` that one address may take.");
    public static final KeySpec.Key<Long> BODIES = new KeySpec.Key<>("bodies",
            ValueTypes.size("1MiB", "1024GiB", "64MiB"),
            depends("a 24th of the heap"),
            "Memory for bodies in transit. A body beyond it is answered 503; the API has as much again.");
    public static final Group LIMITS = new Group("limits",
            List.of(CONNECTIONS, PER_ADDRESS, WAITING, WAITING_PER_ADDRESS,
                    PER_TICKET, LIVE, PAGES, UPLOADS, STREAMS, WEB_SOCKETS, STALL, PUSHES, ADDRESS_SHARE, BODIES),
            "Upper bounds for clients. No kind of request can take another kind's share, and no address a whole share."
                    + " A request beyond a limit is answered at once: 429 if its address is at its limit, otherwise"
                    + " 503. The log names the limits at start.");

    private LimitSchema() {}

    private static Absent means(String text) {
        return new Absent.Means(text);
    }

    private static Absent depends(String words) {
        return new Absent.Depends(words);
    }
}
