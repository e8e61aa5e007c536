package dev.orderly.flow;

import dev.orderly.text.VisibleText;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * A log for messages that an outside party can cause without limit: at most one line per period. The next line tells
 * how many messages were left out. Texts among the values are {@linkplain VisibleText visible} in it, since the party
 * chooses them. Each party has its own instance. Thread-safe, never blocks.
 */
public final class LogLimit {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Logger log;
    private final Time time;
    private final Duration period;
    private final AtomicLong next;
    private final AtomicLong left = new AtomicLong();

    /** At most one line a second. */
    public LogLimit(Logger log, Time time) {
        this(log, time, SECOND);
    }

    public LogLimit(Logger log, Time time, Duration period) {
        this.log = log;
        this.time = time;
        this.period = period;
        this.next = new AtomicLong(time.nanos());
    }

    /** @param form with a {@code {}} for each value */
    public void info(String form, @Nullable Object... values) {
        write(Level.INFO, form, values);
    }

    /** @param form with a {@code {}} for each value; an exception may follow as the last value */
    public void warn(String form, @Nullable Object... values) {
        write(Level.WARN, form, values);
    }

    /** @param form with a {@code {}} for each value; an exception may follow as the last value */
    public void error(String form, @Nullable Object... values) {
        write(Level.ERROR, form, values);
    }

    private void write(Level level, String form, @Nullable Object... values) {
        long due = next.get();
        // Read before the line is taken: what other threads leave out from then on belongs to the next line.
        long omitted = left.get();
        if (!time.reached(due) || !next.compareAndSet(due, time.deadline(period))) {
            left.incrementAndGet();
            return;
        }
        left.addAndGet(-omitted);
        String counted = omitted == 0 ? form : form + " (and " + omitted + " like it since the last line)";
        log.atLevel(level).log(counted, visible(values));
    }

    private static @Nullable Object[] visible(@Nullable Object... values) {
        @Nullable
        Object[] visible = values.clone();
        for (int n = 0; n < visible.length; n++) {
            Object value = visible[n];
            if (value != null && !(value instanceof Number) && !(value instanceof Throwable)) {
                visible[n] = VisibleText.of(value.toString());
            }
        }
        return visible;
    }
}
