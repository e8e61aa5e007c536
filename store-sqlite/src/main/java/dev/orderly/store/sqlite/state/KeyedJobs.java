package dev.orderly.store.sqlite.state;

import dev.orderly.job.Limit;
import dev.orderly.job.limit.KeyTurns;
import dev.orderly.store.sql.ClassNumber;
import dev.orderly.store.sqlite.table.JobTable;
import dev.orderly.store.sqlite.table.JobTable.Lane;
import dev.orderly.store.sqlite.table.RestRows;
import dev.orderly.store.sqlite.table.StoredJob;
import dev.orderly.store.sqlite.table.StoredJob.Place;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The jobs with keys of one queue: who is next is up to {@link KeyTurns}, which job of a key is up to the index of the
 * file. A few jobs of each key are buffered, and of all keys no more than a bound; beyond it the next job of a key is
 * read at its turn. A delayed job that is due is not claimed: it is made to wait first.
 */
public final class KeyedJobs {
    /** Jobs of one key that are buffered. */
    private static final int ROWS = 32;
    private static final int BYTES_OF_KEY = 64 << 10;
    private static final int BYTES = 4 << 20;
    private static final Comparator<Place> ORDER = Comparator.<Place>comparingInt(place -> (Integer) place.lane())
            .thenComparingLong(Place::seq);

    public final KeyTurns turns = new KeyTurns();
    private final int queue;
    private final JobTable jobs;
    private final SqliteLockedJobs running;
    private final Supplier<@Nullable Limit> limit;
    private final LongSupplier now;
    private final Map<String, Waiting> waiting = new HashMap<>();
    private final Map<Integer, DelayedScan> delayed = new TreeMap<>();
    /** Of all buffered jobs. */
    private long bytes;

    /** The waiting jobs of a key; a key that has none is in no map. */
    private final class Waiting {
        private final ArrayDeque<StoredJob> next = new ArrayDeque<>();
        /** The last job that was read or added; null before the first. */
        @Nullable
        Place through;
        /** Whether no waiting job is after {@code through}. */
        boolean complete;

        void reset() {
            removeIf(_ -> true);
            through = null;
            complete = false;
        }

        boolean hasRoom() {
            return bytes < BYTES && next.size() < ROWS
                    && next.stream().mapToInt(StoredJob::weight).sum() < BYTES_OF_KEY;
        }

        boolean removeIf(Predicate<StoredJob> condition) {
            return next.removeIf(row -> {
                boolean gone = condition.test(row);
                bytes -= gone ? row.weight() : 0;
                assert bytes >= 0 : "buffered jobs of " + bytes + " bytes";
                return gone;
            });
        }

        void keep(StoredJob row) {
            next.addLast(row);
            bytes += row.weight();
            through = row.place();
        }
    }

    /**
     * @param limit the limit of each key in force; null for none
     * @param now by the store's clock, in Unix milliseconds
     */
    KeyedJobs(int queue, JobTable jobs, SqliteLockedJobs running, Supplier<@Nullable Limit> limit,
            LongSupplier now) {
        this.queue = queue;
        this.jobs = jobs;
        this.running = running;
        this.limit = limit;
        this.now = now;
        for (int number : ClassNumber.KEYED) {
            delayed.put(number, new DelayedScan(jobs, running, new Lane(queue, number)));
        }
    }

    /** Reads the keys, after a restart. */
    void restore() throws SQLException {
        limit();
        jobs.keys.windows(queue).forEach((key, window) -> turns.restore(key, window, now.getAsLong()));
        for (String key : jobs.keys.names(queue)) {
            waits(key).reset();
        }
    }

    /** Reads the rests of keys, after a restart. */
    void restore(RestRows rests) throws SQLException {
        rests.ofKeys(queue).forEach((key, rest) -> turns.rest(key, rest, now.getAsLong()));
    }

    /** Puts the limit of each key in force. */
    void limit() {
        turns.limit(limit.get(), now.getAsLong());
    }

