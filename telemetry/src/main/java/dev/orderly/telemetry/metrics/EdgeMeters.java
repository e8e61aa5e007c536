package dev.orderly.telemetry.metrics;

import dev.orderly.Internal;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Records the requests of a listener. */
@Internal(to = "dev.orderly")
public final class EdgeMeters {
    private static final int CLASSES = 6;

    private final Meters meters;
    private final Timer loopDelay;

    EdgeMeters(Meters meters) {
        this.meters = meters;
        this.loopDelay = meters.timer(MetricCatalogue.LOOP_DELAY);
    }

    /** Records the requests of one room and class. */
    public final class OfClass {
        private final String room;
        private final String kind;
        private final Timer gateway;
        private volatile @Nullable Timer atOrigin;
        private final AtomicReferenceArray<Counter> byStatus = new AtomicReferenceArray<>(CLASSES);

        private OfClass(String room, String kind) {
            this.room = room;
            this.kind = kind;
            this.gateway = meters.timer(MetricCatalogue.GATEWAY, kind);
        }

        /**
         * Records a request.
         *
         * @param status of the answer; 0 if the client went away before
         * @param own time without that at the origin, in nanoseconds
         * @param origin time at the origin; negative if there was none
         */
        public void answered(int status, long own, long origin) {
            int of = Math.clamp(status / 100, 0, CLASSES - 1);
            Counter counter = byStatus.getPlain(of);
            (counter == null ? made(of) : counter).increment();
            gateway.record(own, TimeUnit.NANOSECONDS);
            if (origin >= 0) {
                Timer timer = atOrigin;
                if (timer == null) {
                    timer = meters.timer(MetricCatalogue.ORIGIN, kind);
                    atOrigin = timer;
                }
                timer.record(origin, TimeUnit.NANOSECONDS);
            }
        }

        private Counter made(int of) {
            Counter counter = meters.counter(MetricCatalogue.REQUESTS, room, kind, of == 0 ? "lost" : of + "xx");
            byStatus.set(of, counter);
            return counter;
        }
    }

    /** The meters of a room and a class; to be kept by the caller. */
    public OfClass of(String room, String kind) {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(room, "room");
        return new OfClass(room, kind);
    }

    /** Records the delay of an event loop. */
    public void loopDelayed(long nanos) {
        loopDelay.record(nanos, TimeUnit.NANOSECONDS);
    }
}
