package dev.orderly.http.message;

import dev.orderly.flow.FatalErrors;
import dev.orderly.flow.LogLimit;
import dev.orderly.time.Time;
import io.vertx.core.Context;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The writes to the event streams of one event loop. A few are done at a time, then whatever else the loop has to do comes
 * first: news for ten thousand who wait must not keep a request waiting. In the order in which they were given. Thread-safe,
 * never blocks; bounded by what each stream lets wait.
 */
public final class PacedWrites {
    private static final Logger LOG = LoggerFactory.getLogger(PacedWrites.class);
    private static final int AT_ONCE = 16;

    private final Context loop;
    private final LogLimit failures = new LogLimit(LOG, Time.system());
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean running = new AtomicBoolean();

    public PacedWrites(Context loop) {
        this.loop = loop;
    }

    /** Has a write done on the event loop. */
    void add(Runnable write) {
        waiting.add(write);
        begin();
    }

    private void begin() {
        if (!waiting.isEmpty() && !running.getAndSet(true)) {
            loop.runOnContext(_ -> turn());
        }
    }

    /** One that fails harms no other. */
    private void run(Runnable write) {
        try {
            write.run();
        } catch (Throwable e) {
            FatalErrors.report("a write to an event stream", e);
            failures.warn("A write to an event stream failed: {}", e.toString());
        }
    }

    private void turn() {
        Runnable write = waiting.poll();
        for (int i = 1; write != null; i++) {
            run(write);
            write = i < AT_ONCE ? waiting.poll() : null;
        }
        if (waiting.isEmpty()) {
            running.set(false);
            begin(); // for one that came in between
        } else {
            loop.runOnContext(_ -> turn());
        }
    }
}
