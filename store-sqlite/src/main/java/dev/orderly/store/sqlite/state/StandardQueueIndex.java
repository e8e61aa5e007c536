package dev.orderly.store.sqlite.state;

import dev.orderly.job.Priority;
import dev.orderly.job.store.JobSequence;
import dev.orderly.store.sqlite.table.JobTable;
import dev.orderly.store.sqlite.table.JobTable.Lane;
import dev.orderly.store.sqlite.table.StoredJob;
import dev.orderly.store.sqlite.table.StoredJob.Place;
import java.sql.SQLException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A standard queue: four classes by turns, each by the moment at which its jobs were pushed or became due. */
public final class StandardQueueIndex implements QueueIndex {
    private final Identity identity;
    private final Map<Priority, Rank> classes = new EnumMap<>(Priority.class);
    private long turn;

    StandardQueueIndex(Identity identity, JobTable jobs, LockedJobs running) {
        this.identity = identity;
        for (Priority priority : Priority.values()) {
            Lane lane = new Lane(identity.id, priority.number());
            classes.put(priority, new Rank(new WaitingScan(jobs, running, lane), new DelayedScan(jobs, running, lane)));
        }
    }

    @Override
    public Identity identity() {
        return identity;
    }

    @Override
    public void restore() {
        // Nothing to read before the first claim: the cursors start at the first job.
    }

    @Override
    public void pushed(StoredJob row) {
        if (row.place().state() == StoredJob.DELAYED) {
            of(row.place()).due.entered(row.place());
        } else {
            of(row.place()).waiting.pushed(row);
        }
    }

    @Override
    public void take(int lines, long now, Taker taker) throws SQLException {
        int taken = 0;
        int missed = 0;
        while (taken < lines && missed < Priority.turns()) {
            Rank rank = of(Priority.turn(turn++));
            StoredJob row = rank.next(now);
            if (row == null) {
                missed++;
            } else {
                LockedJob claim = taker.take(this, row);
                if (claim == null) {
                    return;
                }
                claim.mayHaveRun = true;
                rank.poll(row);
                taken++;
                missed = 0;
            }
        }
    }

    @Override
    public long nextDue(long now) throws SQLException {
        long next = Long.MAX_VALUE;
        for (Rank each : classes.values()) {
            next = Math.min(next, each.due.nextDue(now));
        }
        return next;
    }

    @Override
    public void held(LockedJob claim) {
        claim.mayHaveRun = true;
    }

    @Override
    public void again(LockedJob claim, Place place) {
        reread(place);
    }

    @Override
    public void reread(Place place) {
        if (place.state() == StoredJob.DELAYED) {
            of(place).due.entered(place);
        } else {
            of(place).waiting.rewind(place.seq());
        }
    }

    @Override
    public void over(LockedJob claim, boolean halts) {
        // Its row is gone and it is in no buffer.
    }

    @Override
    public void crashed(LockedJob claim, boolean halts) {
        again(claim, claim.place);
    }

    @Override
    public void removed(Place place) {
        of(place).waiting.removed(place.seq());
        of(place).due.removed(place.seq());
    }

    @Override
    public void halted(Place place) {
        throw new IllegalStateException("Queue " + name() + " has no groups to halt");
    }

    @Override
    public void redriven(Place place) {
        of(place).waiting.rewind(place.seq());
    }

    @Override
    public void buried(Place place) {
        // Dead letters are in no buffer.
    }

    @Override
    public int halts() {
        return 0;
    }

    @Override
    public int buffered() {
        return classes.values().stream().mapToInt(each -> each.waiting.buffered() + each.due.buffered()).sum();
    }

    private Rank of(Place place) {
        return of(Priority.of((Integer) place.lane()));
    }

    private Rank of(Priority priority) {
        return Objects.requireNonNull(classes.get(priority), "every class is there");
    }

    /** One priority class. */
    private record Rank(WaitingScan waiting, DelayedScan due) {
        /** Whichever comes first, without taking it: neither fresh jobs nor retries starve the other. */
        @Nullable
        StoredJob next(long now) throws SQLException {
            StoredJob waits = waiting.peek();
            StoredJob isDue = due.peek(now);
            if (waits == null || isDue == null) {
                return waits == null ? isDue : waits;
            }
            return JobSequence.startOf(Instant.ofEpochMilli(isDue.readyAt())) < waits.seq() ? isDue : waits;
        }

        void poll(StoredJob row) {
            if (row.place().state() == StoredJob.DELAYED) {
                due.poll();
            } else {
                waiting.poll();
            }
        }
    }
}
