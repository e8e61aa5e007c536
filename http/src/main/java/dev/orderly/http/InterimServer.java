package dev.orderly.http;

import dev.orderly.http.health.HealthAnswers;
import dev.orderly.http.health.Readiness;
import dev.orderly.http.listener.ClientKeys;
import dev.orderly.http.listener.Clients;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.listener.HttpListener;
import dev.orderly.http.listener.ListenerTransport;
import dev.orderly.web.edge.EdgeHandler;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.page.ErrorPage;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.route.Endpoint;
import dev.orderly.web.route.RequestRouter;
import dev.orderly.web.route.RouteTable;
import java.util.List;

/**
 * A listener in place of one whose parts cannot be made yet, because the store has not been reached since the start.
 * Thread-safe; started once.
 */
public final class InterimServer implements AutoCloseable {
    private final HttpListener listener;

    private InterimServer(HttpListener listener) {
        this.listener = listener;
    }

    /**
     * A listener for {@code /health/live} and {@code /health/ready}, and nothing else.
     *
     * @param name of the listener in whose place it is, for the log
     */
    public static InterimServer ofHealth(String name, ListenerTransport transport, HttpLimits limits,
            Readiness readiness) {
        RouteTable table = new RouteTable(List.of(
                Endpoint.bodiless("GET", "/health/live", _ -> HealthAnswers.live()),
                Endpoint.bodiless("GET", "/health/ready", _ -> HealthAnswers.ready(readiness))));
        return new InterimServer(new HttpListener(name, transport, limits, Clients.by(ClientKeys.PEERS), _ -> table));
    }

    /**
     * An edge without routes and origins.
     *
     * @param trusted proxies in front of the edge
     * @param all answers every request
     */
    public static InterimServer ofEdge(ListenerTransport transport, HttpLimits limits, TrustedProxies trusted,
            EdgeHandler all) {
        RequestRouter answers = EdgeHandler.inOrder(trusted, List.of(all));
        RequestRouter router = new RequestRouter() {
            @Override
            public Match match(RequestHead head) {
                return answers.match(head);
            }

            @Override
            public Response refusal(Problem problem, Refused refused) {
                return ErrorPage.answer(problem, refused);
            }
        };
        return new InterimServer(new HttpListener("edge", transport, limits, Clients.by(new AddressKeys(trusted)),
                _ -> router));
    }

    /** As {@link EdgeServer#start}. */
    public void start() {
        listener.start();
    }

    /** As {@link EdgeServer#port}. */
    public int port() {
        return listener.port();
    }

    /** As {@link EdgeServer#close}. */
    @Override
    public void close() {
        listener.close();
    }
}
