package dev.orderly.http.gateway;

import dev.orderly.http.stream.Streamed;
import dev.orderly.time.Time;
import dev.orderly.web.edge.EdgeHandler;
import dev.orderly.web.edge.EdgeRequest;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.route.RequestRouter.Match;
import io.vertx.core.Vertx;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The origins behind the edge. A request goes to the origin with the most specific pattern; of equal patterns, to the
 * origin that names the host. Origins are chosen by the normal forms of path and host, and get these forms.
 */
public final class OriginHandler implements EdgeHandler {
    private final ForwardClock clocks;
    private final int loops;
    private final Gateway gateway;
    private final List<Forwarder> forwarders;

    /**
     * The origins of a gateway.
     *
     * @param vertx provides the event loops; closing it closes the connections to the origins
     * @param loops number of event loops
     */
    public OriginHandler(Gateway gateway, Vertx vertx, Time time, int loops) {
        this(gateway, new ForwardClock(vertx, time), loops, List.of());
    }

    /** @param known forwarders that are kept, with their connections, if the gateway has their origin */
    private OriginHandler(Gateway gateway, ForwardClock clocks, int loops, List<Forwarder> known) {
        this.gateway = gateway;
        this.clocks = clocks;
        this.loops = loops;
        this.forwarders = gateway.origins().stream().map(origin -> known.stream()
                .filter(each -> each.origin().equals(origin)).findAny()
                .orElseGet(() -> new Forwarder(origin, gateway, clocks, loops))).toList();
    }

    /**
     * The handler of other origins. An origin of both keeps its connections. The connections of the others serve the
     * requests that use them, then they idle out.
     *
     * @throws IllegalArgumentException if trusted proxies or limits differ
     */
    public OriginHandler withOrigins(Gateway other) {
        if (!other.trusted().equals(gateway.trusted()) || !other.limits().equals(gateway.limits())) {
            throw new IllegalArgumentException("Only the origins of a gateway change while it runs: restart for other"
                    + " trusted proxies or limits");
        }
        return new OriginHandler(other, clocks, loops, forwarders);
    }

    @Override
    public Match match(EdgeRequest request, Next next) {
        if (request.path().isAsterisk()) {
            return next.match(request);
        }
        for (Forwarder forwarder : forwarders) {
            Origin origin = forwarder.origin();
            if (origin.isFor(request.host()) && origin.match().matches(request.path().key())) {
                check(request.head());
                return new Streamed(forwarder, request.normalHead());
            }
        }
        return next.match(request);
    }

    private static void check(RequestHead head) {
        if (head.method().equals("TRACE")) {
            throw new ProblemException(ProblemType.METHOD_NOT_ALLOWED,
                    "TRACE would reveal to a page cookies that are hidden from it: use another method");
        }
        if (!isPrintable(head.query())) {
            throw new ProblemException(ProblemType.BAD_REQUEST,
                    "The query has a character that is not printable ASCII: percent-encode it");
        }
    }

    private static boolean isPrintable(@Nullable String query) {
        for (int i = 0; query != null && i < query.length(); i++) {
            if (query.charAt(i) <= ' ' || query.charAt(i) > '~') {
                return false;
            }
        }
        return true;
    }
}
