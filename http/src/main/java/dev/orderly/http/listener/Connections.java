package dev.orderly.http.listener;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The open connections, each with a deadline by which its next request head must be complete. So neither a silent
 * connection nor one that sends its head byte by byte can stay.
 */
final class Connections {
    private static final long UNTIMED = -1;

    private final Vertx vertx;
    private final HttpLimits limits;
    private final ConcurrentMap<HttpConnection, Long> timers = new ConcurrentHashMap<>();

    Connections(Vertx vertx, HttpLimits limits) {
        this.vertx = vertx;
        this.limits = limits;
    }

    void opened(HttpConnection connection) {
        if (timers.size() >= limits.capacity().connections()) {
            connection.close();
            return;
        }
        timers.put(connection, UNTIMED);
        connection.closeHandler(_ -> closed(connection));
        arm(connection, limits.head());
    }

    /** The connection is closed; idempotent. */
    void closed(HttpConnection connection) {
        cancel(timers.remove(connection));
    }

    /** A head is complete. */
    void requested(HttpConnection connection) {
        cancel(timers.replace(connection, UNTIMED));
    }

    /** An answer is out. */
    void answered(HttpConnection connection) {
        arm(connection, limits.idle());
    }

    private void arm(HttpConnection connection, Duration wait) {
        long timer = vertx.setTimer(Math.max(1, wait.toMillis()), _ -> connection.close());
        Long before = timers.replace(connection, timer);
        cancel(before == null ? Long.valueOf(timer) : before); // null: it was closed meanwhile
    }

    private void cancel(@Nullable Long timer) {
        if (timer != null && timer != UNTIMED) {
            vertx.cancelTimer(timer);
        }
    }
}
