package dev.orderly.store.postgres.job;

import dev.orderly.job.JobId;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.JobStore.ProgressReport;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.NodeId;
import dev.orderly.job.store.Settlement;
import dev.orderly.store.postgres.sql.LockPatience;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.sql.JobIds;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Takes what nodes report about the jobs they hold. */
public final class SettleJobs {
    private final JobIds ids;

    public SettleJobs(JobIds ids) {
        this.ids = ids;
    }

    /**
     * Those of standard queues that are simply done go in one statement, after the others; unless a job is named twice,
     * when the first report counts. Without patience each is looked at, and what is held stays out.
     */
    public List<SettleResult> settle(Connection connection, List<Settlement> settlements, Instant now,
            LockPatience patience)
            throws SQLException {
        if (patience == LockPatience.NONE
                || settlements.stream().map(one -> one.attempt().id()).distinct().count() < settlements.size()) {
            return settleCarefully(connection, settlements, now, patience);
        }
        Map<Boolean, List<Settlement>> byCare = settlements.stream().collect(Collectors.partitioningBy(this::isSimple));
        List<Settlement> careful = Objects.requireNonNull(byCare.get(false));
        List<Settlement> simple = Objects.requireNonNull(byCare.get(true));
        Iterator<SettleResult> others = settleCarefully(connection, careful, now, patience).iterator();
        Set<AttemptId> done = DoneJobs.write(connection, simple, now, patience);
        List<SettleResult> results = new ArrayList<>();
        for (Settlement one : settlements) {
            if (isSimple(one)) {
                results.add(done.contains(one.attempt()) ? SettleResult.ACCEPTED : SettleResult.LEASE_LOST);
            } else {
                results.add(others.next());
            }
        }
        return results;
    }

    private boolean isSimple(Settlement one) {
        return one.ending() instanceof AttemptOutcome.Done && !one.attempt().queue().isFifo()
                && ids.isOwn(one.attempt().id());
    }

    private List<SettleResult> settleCarefully(Connection connection, List<Settlement> settlements, Instant now,
            LockPatience patience) throws SQLException {
        if (settlements.isEmpty()) {
            return List.of();
        }
        LockedJobs held = LockedJobs.lock(connection,
                numbers(settlements.stream().map(one -> one.attempt().id()).toList()),
                settlements.stream().anyMatch(one -> one.attempt().queue().isFifo()), patience);
        JobChanges changes = new JobChanges(now);
        List<SettleResult> results = new ArrayList<>();
        for (Settlement one : settlements) {
            LockedJobs.Row row = held(held, one.node(), one.attempt());
            if (row != null) {
                end(held, changes, row, one.ending());
            }
            results.add(result(held, row, one.attempt()));
        }
        changes.write(connection, held, now);
        return results;
    }

    /** Gives back what a node holds besides the jobs named. */
    public int release(Connection connection, NodeId node, Set<JobId> except, Instant now, LockPatience patience)
            throws SQLException {
        Set<Long> kept = new HashSet<>(numbers(except));
        List<Long> over = new ArrayList<>(new Sql(connection, """
                SELECT held.seq FROM node
                  CROSS JOIN LATERAL (SELECT seq FROM job WHERE job.node = node.id AND job.state = 2 OFFSET 0) AS held
                WHERE node.name = ? AND NOT node.dead""").with(node.value()).list(row -> row.getLong(1)));
        over.removeAll(kept);
        if (over.isEmpty()) {
            return 0;
        }
        LockedJobs held = LockedJobs.lock(connection, over, true, patience);
        JobChanges changes = new JobChanges(now);
        int released = 0;
        for (long seq : over) {
            LockedJobs.Row row = held.find(seq);
            if (row != null && isWith(row, node)) {
                end(held, changes, row, new AttemptOutcome.GiveBack());
                released++;
            }
        }
        changes.write(connection, held, now);
        return released;
    }

    List<SettleResult> progress(Connection connection, List<ProgressReport> reports) throws SQLException {
        LockedJobs held = LockedJobs.lock(connection,
                numbers(reports.stream().map(one -> one.attempt().id()).toList()), false, LockPatience.NONE);
        List<SettleResult> results = new ArrayList<>();
        List<Long> seqs = new ArrayList<>();
        List<@Nullable String> texts = new ArrayList<>();
        for (ProgressReport one : reports.reversed()) {
            LockedJobs.Row row = held(held, one.node(), one.attempt());
            // The last report of a job counts, and comes first here.
            if (row != null && !seqs.contains(row.seq())) {
                seqs.add(row.seq());
                texts.add(JobColumns.progress(one.progress()));
            }
            results.add(result(held, row, one.attempt()));
        }
        if (!seqs.isEmpty()) {
            new Sql(connection, """
                    UPDATE job SET progress = report.text FROM unnest(?, ?) AS report(seq, text)
                    WHERE job.seq = report.seq""").longs(seqs).texts(texts).update();
        }
        return results.reversed();
    }

    private static void end(LockedJobs held, JobChanges changes, LockedJobs.Row row, AttemptOutcome ending) {
        long seq = row.seq();
        boolean goesOn = switch (ending) {
            case AttemptOutcome.Done done -> {
                changes.done(seq, done.result());
                yield true;
            }
            case AttemptOutcome.Cancelled cancelled -> {
                changes.cancelled(seq, cancelled.reason());
                yield true;
            }
            case AttemptOutcome.Retry retry -> {
                changes.retry(seq, retry.at(), retry.failure());
                yield false;
            }
            case AttemptOutcome.Snooze snooze -> {
                changes.putBack(seq, snooze.at());
                yield false;
            }
            case AttemptOutcome.GiveBack _ -> {
                changes.putBack(seq, null);
                yield false;
            }
            case AttemptOutcome.Dead dead -> {
                boolean halts = dead.halt() && row.lane() != null;
                changes.dead(seq, dead.failure(), halts, false);
                yield !halts;
            }
        };
        held.letGo(row, goesOn);
    }

    /** The fence: the job if this attempt is its newest and this node, in this life, holds it. */
    private LockedJobs.@Nullable Row held(LockedJobs held, NodeId node, AttemptId attempt) {
        LockedJobs.Row row = ids.isOwn(attempt.id()) ? held.find(attempt.id().sequence()) : null;
        return row != null && row.attempt() == attempt.number() && isWith(row, node) ? row : null;
    }

    private SettleResult result(LockedJobs held, LockedJobs.@Nullable Row row, AttemptId attempt) {
        if (row != null) {
            return SettleResult.ACCEPTED;
        }
        boolean blocked = ids.isOwn(attempt.id()) && held.isBlocked(attempt.id().sequence());
        return blocked ? SettleResult.BLOCKED : SettleResult.LEASE_LOST;
    }

    private static boolean isWith(LockedJobs.Row row, NodeId node) {
        return !row.nodeDead() && Objects.equals(row.node(), node.value());
    }

    private List<Long> numbers(Collection<JobId> all) {
        return all.stream().filter(ids::isOwn).map(JobId::sequence).distinct().toList();
    }
}
