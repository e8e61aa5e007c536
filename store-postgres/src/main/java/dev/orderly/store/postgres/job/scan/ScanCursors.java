package dev.orderly.store.postgres.job.scan;

import dev.orderly.job.Priority;
import dev.orderly.job.store.JobSequence;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Lower bounds of this node's index scans for ready and for due jobs. Rows below a cursor were claimed, or the scan
 * found none there; an old transaction can keep their dead index entries for long, and without cursors each claim and
 * each hand-off would walk over them again. Thread-safe.
 *
 * <p>Jobs may still become ready below a cursor. Those that this node knows of are kept by their numbers, which a claim
 * looks up one by one. Others, of a long transaction or given back by another node, are found by {@link CursorSweep}.
 */
public final class ScanCursors {
    /** The number, in place of a priority's, of the cursor for the ready lanes of a queue, in their turns. */
    static final int LANES = 0;
    /** The number of the cursor for due jobs or lanes of a queue, in their moments. */
    static final int DUE = -1;

    /**
     * Distance of a cursor behind taken jobs from now. Job numbers have the time in them: a push that commits within
     * this is found at once.
     */
    private static final Duration LATE = Duration.ofMillis(100);
    /**
     * Distance of a cursor behind an empty scan from now; longer, as nothing says that later pushes have committed by
     * then.
     */
    private static final Duration QUIET = Duration.ofSeconds(1);
    /** Distance of a lane cursor in turns, which have no time: about as many as may be drawn and not committed. */
    private static final long LATE_TURNS = 10_000;
    /** Bound on the jobs of a queue that are kept by their numbers; of more the lowest becomes the cursor. */
    static final int BELOW_MAX = 10_000;

    private final Map<Key, AtomicLong> cursors = new ConcurrentHashMap<>();
    private final Map<Integer, NavigableSet<Long>> below = new ConcurrentHashMap<>();

    /** The cursor of a queue for a priority, {@link #LANES} or {@link #DUE}. */
    public record Key(int queue, int number) {}

    /** The lower bound for waiting jobs of a priority. */
    public long jobs(int queue, Priority priority) {
        return of(queue, priority.number()).get();
    }

    /** The lower bounds for waiting jobs of all priorities, in their order. */
    public List<Long> jobs(int queue) {
        List<Long> bounds = new ArrayList<>();
        for (Priority priority : Priority.values()) {
            bounds.add(jobs(queue, priority));
        }
        return bounds;
    }

    /** The lower bound for ready lanes. */
    public long lanes(int queue) {
        return of(queue, LANES).get();
    }

    /** The lower bound, in Unix milliseconds, for delayed jobs or lanes. */
    public long due(int queue) {
        return of(queue, DUE).get();
    }

    /** The lowest numbers of jobs that may have become ready below the cursors, but for some. */
    public List<Long> below(int queue, int limit, Set<Long> except) {
        NavigableSet<Long> known = below.get(queue);
        return known == null
                ? List.of()
                : known.stream().filter(seq -> !except.contains(seq)).limit(limit).toList();
    }

    /** Whether a job may have become ready below the cursors. */
    public boolean hasBelow(int queue) {
        NavigableSet<Long> known = below.get(queue);
        return known != null && !known.isEmpty();
    }

    /**
     * Records that a claim took jobs from this bound up to this number. A cursor that moved since the claim began stays
     * there.
     */
    public void took(int queue, Priority priority, long began, long last, Instant now) {
        move(queue, priority.number(), began, Math.min(last, JobSequence.startOf(now.minus(LATE))));
    }

    /** Records that a scan of waiting jobs from this bound found none, although the numbers up to drawn were drawn. */
    public void foundNone(int queue, Priority priority, long began, long drawn, Instant now) {
        move(queue, priority.number(), began, Math.min(drawn, JobSequence.startOf(now.minus(QUIET))));
    }

    /** Records that a claim has taken lanes, or found none, from this bound up to this turn. */
    public void passedLanes(int queue, long began, long last) {
        move(queue, LANES, began, last - LATE_TURNS);
    }

    /** Records the first moment at which a delayed job is due, as a scan from this bound found it; null for none. */
    public void foundDue(int queue, long began, @Nullable Instant first, Instant now) {
        long quiet = now.minus(QUIET).toEpochMilli();
        move(queue, DUE, began, first == null ? quiet : Math.min(quiet, first.toEpochMilli()));
    }

    /** Records that a job may be ready, and that this is committed. */
    public void ready(int queue, long seq) {
        NavigableSet<Long> known = below.computeIfAbsent(queue, _ -> new ConcurrentSkipListSet<>());
        known.add(seq);
        if (known.size() > BELOW_MAX) { // counts the set, which is rare
            lowerTo(queue, known);
        }
    }

    private void lowerTo(int queue, NavigableSet<Long> known) {
        List<Long> all = List.copyOf(known);
        for (Priority priority : Priority.values()) {
            lower(queue, priority.number(), all.getFirst());
        }
        all.forEach(known::remove);
    }

    /** Records that a claim looked these jobs up, or got them. */
    public void looked(int queue, Collection<Long> seqs) {
        NavigableSet<Long> known = below.get(queue);
        if (known != null) {
            seqs.forEach(known::remove);
        }
    }

    /** Records that a job is not to be claimed any more, as it has ended. */
    public void ended(long seq) {
        below.values().forEach(known -> known.remove(seq));
    }

    /** Records that a job is due at a moment, and that this is committed. */
    public void delayed(int queue, Instant until) {
        lower(queue, DUE, until.toEpochMilli());
    }

    /** All cursors beyond the beginning. */
    Map<Key, Long> all() {
        Map<Key, Long> all = new HashMap<>();
        cursors.forEach((key, cursor) -> {
            if (cursor.get() > 0) {
                all.put(key, cursor.get());
            }
        });
        return all;
    }

    /** The lowest cursors of a queue: for waiting jobs of any priority, and for ready lanes. */
    public record Lowest(long job, long turn) {}

    /** The lowest cursors of each queue, below which this node knows of no job. */
    public Map<Integer, Lowest> lowest() {
        Map<Integer, Lowest> lowest = new HashMap<>();
        for (Key key : cursors.keySet()) {
            lowest.computeIfAbsent(key.queue(), queue -> {
                List<Long> jobs = new ArrayList<>(jobs(queue));
                jobs.addAll(below(queue, 1, Set.of()));
                return new Lowest(Collections.min(jobs), lanes(queue));
            });
        }
        return lowest;
    }

    /** Moves a cursor back. */
    void lower(int queue, int number, long to) {
        of(queue, number).accumulateAndGet(to, Math::min);
    }

    private void move(int queue, int number, long began, long to) {
        if (to > began) {
            of(queue, number).compareAndSet(began, to);
        }
    }

    private AtomicLong of(int queue, int number) {
        return cursors.computeIfAbsent(new Key(queue, number), _ -> new AtomicLong());
    }
}
