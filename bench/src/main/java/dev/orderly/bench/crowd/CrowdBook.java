package dev.orderly.bench.crowd;

import dev.orderly.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** The events of a crowd in the order in which visitors learned of them. Thread-safe. */
final class CrowdBook {
    /** A range is in whole seconds, and a called visitor polls once a second. */
    private static final long ROUNDING = Duration.ofSeconds(1).toNanos();
    /** The documented presence after a request: one and a half of the interval, and at least this. */
    private static final Duration PRESENT_LEAST = Duration.ofSeconds(3);

    private final ReentrantLock lock = new ReentrantLock();
    private final Time time;
    private final int capacity;
    private final List<Entry> entries = new ArrayList<>();
    private final List<Refusal> refusals = new ArrayList<>();
    private int waiting;
    private int inside;
    private int most;
    private boolean full;
    private long changed;
    private double usedSeconds;
    private double contendedSeconds;

    /** A first range, and the wait from then on; nanoseconds. {@code low} is below zero if none was told. */
    record Told(long low, long high, long waited) {}

    /** @param asked the moment of the request that was answered by admission; 0 if events had said so before */
    private record Entry(long place, long asked, long at, Told told) {}

    /**
     * A visitor who was answered at {@code from}, asked again at {@code at}, present all the time, and was told to
     * wait.
     */
    private record Refusal(long place, long from, long at) {}

    CrowdBook(Time time, int capacity) {
        this.time = time;
        this.capacity = capacity;
        this.changed = time.nanos();
    }

    /** Accounts for the time since the last change. */
    private void passed() {
        long now = time.nanos();
        if (full && waiting > 0) {
            double seconds = (now - changed) / 1e9;
            contendedSeconds += seconds;
            usedSeconds += seconds * Math.min(1, inside / (double) capacity);
        }
        changed = now;
    }

    void waits() {
        lock.lock();
        try {
            passed();
            waiting++;
        } finally {
            lock.unlock();
        }
    }

    void enters(long place, long asked, Told told) {
        lock.lock();
        try {
            passed();
            waiting--;
            entries.add(new Entry(place, asked, time.nanos(), told));
            inside();
        } finally {
            lock.unlock();
        }
    }

    /** A visitor enters at once. */
    void entersAtOnce() {
        lock.lock();
        try {
            passed();
            inside();
        } finally {
            lock.unlock();
        }
    }

    private void inside() {
        inside++;
        most = Math.max(most, inside);
        full |= inside >= 0.95 * capacity;
    }

    /** A visitor inside is about to say so. */
    void leaves() {
        lock.lock();
        try {
            passed();
            inside--;
        } finally {
            lock.unlock();
        }
    }

    /**
     * A visitor who had been told to wait asked again, and has to wait on.
     *
     * @param before the request before, and its answer
     */
    void refused(long place, Asked before, Duration poll, long asked) {
        lock.lock();
        try {
            Duration half = poll.multipliedBy(3).dividedBy(2);
            long present = before.at + (half.compareTo(PRESENT_LEAST) < 0 ? PRESENT_LEAST : half).toNanos();
            if (asked < present) {
                refusals.add(new Refusal(place, before.answered, asked));
            }
        } finally {
            lock.unlock();
        }
    }

    /** A request and its answer, in nanoseconds. */
    record Asked(long at, long answered) {}

    /** Only entries that were decided between the two requests count, however late answers are read. */
    private int overtaken() {
        return (int) refusals.stream()
                .filter(lower -> entries.stream().anyMatch(
                        higher -> higher.place > lower.place && higher.asked > lower.from && higher.at < lower.at))
                .mapToLong(Refusal::place).distinct().count();
    }

    CrowdOutcome outcome() {
        lock.lock();
        try {
            List<Told> told = entries.stream().map(Entry::told).filter(each -> each.low >= 0).toList();
            double count = Math.max(1, told.size());
            double longer = told.stream().filter(each -> each.waited > each.high + ROUNDING).count() / count;
            double less = told.stream().filter(each -> each.waited < each.low - ROUNDING).count() / count;
            return new CrowdOutcome(entries.size(), 1 - longer - less, longer, less, overtaken(),
                    contendedSeconds == 0 ? 1 : usedSeconds / contendedSeconds, most);
        } finally {
            lock.unlock();
        }
    }
}
