package dev.orderly.testkit.sim;

import dev.orderly.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The queue of future events, on clocks that move from one event to the next. Milliseconds since the start. */
final class Agenda {
    private static final int NOTES = 30;

    final ManualTime time = new ManualTime();
    final RandomGenerator random;
    private final Timeline events = new Timeline();
    private long now;
    private final Instant start = time.now();
    private Instant latest = start;
    private final ArrayDeque<Note> notes = new ArrayDeque<>();
    private long fingerprint;
    private @Nullable Throwable failure;

    /** A recorded event of a place. */
    private record Note(long at, String what, long place, long figure) {
        @Override
        public String toString() {
            return at + " ms: place " + place + " " + what + " " + figure;
        }
    }

    Agenda(RandomGenerator random) {
        this.random = random;
    }

    long now() {
        return now;
    }

    void in(long millis, Runnable what) {
        events.add(now + Math.max(0, millis), what);
    }

    /** Runs the next event; false if there is none. */
    boolean next() {
        Runnable event = events.next();
        if (event == null) {
            return false;
        }
        if (events.now() > now) {
            time.advance(Duration.ofMillis(events.now() - now));
            now = events.now();
        }
        read();
        event.run();
        read();
        return true;
    }

    private void read() {
        Instant shown = time.now();
        Instant passed = start.plusMillis(now);
        latest = shown.isAfter(latest) ? shown : latest;
        latest = passed.isAfter(latest) ? passed : latest;
    }

    /** The latest moment that a gate may have seen: the clocks jump, and gates go on where they would go back. */
    Instant latest() {
        return latest;
    }

    // ---- what happened

    void note(String what, long place, long figure) {
        fingerprint = fingerprint * 31 + Objects.hash(now, what, place, figure);
        if (notes.size() == NOTES) {
            notes.removeFirst();
        }
        notes.addLast(new Note(now, what, place, figure));
    }

    long fingerprint() {
        return fingerprint;
    }

    /** The last recorded events. */
    String story() {
        return notes.stream().map(note -> "  " + note).collect(Collectors.joining("\n"));
    }

    /** Ends the run; only the first failure counts. */
    void fail(Throwable cause) {
        failure = failure == null ? cause : failure;
    }

    @Nullable
    Throwable failure() {
        return failure;
    }

    // ---- chance

    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    /** A value from {@code least} to {@code most}, both included. */
    long between(long least, long most) {
        return least + random.nextLong(most - least + 1);
    }

    long exponential(long mean) {
        return (long) (-Math.log(1 - random.nextDouble()) * mean);
    }
}
