package dev.orderly.store.postgres.job;

import dev.orderly.job.Priority;
import dev.orderly.job.store.JobSequence;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Where this node begins to look for what is ready: behind what it has taken already, so that the dead index entries of
 * that are not walked again by each claim, however long an old transaction keeps them. Thread-safe.
 *
 * <p>Anything may still appear before that place: the push of a transaction that was long under way, a job that another
 * node gives back. So once a second a claim looks from the very beginning; what this node itself gives back it says at
 * once.
 */
public final class ScanCursors {
    /** The number of a line that is the ready groups of a queue, in their turns. */
    static final int LANES = 0;

    private static final Duration SWEEP = Duration.ofSeconds(1);
    /** Numbers carry the time: a push that commits within this is found at once. */
    private static final Duration LATE = Duration.ofMillis(100);
    /** Turns carry none: about as many as may be drawn and not committed. */
    private static final long LATE_TURNS = 10_000;

    private final Time time;
    private final Map<ScanKey, AtomicReference<Start>> starts = new ConcurrentHashMap<>();

    private record ScanKey(int queue, int number) {}

    /**
     * A place to begin at, compared by its identity.
     *
     * @param from the first number or turn to look at
     */
    record Start(long from, long sweepAt) {}

    public ScanCursors(Time time) {
        this.time = time;
    }

    /** Where to look for the waiting jobs of a class. */
    Start jobs(int queue, Priority priority) {
        return at(queue, priority.number());
    }

    /** Where to look for ready groups. */
    Start lanes(int queue) {
        return at(queue, LANES);
    }

    /** A claim that began there took jobs up to this one. */
    void took(int queue, Priority priority, Start began, long last, Instant now) {
        move(queue, priority.number(), began, Math.min(last, JobSequence.startOf(now.minus(LATE))));
    }

    /** A claim that began there took groups up to this turn. */
    void tookLanes(int queue, Start began, long last) {
        move(queue, LANES, began, last - LATE_TURNS);
    }

    /** This node gave a job back, and that is committed. */
    void gaveBack(int queue, long seq) {
        for (Priority priority : Priority.values()) {
            of(queue, priority.number()).updateAndGet(start -> new Start(Math.min(start.from, seq), start.sweepAt));
        }
    }

    /** Anything may be anywhere. */
    void forget() {
        starts.values().forEach(each -> each.set(beginning()));
    }

    private Start at(int queue, int number) {
        AtomicReference<Start> place = of(queue, number);
        Start start = place.get();
        if (time.reached(start.sweepAt)) {
            place.compareAndSet(start, beginning());
            return place.get();
        }
        return start;
    }

    /** Not if something was given back since the claim began. */
    private void move(int queue, int number, Start began, long from) {
        if (from > began.from) {
            of(queue, number).compareAndSet(began, new Start(from, began.sweepAt));
        }
    }

    private AtomicReference<Start> of(int queue, int number) {
        return starts.computeIfAbsent(new ScanKey(queue, number), _ -> new AtomicReference<>(beginning()));
    }

    private Start beginning() {
        return new Start(0, time.deadline(SWEEP));
    }
}
