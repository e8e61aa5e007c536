package dev.orderly.http.listener;

import dev.orderly.web.header.Authority;
import dev.orderly.web.problem.Problem;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** An open connection. Its fields belong to its event loop, except the volatile and atomic ones. */
final class ListenerConnection {
    private enum State {
        /** No request is pending. */
        IDLE,
        BUSY,
        /** Chosen to be closed for a new connection; requests are no longer served. */
        EVICTED
    }

    final HttpConnection http;
    /** The key by which its client is counted; null for a proxy. */
    final @Nullable String client;
    /** The answer to any request of a connection beyond the limits; null for a connection that is served. */
    final @Nullable Problem refusal;
    final ConnectionTimer timer;
    /** Requests without a complete answer; more than one if they are pipelined, or streams of HTTP/2. */
    private int unanswered;
    /** Bytes of answers over HTTP/2 that the client has not read. */
    int unread;
    private final Set<Runnable> beforeShutdown = new LinkedHashSet<>();
    private String host = "";
    private @Nullable Authority authority;
    /**
     * Whether the last request reached a route or an origin, instead of an answer from memory as waiting visitors get.
     */
    volatile boolean served;
    private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);
    /** Start of the idle time, monotonic. */
    volatile long idleSince;

    ListenerConnection(HttpConnection http, ConnectionTimer timer, @Nullable String client, @Nullable Problem refusal,
            long now) {
        this.http = http;
        this.timer = timer;
        this.client = client;
        this.refusal = refusal;
        this.idleSince = now;
    }

    /** Records that a request is pending. False if the connection is evicted. */
    boolean begin() {
        unanswered++;
        return state.getAndUpdate(before -> before == State.EVICTED ? before : State.BUSY) != State.EVICTED;
    }

    /** Records an answer. Starts the idle time, and returns true, if no request is pending. */
    boolean rest(long now) {
        unanswered--;
        if (unanswered == 0) {
            idleSince = now;
            state.compareAndSet(State.BUSY, State.IDLE);
        }
        return unanswered == 0;
    }

    /** The host of a request; most requests of a connection name the same host in the same way. */
    Optional<Authority> authority(String sent) {
        if (authority == null || !host.equals(sent)) {
            host = sent;
            authority = Authority.parse(sent.strip()).orElse(null);
        }
        return Optional.ofNullable(authority);
    }

    /**
     * Adds an action for the time when the connection takes no more requests.
     *
     * @return removes the action
     */
    Runnable beforeShutdown(Runnable action) {
        beforeShutdown.add(action);
        return () -> beforeShutdown.remove(action);
    }

    void shutDown() {
        List.copyOf(beforeShutdown).forEach(Runnable::run);
    }

    boolean isIdle() {
        return state.get() == State.IDLE;
    }

    /** Closes the connection on its event loop. May be called on any thread. */
    void close() {
        timer.loop().runOnContext(_ -> http.close());
    }

    /** Asks a client of HTTP/2 to open no further streams. May be called on any thread. */
    void drain(Duration patience) {
        if (http.protocolVersion() == HttpVersion.HTTP_2) {
            timer.loop().runOnContext(_ -> http.shutdown(patience.toMillis(), TimeUnit.MILLISECONDS));
        }
    }

    /** Evicts an idle connection, whatever its event loop does meanwhile. False if a request came first. */
    boolean evict() {
        return state.compareAndSet(State.IDLE, State.EVICTED);
    }
}
