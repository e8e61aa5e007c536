package dev.orderly.room.govern;

import dev.orderly.time.Time;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A share of admission that something outside the room says, and that may fail or take long. Whoever asks gets the last
 * value, for a minute after it was heard; then 1, as if nothing slowed the room. Thread-safe, never blocks.
 */
public final class CachedSignal {
    private static final Logger LOG = LoggerFactory.getLogger(CachedSignal.class);
    private static final Duration HELD = Duration.ofMinutes(1);
    /** A value is older than the round it was asked in where the asking takes a moment. */
    private static final Duration FRESH = Duration.ofSeconds(5);

    private final String name;
    private final DoubleSupplier source;
    private final Time time;
    private final Executor executor;
    private final AtomicBoolean asking = new AtomicBoolean();
    private volatile Heard last;
    private volatile SignalHealth health = SignalHealth.FRESH;

    /** In nanoseconds of the clock. */
    private record Heard(double value, long at) {}

    /**
     * Asks for the first value, and waits for it.
     *
     * @param name what log lines begin with
     */
    public CachedSignal(String name, DoubleSupplier source, Time time, Executor executor) {
        this.name = name;
        this.source = source;
        this.time = time;
        this.executor = executor;
        this.last = new Heard(1, time.nanos());
        ask();
    }

    /** The value to go by. Asks for the next one, unless that is under way. */
    public double value() {
        if (asking.compareAndSet(false, true)) {
            try {
                executor.execute(() -> {
                    try {
                        ask();
                    } finally {
                        asking.set(false);
                    }
                });
            } catch (RejectedExecutionException e) {
                asking.set(false);
            }
        }
        Heard heard = last;
        Duration age = Duration.ofNanos(time.nanos() - heard.at());
        if (age.compareTo(HELD) > 0) {
            become(SignalHealth.LOST, "has not been known for a minute: it slows nobody until it is known again");
            return 1;
        }
        if (age.compareTo(FRESH) > 0) {
            become(SignalHealth.HELD, "is not known: what it was last counts for a minute");
        }
        return heard.value();
    }

    public SignalHealth health() {
        return health;
    }

    private void ask() {
        try {
            last = new Heard(source.getAsDouble(), time.nanos());
            if (health != SignalHealth.FRESH) {
                LOG.info("{} is known again", name);
                health = SignalHealth.FRESH;
            }
        } catch (RuntimeException e) {
            if (health == SignalHealth.FRESH) {
                become(SignalHealth.HELD, "is not known (" + e + "): what it was last counts for a minute");
            }
        }
    }

    /** Says so once; what is lost is not held any more. */
    private void become(SignalHealth value, String text) {
        if (health.compareTo(value) < 0) {
            health = value;
            LOG.warn("{} {}", name, text);
        }
    }
}
