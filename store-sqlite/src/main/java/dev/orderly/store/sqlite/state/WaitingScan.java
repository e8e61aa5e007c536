package dev.orderly.store.sqlite.state;

import dev.orderly.store.sqlite.table.JobTable;
import dev.orderly.store.sqlite.table.JobTable.Lane;
import dev.orderly.store.sqlite.table.StoredJob;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The waiting jobs of one priority class in push order. The next jobs are buffered; the rest is read with a cursor over
 * the index. While all waiting jobs are buffered, pushed jobs go directly to the buffer and are never read.
 */
final class WaitingScan {
    private static final int ROWS = 4_096;
    private static final int BYTES = 1 << 20;

    private final JobTable jobs;
    private final SqliteLockedJobs running;
    private final Lane lane;
    private final ArrayDeque<StoredJob> next = new ArrayDeque<>();
    private long bytes;
    /** The cursor: all waiting jobs up to here are in {@code next}, or claimed. */
    private long through;
    /** Whether no waiting job is after the cursor. */
    private boolean complete;

    WaitingScan(JobTable jobs, SqliteLockedJobs running, Lane lane) {
        this.jobs = jobs;
        this.running = running;
        this.lane = lane;
    }

    @Nullable
    StoredJob peek() throws SQLException {
        if (next.isEmpty() && !complete) {
            read();
        }
        return next.peekFirst();
    }

    void poll() {
        bytes -= next.removeFirst().weight();
        assert bytes >= 0 && (bytes == 0) == next.isEmpty() : next.size() + " buffered jobs of " + bytes + " bytes";
    }

    /** Returns jobs that were polled and not claimed, in their order. */
    void putBack(List<StoredJob> rows) {
        for (StoredJob row : rows.reversed()) {
            next.addFirst(row);
            bytes += row.weight();
        }
    }

    void pushed(StoredJob row) {
        if (complete && hasRoom()) {
            keep(row);
        } else {
            complete = false;
        }
    }

    /** Whether no job waits here or in the file. */
    boolean isKnownEmpty() {
        return complete && next.isEmpty();
    }

    /** Moves the cursor back before a job that is waiting again, and before all buffered jobs. */
    void rewind(long seq) {
        complete = false;
        if (seq <= through) {
            StoredJob first = next.peekFirst();
            through = Math.min(seq, first == null ? seq : first.seq()) - 1;
            next.clear();
            bytes = 0;
        }
    }

    void removed(long seq) {
        next.removeIf(row -> {
            boolean gone = row.seq() == seq;
            bytes -= gone ? row.weight() : 0;
            return gone;
        });
    }

    int buffered() {
        return next.size();
    }

    private void read() throws SQLException {
        complete = true;
        jobs.waiting(lane, through, seq -> !running.has(seq), row -> {
            keep(row);
            complete = hasRoom();
            return complete;
        });
    }

    private void keep(StoredJob row) {
        next.addLast(row);
        bytes += row.weight();
        through = row.seq();
    }

    private boolean hasRoom() {
        return next.size() < ROWS && bytes < BYTES;
    }
}
