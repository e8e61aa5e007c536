package dev.orderly.store.sqlite.state;

import dev.orderly.store.sqlite.table.JobTable;
import dev.orderly.store.sqlite.table.JobTable.Due;
import dev.orderly.store.sqlite.table.JobTable.Lane;
import dev.orderly.store.sqlite.table.StoredJob;
import dev.orderly.store.sqlite.table.StoredJob.Place;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The delayed jobs of one priority class in the order in which they become due. The next due jobs are buffered; the
 * rest is read with a cursor over the index, only when a job is due.
 */
final class DelayedScan {
    private static final int ROWS = 256;
    private static final int BYTES = 1 << 20;

    private final JobTable jobs;
    private final SqliteLockedJobs running;
    private final Lane lane;
    private final ArrayDeque<StoredJob> due = new ArrayDeque<>();
    private long bytes;
    /** The cursor: all delayed jobs up to here are in {@code due}, or claimed. */
    private Due through = Due.NEVER_READ;
    /** Lower bound for the due moment of jobs after {@code through}. */
    private long nextDue = Long.MIN_VALUE;

    DelayedScan(JobTable jobs, SqliteLockedJobs running, Lane lane) {
        this.jobs = jobs;
        this.running = running;
        this.lane = lane;
    }

    @Nullable
    StoredJob peek(long now) throws SQLException {
        if (due.isEmpty() && now >= nextDue) {
            read(now);
        }
        return due.peekFirst();
    }

    /** The first jobs that are due. */
    List<Place> due(long now) throws SQLException {
        return peek(now) == null ? List.of() : due.stream().map(StoredJob::place).toList();
    }

    void poll() {
        bytes -= due.removeFirst().weight();
    }

    /** Returns jobs that were polled and not claimed, in their order. */
    void putBack(List<StoredJob> rows) {
        for (StoredJob row : rows.reversed()) {
            due.addFirst(row);
            bytes += row.weight();
        }
    }

    /** Whether no job is due here or in the file. */
    boolean isKnownEmpty(long now) {
        return due.isEmpty() && now < nextDue;
    }

    /** Lower bound for the moment at which the next job becomes due, after {@code now}. */
    long nextDue(long now) throws SQLException {
        StoredJob first = peek(now);
        long next = first == null || first.readyAt() <= now ? nextDue : first.readyAt();
        return Math.max(now + 1, next);
    }

    /** Adds a delayed job: the cursor moves back if it has passed the job. */
    void delayed(Place place) {
        Due at = new Due(place.readyAt(), place.seq());
        nextDue = Math.min(nextDue, place.readyAt());
        if (at.compareTo(through) <= 0) {
            StoredJob first = due.peekFirst();
            Due start = first == null || at.compareTo(place(first)) < 0 ? at : place(first);
            through = new Due(start.at(), start.seq() - 1);
            nextDue = Math.min(nextDue, start.at());
            due.clear();
            bytes = 0;
        }
    }

    void removed(long seq) {
        due.removeIf(row -> {
            boolean gone = row.seq() == seq;
            bytes -= gone ? row.weight() : 0;
            return gone;
        });
    }

    int buffered() {
        return due.size();
    }

    private static Due place(StoredJob row) {
        return new Due(row.readyAt(), row.seq());
    }

    private void read(long now) throws SQLException {
        nextDue = Long.MAX_VALUE;
        jobs.delayed(lane, through, seq -> !running.has(seq), row -> {
            if (row.readyAt() > now || due.size() >= ROWS || bytes >= BYTES) {
                nextDue = row.readyAt();
                return false;
            }
            due.addLast(row);
            bytes += row.weight();
            through = place(row);
            return true;
        });
    }
}