    private Waiting waits(String key) {
        Waiting found = waiting.get(key);
        if (found == null) {
            found = new Waiting();
            found.complete = true;
            waiting.put(key, found);
        }
        turns.waits(key, true, now.getAsLong());
        return found;
    }

    private void waitsNot(String key) {
        waiting.remove(key);
        turns.waits(key, false, now.getAsLong());
    }

    private static String key(Place place) {
        return Objects.requireNonNull(place.key(), "a job with a key");
    }

    private DelayedScan delayed(Place place) {
        return Objects.requireNonNull(delayed.get((Integer) place.lane()), "every class has a scan");
    }

    /** Adds a new job. */
    void pushed(StoredJob row) {
        Place place = row.place();
        if (place.state() == StoredJob.DELAYED) {
            delayed(place).delayed(place);
            return;
        }
        Waiting of = waits(key(place));
        boolean last = of.through == null || ORDER.compare(place, of.through) > 0;
        if (last && of.complete && of.hasRoom()) {
            of.keep(row);
        } else if (last && of.through != null) {
            of.complete = false;
        } else {
            of.reset();
        }
    }

    /** A job waits, or is delayed, again or anew. */
    void again(Place place) {
        if (place.state() == StoredJob.DELAYED) {
            delayed(place).delayed(place);
        } else {
            waits(key(place)).reset();
        }
    }

    /** A delayed job, at this place, waits now. */
    void dueNow(Place from) {
        delayed(from).removed(from.seq());
        waits(key(from)).reset();
    }

    /** A waiting or delayed job was removed. */
    void removed(Place place) {
        delayed(place).removed(place.seq());
        Waiting of = waiting.get(key(place));
        if (of != null) {
            turns.waits(key(place), true, now.getAsLong());
            of.removeIf(row -> row.seq() == place.seq());
            checkEmpty(key(place), of);
        }
    }

    /** A job of a key runs, or does not run any more. */
    void runs(Place place, boolean runs) {
        turns.runs(key(place), runs, now.getAsLong());
    }

    /** The next job of a key that is not passed over; null for none. */
    @Nullable
    StoredJob first(String key, LongPredicate passedOver) throws SQLException {
        Waiting of = waiting.get(key);
        while (of != null) {
            StoredJob found = of.next.stream().filter(row -> !passedOver.test(row.seq())).findFirst().orElse(null);
            if (found != null || of.complete) {
                checkEmpty(key, of);
                return found;
            }
            read(key, of);
        }
        return null;
    }

    private void read(String key, Waiting of) throws SQLException {
        int before = of.next.size();
        of.complete = true;
        jobs.keys.waiting(queue, key, of.through, seq -> !running.has(seq), row -> {
            of.keep(row);
            of.complete = of.next.size() < before + ROWS && of.hasRoom();
            return of.complete;
        });
    }

    /** Takes out a job that was claimed; returns whether tokens of its key have changed. */
    boolean took(StoredJob row) {
        String key = key(row.place());
        boolean tokens = turns.took(key, row.terms().cost(), now.getAsLong());
        Waiting of = Objects.requireNonNull(waiting.get(key));
        of.removeIf(each -> each.seq() == row.seq());
        runs(row.place(), true);
        checkEmpty(key, of);
        return tokens;
    }

    private void checkEmpty(String key, Waiting of) {
        if (of.complete && of.next.isEmpty()) {
            waitsNot(key);
        }
    }

    /** The first delayed jobs that are due. */
    public List<Place> due(long moment) throws SQLException {
        List<Place> due = new ArrayList<>();
        for (DelayedScan each : delayed.values()) {
            due.addAll(each.due(moment));
        }
        return due;
    }

    /** As {@link QueueIndex#nextDue}. */
    long nextDue(long moment) throws SQLException {
        long next = Long.MAX_VALUE;
        for (DelayedScan each : delayed.values()) {
            next = Math.min(next, each.nextDue(moment));
        }
        return next;
    }

    int buffered() {
        return waiting.values().stream().mapToInt(of -> of.next.size()).sum()
                + delayed.values().stream().mapToInt(DelayedScan::buffered).sum();
    }
}
