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
 * Lower bounds of this node's index scans for ready jobs. Rows below a cursor were claimed by this node and may be dead
 * index entries, which an old transaction can keep for long; without cursors each claim would walk over them again.
 * Thread-safe.
 *
 * <p>Ready jobs may still appear below a cursor: by the commit of a long transaction, or by a job that another node
 * gives back. So once a second a claim scans from the beginning. Jobs that this node gives back move the cursor at
 * once.
 */
public final class ScanCursors {
    /** The number, in place of a priority's, of the cursor for the ready lanes of a queue, in their turns. */
    static final int LANES = 0;

    private static final Duration SWEEP = Duration.ofSeconds(1);
    /**
     * Distance of a cursor from now. Job numbers have the time in them: a push that commits within this is found at
     * once.
     */
    private static final Duration LATE = Duration.ofMillis(100);
    /** Distance of a lane cursor in turns, which have no time: about as many as may be drawn and not committed. */
    private static final long LATE_TURNS = 10_000;

    private final Time time;
    private final Map<ScanKey, AtomicReference<Start>> cursors = new ConcurrentHashMap<>();

    private record ScanKey(int queue, int number) {}

    /**
     * The lower bound of a scan, compared by identity.
     *
     * @param from the first number or turn to scan
     */
    record Start(long from, long sweepAt) {}

    public ScanCursors(Time time) {
        this.time = time;
    }

    /** The lower bound for waiting jobs of a priority. */
    Start jobs(int queue, Priority priority) {
        return at(queue, priority.number());
    }

    /** The lower bound for ready lanes. */
    Start lanes(int queue) {
        return at(queue, LANES);
    }

    /** Records that a claim from this bound took jobs up to this number. */
    void took(int queue, Priority priority, Start began, long last, Instant now) {
        move(queue, priority.number(), began, Math.min(last, JobSequence.startOf(now.minus(LATE))));
    }

    /** Records that a claim from this bound took lanes up to this turn. */
    void tookLanes(int queue, Start began, long last) {
        move(queue, LANES, began, last - LATE_TURNS);
    }

    /** Records that this node has given a job back and committed that. */
    void gaveBack(int queue, long seq) {
        for (Priority priority : Priority.values()) {
            of(queue, priority.number()).updateAndGet(start -> new Start(Math.min(start.from, seq), start.sweepAt));
        }
    }

    /** Resets all cursors. */
    void forget() {
        cursors.values().forEach(each -> each.set(beginning()));
    }

    private Start at(int queue, int number) {
        AtomicReference<Start> cursor = of(queue, number);
        Start start = cursor.get();
        if (time.reached(start.sweepAt)) {
            cursor.compareAndSet(start, beginning());
            return cursor.get();
        }
        return start;
    }

    /** Moves the cursor, unless a job was given back since the claim began. */
    private void move(int queue, int number, Start began, long from) {
        if (from > began.from) {
            of(queue, number).compareAndSet(began, new Start(from, began.sweepAt));
        }
    }

    private AtomicReference<Start> of(int queue, int number) {
        return cursors.computeIfAbsent(new ScanKey(queue, number), _ -> new AtomicReference<>(beginning()));
    }

    private Start beginning() {
        return new Start(0, time.deadline(SWEEP));
    }
}
