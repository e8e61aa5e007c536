package dev.orderly.http;

import dev.orderly.flow.Quota;
import dev.orderly.http.access.AccessPolicy;
import dev.orderly.http.access.ProxyAccess;
import dev.orderly.http.health.HealthAnswers;
import dev.orderly.http.health.Readiness;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.ClientKeys;
import dev.orderly.http.listener.Clients;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.listener.HttpLimits.Capacity;
import dev.orderly.http.listener.HttpListener;
import dev.orderly.http.observe.MetricsPage;
import dev.orderly.web.message.Header;
import dev.orderly.web.message.Response;
import dev.orderly.web.route.Endpoint;
import dev.orderly.web.route.RequestRouter;
import dev.orderly.web.route.RouteTable;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A listener for what watches the process: {@code /metrics}, {@code /health/live} and {@code /health/ready}, and
 * nothing else. It knows no users, shows neither payloads nor ids, and changes nothing. Its hosts are those of the API,
 * so that no page of another site reads it by a name of its own. Thread-safe; started once.
 */
public final class MetricsServer implements AutoCloseable {
    private static final int CONNECTIONS = 128;
    private static final int REQUESTS = 32;

    private final HttpListener listener;

    /**
     * Creates a listener that does not listen yet.
     *
     * @param hosts names under which it answers, besides loopback names and its address
     */
    public MetricsServer(BindAddress bind, List<String> hosts, MetricsPage metrics, Readiness readiness) {
        RouteTable table = new RouteTable(List.of(
                Endpoint.bodiless("GET", "/metrics", call -> page(metrics.scrape(call.head().header("Accept")))),
                Endpoint.bodiless("GET", "/health/live", _ -> HealthAnswers.live()),
                Endpoint.bodiless("GET", "/health/ready", _ -> HealthAnswers.ready(readiness))));
        this.listener = new HttpListener("metrics", bind, HttpLimits.DEFAULT.withCapacity(Capacity.DEFAULT
                .withConnections(Quota.Limit.of(CONNECTIONS)).withPushes(Quota.Limit.of(REQUESTS)).withEventLoops(1)),
                Clients.by(ClientKeys.PEERS),
                _ -> checked(new AccessPolicy(bind, false, hosts, ProxyAccess.NONE), table));
    }

    /** A request without a host, which HTTP/1.0 allows, is that of a balancer: every browser sends one. */
    private static RequestRouter checked(AccessPolicy policy, RequestRouter table) {
        return head -> {
            if (head.headers().get("Host") != null) {
                policy.check(head);
            }
            return table.match(head);
        };
    }

    private static Response page(MetricsPage.Page page) {
        return new Response(200, List.of(new Header("Content-Type", page.contentType()), new Header("Vary", "Accept")),
                page.text().getBytes(StandardCharsets.UTF_8));
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
