package dev.orderly.store.sqlite.state;

import dev.orderly.store.sqlite.table.JobTable;
import dev.orderly.store.sqlite.table.JobTable.Lane;
import dev.orderly.store.sqlite.table.StoredJob;
import java.sql.SQLException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads and buffers the first jobs of the groups of one FIFO queue; the buffer is bounded. A seek reads those of one
 * group, at a cost that does not depend on the depth of the group or on blocked groups. While it is worth it, a scan of
 * all jobs in push order reads ahead: the first jobs of many groups with one query, since one for each group cost more
 * than all other work of a claim.
 */
final class GroupReader {
    private static final int ROWS = 4_096;
    private static final int BYTES = 4 << 20;
    /** Rows that the scan reads at once, and jobs that it buffers of one group. */
    private static final int SCAN_ROWS = 512;
    private static final int SCAN_DEPTH = 8;
    /** Number of seeks after a scan that was not worth it. */
    private static final int SCAN_PAUSE = 1_024;

    private final int queue;
    private final JobTable jobs;
    private int rows;
    private long bytes;
    /** The position of the scan. */
    private long scanned;
    private int scanPause;

    GroupReader(int queue, JobTable jobs) {
        this.queue = queue;
        this.jobs = jobs;
    }

    /** A group with jobs that are stored and not in memory. */
    GroupState unread(String name) {
        GroupState group = new GroupState(name, false);
        group.passed = scanned;
        return group;
    }

    /** Adds a pushed job to its group: to the buffer, if all jobs of the group are there and it has room. */
    void pushed(GroupState group, StoredJob row) {
        if (group.complete && hasRoom()) {
            keep(group, row);
        } else {
            group.complete = false;
        }
    }

    /** Whether jobs of the group have to be read before its first job is known. */
    static boolean isUnread(GroupState group) {
        return group.peek() == null && !group.complete;
    }

    /** Reads first jobs of a group that {@link #isUnread}. */
    void read(GroupState group, int most) throws SQLException {
        group.complete = true;
        jobs.waiting(new Lane(queue, group.name), group.readThrough, seq -> true, row -> {
            keep(group, row);
            group.complete = group.buffered() < most;
            return group.complete;
        });
    }

    /** Reads ahead, unless the last scan was not worth it: buffers each next job that is the next job of its group. */
    void readAhead(Function<String, @Nullable GroupState> groups) throws SQLException {
        if (--scanPause >= 0) {
            return;
        }
        int[] useful = {0};
        if (hasRoom()) {
            scanned = jobs.scan(scanned, SCAN_ROWS, (of, lane, seq) -> {
                GroupState group = of == queue ? groups.apply((String) lane) : null;
                boolean next = group != null && seq > group.readThrough && group.isContiguous()
                        && group.takesMore(SCAN_DEPTH);
                if (next || (group != null && seq <= group.readThrough)) {
                    useful[0]++;
                } else if (group != null) {
                    group.passed = seq;
                }
                return next;
            }, row -> {
                GroupState group = groups.apply((String) row.place().lane());
                if (group != null) {
                    keep(group, row);
                }
                return bytes < BYTES;
            });
        }
        if (useful[0] < SCAN_ROWS / 4) {
            scanPause = SCAN_PAUSE;
        }
    }

    /** Removes the first buffered job of a group. */
    void poll(GroupState group) {
        bytes -= group.poll().weight();
        rows--;
        assert rows >= 0 && bytes >= 0 : rows + " buffered jobs of " + bytes + " bytes";
    }

    /** Drops the buffered jobs of a group: they are read again at its turn. */
    void drop(GroupState group) {
        while (group.peek() != null) {
            poll(group);
        }
        group.complete = false;
        group.passed = Math.max(group.passed, Math.max(scanned, group.readThrough));
        group.readThrough = group.startsAfter;
    }

    /** Number of buffered jobs. */
    int rows() {
        return rows;
    }

    private boolean hasRoom() {
        return rows < ROWS && bytes < BYTES;
    }

    private void keep(GroupState group, StoredJob row) {
        group.keep(row);
        rows++;
        bytes += row.weight();
    }
}
