package dev.orderly.http.listener;

import dev.orderly.http.problem.Problem;
import io.vertx.core.http.HttpConnection;
import org.jspecify.annotations.Nullable;

/** An open connection. Its fields belong to its event loop, except the volatile ones. */
final class ClientConnection {
    static final long UNTIMED = -1;

    final HttpConnection http;
    /** The key by which its client is counted; null for a proxy. */
    final @Nullable String client;
    /** The answer to any request of a connection beyond the limits; null for a connection that is served. */
    final @Nullable Problem refusal;
    long timer = UNTIMED;
    /**
     * Whether the last request reached a route or an origin, instead of an answer from memory as waiting visitors get.
     */
    volatile boolean served;
    /** Whether no request is pending. */
    volatile boolean idle = true;
    /** Start of the idle time, monotonic. */
    volatile long idleSince;

    ClientConnection(HttpConnection http, @Nullable String client, @Nullable Problem refusal, long now) {
        this.http = http;
        this.client = client;
        this.refusal = refusal;
        this.idleSince = now;
    }
}
