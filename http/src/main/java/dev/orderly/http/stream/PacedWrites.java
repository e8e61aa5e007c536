package dev.orderly.http.stream;

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
 * The writes to the event streams of one event loop, in order. A few run at a time, then the loop's other tasks:
 * positions for ten thousand waiting visitors must not delay a request. Thread-safe, never blocks; bounded by the
 * pending bytes of each stream.
 */
public final class PacedWrites {
    private static final Logger LOG = LoggerFactory.getLogger(PacedWrites.class);
    private static final int AT_ONCE = 16;

    private final Context loop;
    private final LogLimit failures = new LogLimit(LOG, Time.system());
    private final Queue<Runnable> pending = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean running = new AtomicBoolean();

    public PacedWrites(Context loop) {
        this.loop = loop;
    }

    /** Schedules a write on the event loop. */
    void add(Runnable write) {
        pending.add(write);
        begin();
    }

    private void begin() {
        if (!pending.isEmpty() && !running.getAndSet(true)) {
            loop.runOnContext(_ -> runSome());
        }
    }

    /** Runs a write; a failure affects no other write. */
    private void run(Runnable write) {
        try {
            write.run();
        } catch (Throwable e) {
            FatalErrors.report("a write to an event stream", e);
            failures.warn("A write to an event stream failed: {}", e.toString());
        }
    }

    private void runSome() {
        Runnable write = pending.poll();
        for (int i = 1; write != null; i++) {
            run(write);
            write = i < AT_ONCE ? pending.poll() : null;
        }
        if (pending.isEmpty()) {
            running.set(false);
            begin(); // for a write that was added meanwhile
        } else {
            loop.runOnContext(_ -> runSome());
        }
    }
}
