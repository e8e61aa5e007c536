package dev.orderly.http;

import dev.orderly.http.gateway.Gateway;
import dev.orderly.http.intake.EdgeIntake;
import dev.orderly.http.listener.Bind;
import dev.orderly.http.listener.Endpoint;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.listener.HttpListener;
import dev.orderly.http.listener.RouteTable;
import dev.orderly.http.listener.Site;
import dev.orderly.job.JobEngine;
import dev.orderly.job.QueueName;
import java.util.List;

/**
 * The public edge: takes POSTs on declared routes and makes them jobs. Knows nothing else, so what no route names is 404.
 *
 * <p>A 202 means that the job is durable. Thread-safe; started once.
 */
public final class EdgeServer implements AutoCloseable {
    private final HttpListener listener;

    /** An edge of routes only. */
    public EdgeServer(Bind bind, List<Route> routes, HttpLimits limits, JobEngine engine) {
        this(bind, routes, limits, engine, Gateway.NONE);
    }

    /**
     * Makes an edge.
     *
     * @param engine takes the pushes; every route's queue is declared there before
     * @throws IllegalArgumentException if a route's queue is not declared, or two routes match the same paths
     */
    public EdgeServer(Bind bind, List<Route> routes, HttpLimits limits, JobEngine engine, Gateway gateway) {
        EdgeIntake intake = new EdgeIntake(engine);
        List<Endpoint> endpoints = routes.stream().map(route -> {
            if (engine.options(new QueueName(route.queue())).isEmpty()) {
                throw new IllegalArgumentException("Route " + route.path() + " leads to queue " + route.queue()
                        + ", which is not declared: declare the queue, or correct the route");
            }
            return intake.endpoint(route.path(), route.queue(), route.accepts());
        }).toList();
        RouteTable table = new RouteTable(endpoints);
        Site site = gateway.gate().apply(table);
        this.listener = new HttpListener("edge", bind, limits, _ -> site);
    }

    /**
     * Starts listening. Blocks until connections are taken.
     *
     * @throws java.io.UncheckedIOException if the address cannot be bound, naming it; nothing is left open
     * @throws IllegalStateException if it was started before
     */
    public void start() {
        listener.start();
    }

    /**
     * The real port, also when 0 was asked for.
     *
     * @throws IllegalStateException before {@link #start}
     */
    public int port() {
        return listener.port();
    }

    /** Takes no new requests, finishes those under way as long as {@link HttpLimits#stop} says. Blocks. Idempotent. */
    @Override
    public void close() {
        listener.close();
    }
}
