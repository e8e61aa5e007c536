package dev.orderly.http.listener;

import dev.orderly.http.observe.ListenerLoad;
import dev.orderly.http.observe.TrafficObserver;
import dev.orderly.http.stream.PacedWrites;
import dev.orderly.time.Time;
import dev.orderly.web.problem.RequestFailures;
import dev.orderly.web.route.RequestRouter;
import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.ContextInternal;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;

/** The collaborators that all exchanges of a listener share. */
final class ListenerContext {
    final Vertx vertx;
    final RequestRouter router;
    final HttpLimits limits;
    final ConnectionTracker connections;
    final TrafficObserver observer;
    final Time time = Time.system();
    final ExecutorService workers;
    final ClientKeys keys;
    final ListenerCapacity capacity;
    private final ConcurrentMap<EventLoop, PacedWrites> writes = new ConcurrentHashMap<>();
    final ResponseWriter writer = new ResponseWriter(time);
    final RequestFailures failures = new RequestFailures(time);

    ListenerContext(Vertx vertx, RequestRouter router, HttpLimits limits, ConnectionTracker connections,
            ExecutorService workers, TrafficObserver observer) {
        this.observer = observer;
        this.vertx = vertx;
        this.router = router;
        this.limits = limits;
        this.keys = connections.keys();
        this.connections = connections;
        this.workers = workers;
        this.capacity = new ListenerCapacity(limits.capacity());
    }

    /** The load of the listener now. */
    ListenerLoad load() {
        return new ListenerLoad(connections.count(), connections.refused(), capacity.requests(), capacity.bodyBytes());
    }

    /** The writes to the event streams of a context's event loop. */
    PacedWrites writes(Context loop) {
        return writes.computeIfAbsent(((ContextInternal) loop).nettyEventLoop(), _ -> new PacedWrites(loop));
    }

    /** Begins an exchange when a head is complete. Runs on the connection's event loop. */
    void begin(HttpServerRequest request) {
        if (FramingRules.isClosing(request.connection())) {
            request.connection().close();
            return;
        }
        ListenerConnection connection = connections.requested(request.connection());
        if (connection != null) {
            new Exchange(this, connection, request).begin();
        }
    }
}
