package dev.orderly.http.gateway;

import dev.orderly.http.listener.Head;
import dev.orderly.http.listener.RouteTable;
import dev.orderly.http.listener.Site;
import dev.orderly.http.problem.ProblemType;
import dev.orderly.http.problem.Refusal;
import dev.orderly.time.Time;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The routes of the edge, and the origins behind them: what no route takes goes to the origin with the most specific
 * pattern, of equal ones to that which names the host. All are chosen by the normal forms of path and host, which are
 * also the ones that are sent on.
 */
public final class GatewaySite implements Site {
    private final RouteTable routes;
    private final List<Forwarder> forwarders;

    /** @param vertx whose event loops it runs on; closing it closes the connections to the origins */
    public GatewaySite(RouteTable routes, Gateway gateway, Vertx vertx, Time time) {
        this.routes = routes;
        this.forwarders = gateway.origins().stream()
                .map(origin -> new Forwarder(origin, gateway, new Clocks(vertx, time))).toList();
    }

    @Override
    public Match match(Head head) {
        if (head.path().equals("*")) {
            return routes.match(head);
        }
        RequestPath path = RequestPath.of(head.path());
        Head normal = head.withPath(path.wire());
        Optional<Match> taken = routes.taken(normal);
        if (taken.isPresent()) {
            return taken.get();
        }
        String host = head.host();
        for (Forwarder forwarder : forwarders) {
            Origin origin = forwarder.origin();
            if (!path.isReserved() && origin.isFor(host) && origin.match().matches(path.key())) {
                check(head);
                return new Match.Streamed(forwarder, normal);
            }
        }
        return routes.match(normal);
    }

    private static void check(Head head) {
        if (head.method().equals("TRACE")) {
            throw new Refusal(ProblemType.METHOD_NOT_ALLOWED,
                    "TRACE would show a page the cookies it must not see: use another method");
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
