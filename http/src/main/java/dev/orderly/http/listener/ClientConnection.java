package dev.orderly.http.listener;

import dev.orderly.http.problem.Problem;
import io.vertx.core.http.HttpConnection;
import org.jspecify.annotations.Nullable;

/** An open connection. Its fields belong to its event loop, but for what is volatile. */
final class ClientConnection {
    static final long UNTIMED = -1;

    final HttpConnection http;
    /** What its client is counted by; null for a proxy. */
    final @Nullable String client;
    /** The answer to whatever it asks, since it is one too many; null for a connection that is served. */
    final @Nullable Problem refusal;
    long timer = UNTIMED;
    /** Whether the last request went on to what is behind, and was not answered from memory as waiting visitors are. */
    volatile boolean served;
    /** Whether no request is under way. */
    volatile boolean resting = true;
    /** Since when it rests, monotonic. */
    volatile long restingSince;

    ClientConnection(HttpConnection http, @Nullable String client, @Nullable Problem refusal, long now) {
        this.http = http;
        this.client = client;
        this.refusal = refusal;
        this.restingSince = now;
    }
}
