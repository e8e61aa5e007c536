package dev.orderly.store.sqlite.state;

import dev.orderly.job.Limit;
import dev.orderly.job.Priority;
import dev.orderly.job.settings.KeySettings;
import dev.orderly.job.store.JobSequence;
import dev.orderly.job.store.KeyCounts;
import dev.orderly.job.store.StartWindow;
import dev.orderly.store.sqlite.table.JobTable;
import dev.orderly.store.sqlite.table.JobTable.Lane;
import dev.orderly.store.sqlite.table.StoredJob;
import dev.orderly.store.sqlite.table.StoredJob.Place;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Index of a standard queue: four priority classes take turns, each ordered by the moments at which its jobs were
 * pushed or became due.
 */
public final class StandardQueueIndex implements QueueIndex {
    private final Identity identity;
    private final Map<Priority, Rank> classes = new EnumMap<>(Priority.class);
    /** The jobs with keys; all others come before them. */
    public final KeyedJobs keyed;
    private final LongSupplier storeTime;
    private long turn;

    StandardQueueIndex(Identity identity, JobTable jobs, SqliteLockedJobs running,
            Supplier<@Nullable Limit> limitOfKeys,
            LongSupplier storeTime) {
        this.identity = identity;
        this.storeTime = storeTime;
        this.keyed = new KeyedJobs(identity.id, jobs, running, limitOfKeys, storeTime);
        for (Priority priority : Priority.values()) {
            Lane lane = new Lane(identity.id, priority.number());
            classes.put(priority, new Rank(new WaitingScan(jobs, running, lane), new DelayedScan(jobs, running, lane),
                    new ArrayList<>()));
        }
    }

    @Override
    public Identity identity() {
        return identity;
    }

    @Override
    public void restore() throws SQLException {
        // Of jobs without keys nothing is read before the first claim: the cursors start at the first job.
        keyed.restore();
    }

    @Override
    public void set(String key, KeySettings settings) {
        identity.set(key, settings);
        keyed.turns.settings(key, settings, storeTime.getAsLong());
    }

    @Override
    public StartWindow window(String key) {
        return keyed.turns.window(key);
    }

    @Override
    public @Nullable Limit limitOf(String key) {
        return keyed.turns.limit(key);
    }

    @Override
    public KeyCounts keyCounts() {
        return keyed.turns.counts(name());
    }

    @Override
    public void pushed(StoredJob row) {
        if (row.place().key() != null) {
            keyed.pushed(row);
        } else if (row.place().state() == StoredJob.DELAYED) {
            of(row.place()).due.delayed(row.place());
        } else {
            of(row.place()).waiting.pushed(row);
        }
    }

    @Override
    public boolean mayHandOff(StoredJob row, long now) {
        boolean empty = row.place().state() == StoredJob.WAITING && row.place().key() == null;
        for (Rank each : classes.values()) {
            empty = empty && each.waiting.isKnownEmpty() && each.due.isKnownEmpty(now);
        }
        return empty;
    }

    @Override
    public void handedOff(LockedJob locked) {
        locked.mayHaveRun = true;
    }

    @Override
    public void take(int limit, long now, Taker taker) throws SQLException {
        int taken = 0;
        int missed = 0;
        try {
            while (taken < limit && missed < Priority.turns()) {
                Rank rank = of(Priority.turn(turn++));
                StoredJob row = rank.next(now, taker);
                if (row == null) {
                    missed++;
                } else {
                    LockedJob locked = taker.take(this, row);
                    if (locked == null) {
                        return;
                    }
                    locked.mayHaveRun = true;
                    rank.poll(row);
                    taken++;
                    missed = 0;
                }
            }
        } finally {
            classes.values().forEach(Rank::putBack);
        }
        takeKeyed(limit - taken, taker);
    }

    private void takeKeyed(int limit, Taker taker) throws SQLException {
        int taken = 0;
        try {
            keyed.limit();
            String key = keyed.turns.next(storeTime.getAsLong());
            while (key != null && taken < limit) {
                StoredJob row = keyed.first(key, taker::passesOver);
                if (row == null) {
                    keyed.turns.pass(key);
                } else if (keyed.turns.admits(key, row.terms().cost(), storeTime.getAsLong())) {
                    LockedJob locked = taker.take(this, row);
                    if (locked == null) {
                        return;
                    }
                    locked.mayHaveRun = true;
                    taken++;
                    if (keyed.took(row)) {
                        taker.tookToken(this, key);
                    }
                }
                key = keyed.turns.next(storeTime.getAsLong());
            }
        } finally {
            keyed.turns.resume(storeTime.getAsLong());
        }
    }

