package dev.orderly.web.live;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A single timer for all connections; each connection checks what is due for it. */
public final class Heartbeat {
    private static final Duration EACH = Duration.ofSeconds(1);

    private final Time time;
    private final BackgroundLoop loop;
    private final Set<Beating> all = ConcurrentHashMap.newKeySet();

    /** A connection that is called by the timer. */
    @FunctionalInterface
    public interface Beating {
        /**
         * Called about once a second. Must not block.
         *
         * @param now monotonic
         */
        void beat(long now);
    }

    Heartbeat(Time time) {
        this.time = time;
        this.loop = new BackgroundLoop("live-heartbeat", time, this::beat);
    }

    public Time time() {
        return time;
    }

    public void add(Beating connection) {
        all.add(connection);
    }

    public void remove(Beating connection) {
        all.remove(connection);
    }

    void start() {
        loop.start();
    }

    void stop(Duration patience) {
        loop.stop(patience);
    }

    private Duration beat() {
        long now = time.nanos();
        all.forEach(connection -> connection.beat(now));
        return EACH;
    }
}
