package dev.orderly.http.live;

import dev.orderly.flow.Loop;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** One timer for all connections, which look themselves what is due. */
final class Heartbeat {
    private static final Duration EACH = Duration.ofSeconds(1);

    private final Time time;
    private final Loop loop;
    private final Set<Beating> all = ConcurrentHashMap.newKeySet();

    /** A connection with a sense of time. */
    @FunctionalInterface
    interface Beating {
        /**
         * Called about once a second. Must not block.
         *
         * @param now monotonic
         */
        void beat(long now);
    }

    Heartbeat(Time time) {
        this.time = time;
        this.loop = new Loop("live-heartbeat", time, this::beat);
    }

    Time time() {
        return time;
    }

    void add(Beating one) {
        all.add(one);
    }

    void remove(Beating one) {
        all.remove(one);
    }

    void start() {
        loop.start();
    }

    void stop(Duration patience) {
        loop.stop(patience);
    }

    private Duration beat() {
        long now = time.nanos();
        all.forEach(one -> one.beat(now));
        return EACH;
    }
}
