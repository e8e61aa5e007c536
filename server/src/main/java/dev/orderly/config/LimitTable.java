package dev.orderly.config;

import dev.orderly.config.Entry.Absent;
import dev.orderly.config.Entry.Group;
import java.time.Duration;
import java.util.List;

/** The keys of the edge's limits. */
final class LimitTable {
    private static final EdgeLimits DEFAULT = EdgeLimits.DEFAULT;

    static final Entry.Key<Long> CONNECTIONS = new Entry.Key<>("connections", Kinds.count(16, 1_000_000, "20000"),
            depends("one per 40 KiB of heap, at most 100000 and at most half of the file handles"),
            "Client connections at once. At the limit an idle connection is closed for a new one, those of waiting"
                    + " visitors first.");
    static final Entry.Key<Long> PER_ADDRESS = new Entry.Key<>("connections-per-address",
            Kinds.count(4, 1_000_000, "2000"), depends("a tenth of `connections`, at least 100"),
            "Connections of one address, an IPv6 /64 counting as one. Those of `trusted-proxies` do not count.");
    static final Entry.Key<Long> WAITING = new Entry.Key<>("waiting-streams", Kinds.count(0, 1_000_000, "10000"),
            depends("half of `connections`"),
            "Event streams of waiting visitors. Beyond the limit a visitor's page polls instead.");
    static final Entry.Key<Long> WAITING_PER_ADDRESS = new Entry.Key<>("waiting-streams-per-address",
            Kinds.count(0, 1_000_000, "1000"), depends("a tenth of `waiting-streams`, at least 50"),
            "Event streams of waiting visitors of one address.");
    static final Entry.Key<Long> PER_TICKET = new Entry.Key<>("streams-per-ticket", Kinds.count(1, 100, "4"),
            means(Integer.toString(DEFAULT.streamsPerTicket())),
            "Event streams of one ticket, that is, tabs of one visitor.");
    static final Entry.Key<Long> LIVE = new Entry.Key<>("live-connections", Kinds.count(1, 1_000_000, "4000"),
            depends("a fifth of `connections`"),
            "Live connections of users, and as many event streams of their jobs again.");
    static final Entry.Key<Long> PAGES = new Entry.Key<>("pages", Kinds.count(1, 100_000, "256"),
            depends("256, or half of `connections`"),
            "Connections to each origin for pages: requests without a body, or with a body of at most 64 KiB, which is"
                    + " received whole first. Four times as many requests may wait for a connection.");
    static final Entry.Key<Long> UPLOADS = new Entry.Key<>("uploads", Kinds.count(1, 100_000, "128"),
            depends("128, or a quarter of `connections`"), "Connections to each origin for larger bodies.");
    static final Entry.Key<Long> STREAMS = new Entry.Key<>("streams", Kinds.count(1, 100_000, "1024"),
            depends("1024, or a tenth of `connections`"), "Connections to each origin for its event streams.");
    static final Entry.Key<Long> WEB_SOCKETS = new Entry.Key<>("websockets", Kinds.count(1, 100_000, "2048"),
            depends("2048, or a tenth of `connections`"), "WebSockets carried to each origin.");
    static final Entry.Key<Duration> STALL = new Entry.Key<>("stall", Kinds.duration("1s", "1h", "20s"),
            means(Amounts.text(DEFAULT.origin().stall())),
            "How long a client with a connection to an origin may neither send more of its body nor read more of its"
                    + " answer.");
    static final Entry.Key<Long> PUSHES = new Entry.Key<>("pushes", Kinds.count(1, 100_000, "1024"),
            means(Integer.toString(DEFAULT.pushes())), "Requests on `routes` at once.");
    static final Entry.Key<Double> ADDRESS_SHARE = new Entry.Key<>("address-share", RoomKinds.share("25%"),
            means(Amounts.shareText(DEFAULT.addressShare())),
            "The share of `pages`, `uploads`, `streams`, `websockets` and `pushes` that one address may take.");
    static final Entry.Key<Long> BODIES = new Entry.Key<>("bodies", Kinds.size("1MiB", "1024GiB", "64MiB"),
            depends("a 24th of the heap"),
            "Memory for bodies in transit. A body beyond it is answered 503; the API has as much again.");
    static final Group LIMITS = new Group("limits", List.of(CONNECTIONS, PER_ADDRESS, WAITING, WAITING_PER_ADDRESS,
            PER_TICKET, LIVE, PAGES, UPLOADS, STREAMS, WEB_SOCKETS, STALL, PUSHES, ADDRESS_SHARE, BODIES),
            "Upper bounds for clients. No kind of request can take another kind's share, and no address a whole share."
                    + " A request beyond a limit is answered at once: 429 if its address is at its limit, otherwise"
                    + " 503. The log names the limits at start.");

    private LimitTable() {}

    private static Absent means(String text) {
        return new Absent.Means(text);
    }

    private static Absent depends(String words) {
        return new Absent.Depends(words);
    }
}
