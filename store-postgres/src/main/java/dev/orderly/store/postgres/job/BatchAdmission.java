package dev.orderly.store.postgres.job;

import dev.orderly.job.BatchLink;
import dev.orderly.job.BatchView;
import dev.orderly.job.JobId;
import dev.orderly.job.store.BatchRules;
import dev.orderly.job.store.NewJob;
import dev.orderly.store.postgres.sql.LockPatience;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.sql.BatchColumns;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The admission of members to their batches, whose rows a push holds {@code FOR KEY SHARE} until it commits. */
final class BatchAdmission {
    private BatchAdmission() {}

    /**
     * Holds the batches of members, and the running members that push them, until the transaction ends.
     *
     * @throws dev.orderly.job.PushRefusedException if a batch does not take one of them
     */
    static void admit(Connection connection, List<NewJob> jobs, LockPatience patience) throws SQLException {
        List<NewJob> members = BatchRules.members(jobs);
        if (members.isEmpty()) {
            return;
        }
        Map<Long, BatchView> batches = new HashMap<>();
        new Sql(connection, "SELECT " + BatchColumns.VIEW + " FROM " + LockPatience.SET + "CROSS JOIN batch"
                + " WHERE id = ANY(?) ORDER BY id FOR KEY SHARE OF batch").with(patience.millis())
                .longs(members.stream().map(job -> BatchRules.link(job).number()).distinct().toList())
                .list(row -> BatchColumns.view(row, seq -> JobId.of(seq, 0)))
                .forEach(batch -> batches.put(batch.number(), batch));
        Set<List<Long>> running = running(connection, members, batches, patience);
        for (NewJob member : members) {
            BatchLink link = BatchRules.link(member);
            BatchRules.check(link, batches.get(link.number()), member.parent() != null
                    && running.contains(List.of(member.parent().sequence(), link.number())));
        }
    }

    /** The batches of members that another transaction holds, so that they take none before it ends. */
    static Set<Long> held(Connection connection, List<NewJob> jobs) throws SQLException {
        List<Long> asked = BatchRules.members(jobs).stream().map(job -> BatchRules.link(job).number()).distinct()
                .toList();
        return asked.isEmpty()
                ? Set.of()
                : new HashSet<>(new Sql(connection, """
                        WITH free AS (SELECT id FROM batch WHERE id = ANY(?) FOR KEY SHARE SKIP LOCKED)
                        SELECT id FROM batch WHERE id = ANY(?) AND id NOT IN (SELECT id FROM free)""").longs(asked)
                        .longs(asked).list(row -> row.getLong(1)));
    }

    /** The running members, with their batches, that push into a closed batch. */
    private static Set<List<Long>> running(Connection connection, List<NewJob> members, Map<Long, BatchView> batches,
            LockPatience patience) throws SQLException {
        List<Long> parents = members.stream().filter(job -> {
            BatchView batch = batches.get(BatchRules.link(job).number());
            return job.parent() != null && batch != null && batch.state() == BatchView.State.CLOSED;
        }).map(job -> Objects.requireNonNull(job.parent()).sequence()).distinct().toList();
        return parents.isEmpty()
                ? Set.of()
                : new HashSet<>(new Sql(connection, "SELECT seq, batch FROM " + LockPatience.SET + "CROSS JOIN job"
                        + " WHERE seq = ANY(?) AND state + 0 = RUNNING AND batch IS NOT NULL ORDER BY seq"
                        + " FOR SHARE OF job").with(patience.millis()).longs(parents)
                        .list(row -> List.of(row.getLong(1), row.getLong(2))));
    }
}
