package dev.orderly.servlet.exchange;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.flow.FatalErrors;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The one thread that writes to all open event streams of an application, so that no number of streams takes the
 * container's threads. Thread-safe.
 */
final class StreamWriter {
    private static final Duration IDLE = Duration.ofMinutes(1);
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final BackgroundLoop loop;
    /** Each stream at most once. */
    private final Queue<ContainerStream> due = new ConcurrentLinkedQueue<>();
    private final Set<ContainerStream> open = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean started = new AtomicBoolean();
    private volatile boolean ending;

    StreamWriter(Time time) {
        this.loop = new BackgroundLoop("streams", time, this::round);
    }

    /** Writes to a stream until it closes. */
    void serve(ContainerStream stream) {
        open.add(stream);
        stream.onClose(() -> open.remove(stream));
        if (started.compareAndSet(false, true)) {
            loop.start();
        }
        if (ending) {
            stream.close();
        }
    }

    /** Lets a stream write soon. */
    void add(ContainerStream stream) {
        due.add(stream);
        loop.ring();
    }

    private Duration round() {
        for (ContainerStream stream = due.poll(); stream != null; stream = due.poll()) {
            try {
                stream.drain();
            } catch (Throwable e) { // a failed stream ends no other
                FatalErrors.report("a write to an event stream", e);
                stream.close();
            }
        }
        return IDLE;
    }

    /** Ends all streams, after their pending events, and each later one at its begin. */
    void end() {
        ending = true;
        open.forEach(ContainerStream::close);
    }

    void close() {
        end();
        if (started.get()) {
            loop.stop(PATIENCE);
            round(); // what the loop left
        }
    }
}
