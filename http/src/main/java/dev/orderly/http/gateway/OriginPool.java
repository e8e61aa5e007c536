package dev.orderly.http.gateway;

import dev.orderly.flow.Quota;
import dev.orderly.http.stream.StreamedExchange;
import dev.orderly.web.problem.LimitProblems;
import dev.orderly.web.problem.Problem;
import io.netty.channel.EventLoop;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.internal.ContextInternal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * The connections to one origin for one kind of request, and a quota of requests that have or await a connection. Each
 * event loop has a part of the connections for itself, so that request and answer stay on one loop; at the limit of its
 * part, it uses a free connection of another loop. Thread-safe.
 */
final class OriginPool {
    private final ForwardKind kind;
    private final Quota<String> quota;
    private final List<LoopConnections> parts;
    private final ConcurrentMap<EventLoop, LoopConnections> own = new ConcurrentHashMap<>();
    private final AtomicInteger assigned = new AtomicInteger();

    /** @param loops event loops among which the connections are divided */
    OriginPool(ForwardKind kind, ForwardLimits.Share share, Vertx vertx, int loops, HttpClientOptions options) {
        this.kind = kind;
        this.quota = new Quota<>(share.limit());
        int count = Math.min(loops, share.connections());
        this.parts = IntStream.range(0, count).mapToObj(i -> new LoopConnections(vertx, options,
                (share.connections() + i) / count, share.limit().total())).toList();
    }

    ForwardKind kind() {
        return kind;
    }

    /** The connections for a request on this event loop; given back after use. */
    LoopConnections reserve(ContextInternal loop) {
        LoopConnections known = own.get(loop.nettyEventLoop());
        LoopConnections first = known == null ? assign(loop.nettyEventLoop()) : known;
        if (first.reserve()) {
            return first;
        }
        LoopConnections emptiest = first;
        for (LoopConnections part : parts) {
            if (part.reserve()) {
                return part;
            }
            emptiest = part.waiting() < emptiest.waiting() ? part : emptiest;
        }
        emptiest.await();
        return emptiest;
    }

    private LoopConnections assign(EventLoop loop) {
        return own.computeIfAbsent(loop, _ -> parts.get(assigned.getAndIncrement() % parts.size()));
    }

    /**
     * Takes a slot for an exchange, which {@link #give} gives back. Returns the problem if there is none for its
     * client.
     */
    Optional<Problem> take(StreamedExchange exchange) {
        Quota.Taken taken = quota.take(exchange.client());
        return taken == Quota.Taken.TAKEN
                ? Optional.empty()
                : Optional.of(LimitProblems.of(taken, quota.limit(), kind.plural()));
    }

    void give(StreamedExchange exchange) {
        quota.give(exchange.client());
    }
}
