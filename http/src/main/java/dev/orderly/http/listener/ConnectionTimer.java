package dev.orderly.http.listener;

import dev.orderly.time.Time;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The only deadline of a connection: of its next request head, or of the step that a pending request is at. A deadline
 * that moves on for every request costs no timer each: the timer is set anew only for an earlier deadline, and looks
 * at a later one when it fires. Used on the connection's event loop.
 */
final class ConnectionTimer {
    private static final long NONE = -1;

    private final Vertx vertx;
    private final Context loop;
    private final Time time;
    private long timer = NONE;
    private long timerAt;
    private long deadline;
    private @Nullable Runnable action;

    /** @param loop the event loop on which it is created */
    ConnectionTimer(Context loop, Time time) {
        this.vertx = loop.owner();
        this.loop = loop;
        this.time = time;
    }

    Context loop() {
        return loop;
    }

    /** Sets the deadline and what it does, in place of the previous ones. */
    void start(Duration wait, Runnable onTime) {
        action = onTime;
        deadline = time.deadline(wait);
        if (timer == NONE || timerAt - deadline > 0) {
            schedule();
        }
    }

    /** Removes the deadline. */
    void stop() {
        action = null;
    }

    /** Removes the deadline, and what is scheduled for it: the connection is closed. */
    void close() {
        stop();
        vertx.cancelTimer(timer);
        timer = NONE;
    }

    private void schedule() {
        if (timer != NONE) {
            vertx.cancelTimer(timer);
        }
        timerAt = deadline;
        timer = vertx.setTimer(Math.max(1, Duration.ofNanos(deadline - time.nanos()).plusMillis(1).toMillis()),
                _ -> fired());
    }

    private void fired() {
        timer = NONE;
        Runnable due = action;
        if (due != null && time.reached(deadline)) {
            action = null;
            due.run();
        } else if (due != null) {
            schedule();
        }
    }
}
