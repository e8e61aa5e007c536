package dev.orderly.job.engine;

import dev.orderly.flow.LogLimit;
import dev.orderly.flow.Meter;
import dev.orderly.flow.RunningMean;
import dev.orderly.job.Handler;
import dev.orderly.job.Payload;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.QueuePosition;
import dev.orderly.job.Unprocessable;
import dev.orderly.job.store.QueueView;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JavaType;

/** A queue as this node knows it: its settings, its handler if it works it, and what is under way. */
final class DeclaredQueue {
    /** Jobs a second; what is slower counts as standing still. */
    private static final double RATE_MIN = 0.001;

    private static final Logger LOG = LoggerFactory.getLogger(DeclaredQueue.class);

    final QueueName name;
    final QueueOptions options;
    private final JavaType type;
    private final PayloadCodec codec;
    /** Jobs that ended here for good. */
    final Meter drained;
    /** How long attempts take here. */
    final RunningMean runs = new RunningMean();
    /** Waiting and delayed jobs: the store's count of a moment ago and what was pushed here since. */
    final AtomicLong pending = new AtomicLong();

    /** Attempts that failed, in the log: at most one line a second, whatever their handler does. */
    final LogLimit failures;
    /** Dead letters in the log, as above. */
    final LogLimit deadLetters;
    /** Endings that the store did not take, in the log, as above. */
    final LogLimit unsettled;
    /** Endings that came too late, in the log, as above. */
    final LogLimit late;

    private final AtomicInteger running = new AtomicInteger();
    private final AtomicReference<@Nullable Handler<Object>> handler = new AtomicReference<>();
    private volatile boolean hinted = true;
    private volatile boolean paused;

    DeclaredQueue(QueueName name, QueueOptions options, JavaType type, PayloadCodec codec, Time time) {
        this.name = name;
        this.options = options;
        this.type = type;
        this.codec = codec;
        this.drained = new Meter(time);
        this.failures = new LogLimit(LOG, time);
        this.deadLetters = new LogLimit(LOG, time);
        this.unsettled = new LogLimit(LOG, time);
        this.late = new LogLimit(LOG, time);
    }

    /** Whether the queue has the same type and options as another one of its name. */
    boolean isDeclaredLike(DeclaredQueue other) {
        return options.equals(other.options) && type.equals(other.type);
    }

    /** @throws Unprocessable if the payload is not what the handler takes */
    Object decode(Payload payload) {
        return codec.decode(payload, type);
    }

    /** The view of the store, completed by what this node knows of the queue. */
    QueueStatus status(QueueView view) {
        double rate = drained.perSecond();
        Duration drain = rate < RATE_MIN ? null : Duration.ofMillis((long) (view.waiting() / rate * 1000));
        return new QueueStatus(view, options, handler() != null, rate, drain);
    }

    /**
     * About how long a job with so many before it waits. The groups of a FIFO queue run side by side, so the queue's rate
     * says nothing of one of them.
     */
    QueuePosition.@Nullable Wait waitBehind(int ahead) {
        double rate = drained.perSecond();
        if (rate < RATE_MIN) {
            return null;
        }
        double each = name.isFifo() ? runs.get().map(run -> run.toNanos() / 1e9).orElse(1 / rate) : 1 / rate;
        return QueuePosition.Wait.of(ahead, each);
    }

    @Nullable
    Handler<Object> handler() {
        return handler.get();
    }

    /** False if there was one before. */
    boolean handleWith(Handler<Object> value) {
        return handler.compareAndSet(null, value);
    }

    /** How many more handlers may start; zero without a handler. */
    int free() {
        return handler() == null ? 0 : Math.max(0, options.concurrency() - running.get());
    }

    void lineStarted() {
        running.incrementAndGet();
    }

    void lineEnded() {
        running.decrementAndGet();
    }

    /** Says that the store may hold something to claim. */
    void hint() {
        hinted = true;
    }

    boolean hinted() {
        return hinted;
    }

    /** Takes the hint back before a claim, so that one given meanwhile is not lost. */
    void clearHint() {
        hinted = false;
    }

    /** Whether the queue was paused when the store was asked last, and nobody is known to have resumed it since. */
    boolean isPaused() {
        return paused;
    }

    void setPaused(boolean value) {
        paused = value;
    }

    @Override
    public String toString() {
        return type.toCanonical() + " with " + options;
    }
}
