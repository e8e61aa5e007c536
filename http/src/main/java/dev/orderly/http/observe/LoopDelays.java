package dev.orderly.http.observe;

import dev.orderly.time.Time;
import io.vertx.core.Vertx;
import java.time.Duration;

/** Measures how late an event loop runs its timers: what else the loop has to do delays every request on it. */
public final class LoopDelays {
    private static final Duration EVERY = Duration.ofMillis(100);

    private final Vertx vertx;
    private final TrafficObserver observer;
    private final Time time;

    public LoopDelays(Vertx vertx, TrafficObserver observer, Time time) {
        this.vertx = vertx;
        this.observer = observer;
        this.time = time;
    }

    /** Measures the event loop of the calling thread until its Vert.x is closed. */
    public void start() {
        if (!observer.equals(TrafficObserver.NONE)) {
            next();
        }
    }

    private void next() {
        long due = time.deadline(EVERY);
        vertx.setTimer(EVERY.toMillis(), _ -> {
            observer.loopDelayed(Math.max(0, time.nanos() - due));
            next();
        });
    }
}