    @Override
    public long nextDue(long now) throws SQLException {
        long next = Long.MAX_VALUE;
        for (Rank each : classes.values()) {
            next = Math.min(next, each.due.nextDue(now));
        }
        return Math.min(next, keyed.nextDue(now));
    }

    @Override
    public void restored(LockedJob locked) {
        ran(locked, true);
        locked.mayHaveRun = true;
    }

    /** Counts a job for its key. */
    private void ran(LockedJob locked, boolean runs) {
        if (locked.place.key() != null) {
            keyed.runs(locked.place, runs);
        }
    }

    @Override
    public void requeued(LockedJob locked, Place place) {
        ran(locked, false);
        reread(place);
    }

    @Override
    public void reread(Place place) {
        if (place.key() != null) {
            keyed.again(place);
        } else if (place.state() == StoredJob.DELAYED) {
            of(place).due.delayed(place);
        } else {
            of(place).waiting.rewind(place.seq());
        }
    }

    @Override
    public void ended(LockedJob locked, boolean halts) {
        ran(locked, false);
        // The row is deleted, and a claimed job is in no buffer.
    }

    @Override
    public void crashed(LockedJob locked, boolean halts) {
        requeued(locked, locked.place);
    }

    @Override
    public void dueNow(Place from) {
        if (from.key() != null) {
            keyed.dueNow(from);
        } else {
            of(from).due.removed(from.seq());
            of(from).waiting.rewind(from.seq());
        }
    }

    @Override
    public void removed(Place place) {
        if (place.key() != null) {
            keyed.removed(place);
        } else {
            of(place).waiting.removed(place.seq());
            of(place).due.removed(place.seq());
        }
    }

    @Override
    public void halted(Place place) {
        throw new IllegalStateException("Queue " + name() + " has no groups to halt");
    }

    @Override
    public void redriven(Place place) {
        reread(place.stateAt(StoredJob.WAITING, 0));
    }

    @Override
    public void deadRemoved(Place place) {
        // Dead letters are in no buffer.
    }

    @Override
    public int halts() {
        return 0;
    }

    @Override
    public int buffered() {
        return classes.values().stream().mapToInt(each -> each.waiting.buffered() + each.due.buffered()).sum()
                + keyed.buffered();
    }

    private Rank of(Place place) {
        return of(Priority.of((Integer) place.lane()));
    }

    private Rank of(Priority priority) {
        return Objects.requireNonNull(classes.get(priority), "every priority has a class");
    }

    /**
     * One priority class.
     *
     * @param passed jobs that the claim under way has passed over, until {@link #putBack}
     */
    private record Rank(WaitingScan waiting, DelayedScan due, List<StoredJob> passed) {
        /**
         * The earlier of the next waiting and the next due job, without removing it: neither new jobs nor retries
         * starve the others.
         */
        @Nullable
        StoredJob next(long now, Taker taker) throws SQLException {
            StoredJob row = next(now);
            while (row != null && taker.passesOver(row.seq())) {
                poll(row);
                passed.add(row);
                row = next(now);
            }
            return row;
        }

        void putBack() {
            if (!passed.isEmpty()) {
                waiting.putBack(passed.stream().filter(row -> !isDelayed(row)).toList());
                due.putBack(passed.stream().filter(Rank::isDelayed).toList());
                passed.clear();
            }
        }

        private static boolean isDelayed(StoredJob row) {
            return row.place().state() == StoredJob.DELAYED;
        }

        private @Nullable StoredJob next(long now) throws SQLException {
            StoredJob waits = waiting.peek();
            StoredJob isDue = due.peek(now);
            if (waits == null || isDue == null) {
                return waits == null ? isDue : waits;
            }
            return JobSequence.startOf(Instant.ofEpochMilli(isDue.readyAt())) < waits.seq() ? isDue : waits;
        }

        void poll(StoredJob row) {
            if (isDelayed(row)) {
                due.poll();
            } else {
                waiting.poll();
            }
        }
    }
}
