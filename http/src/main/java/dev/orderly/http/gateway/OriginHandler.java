package dev.orderly.http.gateway;

import dev.orderly.http.edge.EdgeHandler;
import dev.orderly.http.edge.EdgeRequest;
import dev.orderly.http.message.RequestHead;
import dev.orderly.http.problem.ProblemType;
import dev.orderly.http.problem.Refusal;
import dev.orderly.http.route.RequestRouter.Match;
import dev.orderly.time.Time;
import io.vertx.core.Vertx;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The origins behind the edge. A request goes to the origin with the most specific pattern; of equal patterns, to the
 * origin that names the host. Origins are chosen by the normal forms of path and host, and get these forms.
 */
public final class OriginHandler implements EdgeHandler {
    private final List<Forwarder> forwarders;

    /**
     * The origins of a gateway.
     *
     * @param vertx provides the event loops; closing it closes the connections to the origins
     * @param loops number of event loops
     */
    public OriginHandler(Gateway gateway, Vertx vertx, Time time, int loops) {
        this.forwarders = gateway.origins().stream()
                .map(origin -> new Forwarder(origin, gateway, new ForwardClock(vertx, time), loops)).toList();
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
                return new Match.Streamed(forwarder, request.normalHead());
            }
        }
        return next.match(request);
    }

    private static void check(RequestHead head) {
        if (head.method().equals("TRACE")) {
            throw new Refusal(ProblemType.METHOD_NOT_ALLOWED,
                    "TRACE would reveal to a page cookies that are hidden from it: use another method");
        }
        if (!isPrintable(head.query())) {
            throw new Refusal(ProblemType.BAD_REQUEST,
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
