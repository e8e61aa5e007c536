package dev.orderly.server;

import dev.orderly.config.EdgeLimits;
import dev.orderly.flow.Quota;
import dev.orderly.http.gateway.ForwardLimits;
import dev.orderly.http.gateway.ForwardLimits.Share;
import dev.orderly.http.gateway.ForwardLimits.Shares;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.listener.HttpLimits.Capacity;
import dev.orderly.web.room.WaitingStreams;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The share of the process for each kind of client: configured values, and values derived from heap and file handles
 * for the rest. There is a file handle for every connection that it grants, to clients and to origins.
 */
final class EdgeCapacity {
    private static final Logger LOG = LoggerFactory.getLogger(EdgeCapacity.class);
    private static final long HEAP_EACH = 40 << 10;
    private static final long MOST = 100_000;
    private static final long LEAST = 16;
    /** Reserved handles for files, the store and webhooks. */
    private static final long HANDLES_KEPT = 64;
    /** Handles of an event loop. */
    private static final long HANDLES_A_LOOP = 16;
    private static final int AMPLE = 1_000;
    private static final long API_MOST = 1_024;
    private static final int API_PUSHES = 1_024;
    private static final long BODY_PART = 24;
    private static final long REDIRECT_PART = 16;
    private static final int ADDRESS_PART = 4;

    private final EdgeLimits limits;
    private final int connections;
    private final int api;
    private final int redirects;
    private final long bodies;
    private final int loops;

    EdgeCapacity(EdgeLimits limits, ProcessLimits resources) {
        this(limits, resources, false);
    }

    /** @param redirects whether a listener redirects to the edge */
    EdgeCapacity(EdgeLimits limits, ProcessLimits resources, boolean redirects) {
        this.limits = limits;
        this.loops = resources.loops();
        long all = Math.max(3 * LEAST, resources.handles() - HANDLES_KEPT - HANDLES_A_LOOP * resources.loops());
        this.redirects = redirects ? (int) Math.clamp(all / REDIRECT_PART, LEAST, API_MOST) : 0;
        long handles = Math.max(3 * LEAST, all - this.redirects);
        this.api = (int) Math.clamp(handles / 8, LEAST, API_MOST);
        long both = (handles - api) / 2; // a client's request may need a connection to an origin
        long wanted = limits.connections() == null
                ? Math.clamp(resources.heap() / HEAP_EACH, LEAST, MOST)
                : limits.connections();
        this.connections = (int) Math.max(LEAST, Math.min(wanted, both));
        Long given = limits.bodies();
        this.bodies = given == null ? Math.max(1 << 20, resources.heap() / BODY_PART) : given;
    }

    /** Logs the limits, and warns if the file asks for more connections than there are handles for. */
    void log() {
        LOG.info("edge limits: {}", this);
        Integer wanted = limits.connections();
        if (wanted != null && connections < wanted) {
            LOG.warn("edge.limits.connections is {}, but the file handles of this process allow {}: raise its limit of"
                    + " open files (ulimit -n, LimitNOFILE) to {} or more", wanted, connections,
                    2L * wanted
                            + api + HANDLES_KEPT + HANDLES_KEPT);
        }
    }

    /** Whether there are connections for more than clients. */
    boolean isAmple() {
        return connections >= AMPLE;
    }

    HttpLimits edge() {
        int perAddress = otherwise(limits.connectionsPerAddress(), Math.max(100, connections / 10));
        return HttpLimits.DEFAULT.withCapacity(Capacity.DEFAULT
                .withConnections(new Quota.Limit(connections, Math.min(perAddress, Math.max(4, connections / 10 * 9))))
                .withPushes(new Quota.Limit(limits.pushes(), shared(limits.pushes()))).withBodyBytes(bodies)
                .withEventLoops(loops));
    }

    /** Limits of the API, whose callers have connections and an event loop of their own. */
    HttpLimits api() {
        return HttpLimits.DEFAULT.withCapacity(Capacity.DEFAULT.withConnections(Quota.Limit.of(api))
                .withPushes(Quota.Limit.of(API_PUSHES)).withBodyBytes(bodies).withEventLoops(1));
    }

    /** Limits of the listener that redirects to TLS: its answers are short, and its connections may be closed soon. */
    HttpLimits redirect() {
        return edge().withCapacity(edge().capacity().withEventLoops(1)
                .withConnections(new Quota.Limit(redirects, redirects / ADDRESS_PART)));
    }

    ForwardLimits forwarding() {
        EdgeLimits.OriginLimits origin = limits.origin();
        int pages = otherwise(origin.pages(), Math.min(256, connections / 2));
        int uploads = otherwise(origin.uploads(), Math.min(128, connections / 4));
        int streams = otherwise(origin.streams(), Math.min(1_024, connections / 10));
        int webSockets = otherwise(origin.webSockets(), Math.min(2_048, connections / 10));
        return ForwardLimits.DEFAULT.withStall(origin.stall()).withShares(new Shares(share(pages, 4 * pages),
                share(uploads, 4 * uploads), share(streams, 0), share(webSockets, 0)));
    }

    WaitingStreams.Limits waiting() {
        int streams = otherwise(limits.waitingStreams(), connections / 2);
        int perAddress = otherwise(limits.waitingStreamsPerAddress(), Math.max(50, streams / 10));
        return WaitingStreams.Limits.DEFAULT.withStreams(streams).withPerAddress(Math.min(perAddress, streams))
                .withPerTicket(limits.streamsPerTicket());
    }

    /** Live connections of users; as many again for event streams of their jobs. */
    int live() {
        return otherwise(limits.live(), Math.max(1, connections / 5));
    }

    /** The limits by their keys. */
    Map<String, String> byKey() {
        Shares shares = forwarding().shares();
        Map<String, Number> limits = Map.of("connections", connections, "connections-per-address",
                edge().capacity().connections().each(), "waiting-streams", waiting().streams(),
                "waiting-streams-per-address", waiting().perAddress(), "live-connections", live(), "pages",
                shares.pages().connections(), "uploads", shares.uploads().connections(), "streams",
                shares.streams().connections(), "websockets", shares.tunnels().connections());
        Map<String, String> byKey = new HashMap<>();
        limits.forEach((key, value) -> byKey.put("edge.limits." + key, value.toString()));
        byKey.put("edge.limits.bodies", (bodies >> 10) + "KiB");
        byKey.put("edge.event-loops", Integer.toString(loops));
        return byKey;
    }

    @Override
    public String toString() {
        Shares shares = forwarding().shares();
        return connections + " connections, " + edge().capacity().connections().each() + " an address; "
                + waiting().streams() + " event streams of waiting visitors, " + waiting().perAddress()
                + " an address; " + live() + " live connections; to each origin " + shares.pages().connections()
                + " for pages, " + shares.uploads().connections() + " for uploads, " + shares.streams().connections()
                + " for event streams, " + shares.tunnels().connections() + " for WebSockets; " + limits.pushes()
                + " pushes; " + (bodies >> 10) + " KiB of bodies; event loops: " + loops;
    }

    private Share share(int connections, int waiting) {
        int atLeast = Math.max(1, connections);
        return new Share(atLeast, waiting, shared(atLeast));
    }

    private int shared(int total) {
        return (int) Math.max(1, Math.ceil(total * limits.addressShare()));
    }

    private static int otherwise(@Nullable Integer given, int derived) {
        return given == null ? derived : given;
    }
}
