package dev.orderly.store.sqlite.view;

import dev.orderly.job.BatchLink;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.store.sqlite.state.LockedJob;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.table.StoredJob;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Pages of the members of a batch in a state, by id. */
final class MemberPages {
    private static final String MEMBERS = "SELECT seq FROM job WHERE batch = ? AND batch IS NOT NULL AND state = ?"
            + " AND seq > ? ORDER BY seq";

    private final WriterState state;
    private final JobViewRows rows;

    MemberPages(WriterState state, JobViewRows rows) {
        this.state = state;
        this.rows = rows;
    }

    /** A page, of one state of a job and one batch. */
    record Page(long batch, JobState state, long after, int limit) {}

    List<JobView> read(Connection connection, Page page) throws SQLException {
        List<JobView> found = new ArrayList<>();
        switch (page.state) {
            case RUNNING -> running(connection, page, found);
            case WAITING, DELAYED -> { // a delayed job may be due, and a waiting one of a group not yet
                stored(connection, page, StoredJob.WAITING, found);
                stored(connection, page, StoredJob.DELAYED, found);
            }
            case DEAD -> {
                stored(connection, page, StoredJob.DEAD, found);
                stored(connection, page, StoredJob.HALTING, found);
            }
            case DONE, CANCELLED -> throw new IllegalArgumentException(
                    "Members that are " + page.state + " are not listed by their batch: ask for another state");
        }
        return found.stream().sorted(Comparator.comparing(JobView::id)).limit(page.limit).toList();
    }

    private void running(Connection connection, Page page, List<JobView> found) throws SQLException {
        for (long seq : state.running.all().stream().map(LockedJob::seq).filter(seq -> seq > page.after).sorted()
                .toList()) {
            if (found.size() < page.limit) {
                add(connection, page, seq, found);
            }
        }
    }

    private void stored(Connection connection, Page page, int stored, List<JobView> found) throws SQLException {
        int most = found.size() + page.limit;
        try (PreparedStatement query = connection.prepareStatement(MEMBERS)) {
            query.setLong(1, page.batch);
            query.setInt(2, stored);
            query.setLong(3, page.after);
            try (ResultSet row = query.executeQuery()) {
                while (found.size() < most && row.next()) {
                    add(connection, page, row.getLong(1), found);
                }
            }
        }
    }

    private void add(Connection connection, Page page, long seq, List<JobView> found) throws SQLException {
        JobView view = rows.live(connection, seq, state.running.find(seq));
        BatchLink link = view == null ? null : view.terms().batch();
        if (view != null && view.state() == page.state && link != null && link.isMemberOf(page.batch)) {
            found.add(view);
        }
    }
}
