package dev.orderly.store.postgres.job;

import dev.orderly.job.JobId;
import dev.orderly.job.JobTerms;
import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.AwaitAnswer;
import dev.orderly.job.store.EventWait;
import dev.orderly.job.store.JobStore.ProgressReport;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.JobStore.StepResult;
import dev.orderly.job.store.Settlement;
import dev.orderly.job.store.StepReport;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.store.postgres.sql.LockPatience;
import dev.orderly.store.postgres.sql.PostgresLeaseTable;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.sql.ColumnCodecs;
import dev.orderly.store.sql.DatabaseJobIds;
import dev.orderly.store.sql.EventRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Settlement, release and progress of the jobs that nodes hold. Every report passes the fence. */
public final class PostgresSettlements {
    /**
     * Bound on the jobs that are locked, looked at one by one and changed in a transaction of upkeep or of a stop: a
     * transaction that is idle for seconds meanwhile is ended by the server.
     */
    static final int STEP = 1_000;

    private final DatabaseJobIds ids;
    private final PostgresLeaseTable leases;

    public PostgresSettlements(DatabaseJobIds ids) {
        this(ids, new PostgresLeaseTable(null));
    }

    PostgresSettlements(DatabaseJobIds ids, PostgresLeaseTable leases) {
        this.ids = ids;
        this.leases = leases;
    }

    /**
     * Settles jobs. Done jobs share one statement for those of standard queues, and one for those of groups unless
     * another job of a group ends otherwise. If a job is named twice, the first report counts and all jobs take the
     * careful way. Without patience locked jobs are left out as blocked.
     */
    public List<SettleResult> settle(Connection connection, List<Settlement> settlements, Instant now,
            LockPatience patience) throws SQLException {
        return settle(connection, settlements, now, patience, DoneJobs.Keep.KEPT);
    }

    List<SettleResult> settle(Connection connection, List<Settlement> settlements, Instant now, LockPatience patience,
            DoneJobs.Keep keep) throws SQLException {
        if (patience == LockPatience.NONE || namesAJobTwice(settlements)) {
            return settleCarefully(connection, settlements, now, patience);
        }
        // All lanes are locked together and before the jobs, in one order for all transactions.
        boolean groupsAreSimple = settlements.stream().allMatch(each -> !isOfGroup(each) || isSimple(each));
        Predicate<Settlement> simple = each -> isSimple(each) && (groupsAreSimple || !isOfGroup(each));
        Set<AttemptId> done = DoneJobs.write(connection,
                settlements.stream().filter(simple).filter(PostgresSettlements::isOfGroup).toList(), now, patience,
                keep);
        Iterator<SettleResult> others = settleCarefully(connection,
                settlements.stream().filter(simple.negate()).toList(), now, patience).iterator();
        done.addAll(DoneJobs.write(connection,
                settlements.stream().filter(simple).filter(each -> !isOfGroup(each)).toList(), now, patience, keep));
        List<SettleResult> results = new ArrayList<>();
        for (Settlement settlement : settlements) {
            if (simple.test(settlement)) {
                results.add(done.contains(settlement.attempt()) ? SettleResult.ACCEPTED : SettleResult.LEASE_LOST);
            } else {
                results.add(others.next());
            }
        }
        return results;
    }

    /** Whether {@link #settle} with patience runs a single statement. */
    boolean isSingleStatement(List<Settlement> settlements) {
        return settlements.stream().allMatch(this::isSimple) && !namesAJobTwice(settlements)
                && settlements.stream().map(PostgresSettlements::isOfGroup).distinct().count() == 1
                && settlements.stream().map(Settlement::node).distinct().count() == 1;
    }

    private static boolean namesAJobTwice(List<Settlement> settlements) {
        return settlements.stream().map(each -> each.attempt().id()).distinct().count() < settlements.size();
    }

    private static boolean isOfGroup(Settlement settlement) {
        return settlement.attempt().queue().isFifo();
    }

    private boolean isSimple(Settlement settlement) {
        return settlement.outcome() instanceof AttemptOutcome.Done && settlement.node() != null
                && ids.isOwn(settlement.attempt().id());
    }

    private List<SettleResult> settleCarefully(Connection connection, List<Settlement> settlements, Instant now,
            LockPatience patience) throws SQLException {
        if (settlements.isEmpty()) {
            return List.of();
        }
        PostgresLockedJobs locked = PostgresLockedJobs.lock(connection,
                numbers(settlements.stream().map(each -> each.attempt().id()).toList()),
                settlements.stream().anyMatch(each -> each.attempt().queue().isFifo()), patience);
        JobChanges changes = new JobChanges(now);
        PostgresRests rests = PostgresRests.of(connection, settlements, leases::given);
        List<SettleResult> results = new ArrayList<>();
        Map<Long, Long> leased = new TreeMap<>();
        for (Settlement settlement : settlements) {
            PostgresLockedJobs.Row row = fenced(locked, settlement.node(), settlement.attempt());
            if (row != null && settlement.outcome() instanceof AttemptOutcome.Leased lease) {
                if (!row.cancelling()) {
                    leased.put(row.seq(), lease.length().toMillis());
                }
                results.add(row.cancelling() ? SettleResult.CANCELLED : SettleResult.ACCEPTED);
                continue;
            }
            if (row != null) {
                leased.remove(row.seq());
                AttemptOutcome said = rests.said(row, settlement);
                end(locked, changes, row, said instanceof AttemptOutcome.Awaiting awaiting
                        ? EventRows.settle(connection, row.seq(), row.attempt(), awaiting)
                        : said);
            }
            results.add(result(locked, row, settlement.attempt()));
        }
        leases.put(connection, leased);
        rests.write(connection);
        changes.write(connection, locked, now);
        return results;
    }

    /** Ends the attempts whose lease is over. Jobs that a foreign transaction holds are left to a later round. */
    List<JobId> endLeases(Connection connection, UpkeepRequest request, Instant now) throws SQLException {
        List<Long> seen = leases.over(connection, Math.min(request.limit(), STEP));
        if (seen.isEmpty()) {
            return List.of();
        }
        PostgresLockedJobs locked = PostgresLockedJobs.lock(connection, seen, true, LockPatience.NONE);
        JobChanges changes = new JobChanges(now);
        List<JobId> ended = new ArrayList<>();
        for (Over over : over(connection, leases.over(connection, seen))) {
            PostgresLockedJobs.Row row = locked.find(over.seq);
            if (row != null && row.isLeased()) {
                end(locked, changes, row,
                        request.leases().outcome(over.queue, over.terms, over.failures, row.cancelling(),
                                over.halts, now));
                ended.add(ids.of(over.seq));
            }
        }
        changes.write(connection, locked, now);
        return ended;
    }

    /** A job whose lease is over. */
    private record Over(long seq, QueueName queue, boolean halts, int failures, JobTerms terms) {}

    private static List<Over> over(Connection connection, List<Long> seqs) throws SQLException {
        return new Sql(connection,
                """
                        SELECT job.seq, queue.name, queue.halts, job.failures, job.params FROM job JOIN queue ON queue.id = job.queue
                        WHERE job.seq = ANY(?) ORDER BY job.seq""")
                .longs(seqs)
                .list(row -> new Over(row.getLong(1), new QueueName(row.getString(2)), row.getBoolean(3),
                        row.getInt(4), ColumnCodecs.terms(row.getString(5))));
    }

    /**
     * Ends the life of a node. What it still holds, since a claim under way commits it afterwards or another
     * transaction has locked it, is left to upkeep as the jobs of a dead node are, without a crash.
     */
    static void leave(Connection connection, NodeId node) throws SQLException {
        new Sql(connection, "UPDATE node SET dead = true, ran = 0 WHERE name = ? AND NOT dead").with(node.value())
                .update();
    }

    /**
     * Jobs that were given back.
     *
     * @param last the highest number that was looked at
     */
    public record Released(int jobs, long last, boolean more) {}

    /**
     * Gives back the jobs that a node holds, except the named ones, at most {@link #STEP}.
     *
     * @param after the lowest number is above this
     */
    public Released release(Connection connection, NodeId node, Set<JobId> except, long after, Instant now,
            LockPatience patience) throws SQLException {
        List<Long> over = new Sql(connection, """
                SELECT held.seq FROM node
                  CROSS JOIN LATERAL (SELECT seq FROM job WHERE job.node = node.id AND job.state = RUNNING
                    AND job.seq + 0 > ?
                    AND job.seq <> ALL(?) ORDER BY job.seq + 0 LIMIT ?) AS held
                WHERE node.name = ? AND NOT node.dead""").with(after).longs(numbers(except)).with(STEP)
                .with(node.value()).list(row -> row.getLong(1));
        if (over.isEmpty()) {
            return new Released(0, after, false);
        }
        PostgresLockedJobs locked = PostgresLockedJobs.lock(connection, over, true, patience);
        JobChanges changes = new JobChanges(now);
        int released = 0;
        for (long seq : over) {
            PostgresLockedJobs.Row row = locked.find(seq);
            if (row != null && isWith(row, node)) {
                end(locked, changes, row, new AttemptOutcome.GiveBack());
                released++;
            }
        }
        changes.write(connection, locked, now);
        return new Released(released, over.getLast(), over.size() == STEP);
    }

    Set<JobId> held(Connection connection, NodeId node) throws SQLException {
        return Set.copyOf(new Sql(connection, """
                SELECT job.seq FROM node JOIN job ON job.node = node.id AND job.state = RUNNING
                WHERE node.name = ? AND NOT node.dead""").with(node.value()).list(row -> ids.of(row.getLong(1))));
    }

    List<SettleResult> progress(Connection connection, List<ProgressReport> reports) throws SQLException {
        PostgresLockedJobs locked = PostgresLockedJobs.lock(connection,
                numbers(reports.stream().map(each -> each.attempt().id()).toList()), false, LockPatience.NONE);
        List<SettleResult> results = new ArrayList<>();
        List<Long> seqs = new ArrayList<>();
        List<@Nullable String> texts = new ArrayList<>();
        for (ProgressReport report : reports.reversed()) {
            PostgresLockedJobs.Row row = fenced(locked, report.node(), report.attempt());
            // The last report of a job counts, and the reversed list has it first.
            if (row != null && !seqs.contains(row.seq())) {
                seqs.add(row.seq());
                texts.add(JobColumns.progress(report.progress()));
            }
            results.add(result(locked, row, report.attempt()));
        }
        if (!seqs.isEmpty()) {
            new Sql(connection, """
                    UPDATE job SET progress = report.text FROM unnest(?, ?) AS report(seq, text)
                    WHERE job.seq = ANY(ARRAY[report.seq])""").longs(seqs).texts(texts).update();
        }
        return results.reversed();
    }

    /** {@link dev.orderly.job.store.JobStore#keep}. Without patience a locked job is blocked. */
    StepResult keep(Connection connection, StepReport report, Instant now, LockPatience patience)
            throws SQLException {
        return keep(connection, report, now, patience, true);
    }

    /** {@link dev.orderly.job.store.TransactionalJobs#keep}. */
    public StepResult keepAnew(Connection connection, StepReport report, Instant now) throws SQLException {
        return keep(connection, report, now, LockPatience.FULL, false);
    }

    private StepResult keep(Connection connection, StepReport report, Instant now, LockPatience patience,
            boolean repeatable) throws SQLException {
        PostgresLockedJobs locked = PostgresLockedJobs.lock(connection, numbers(List.of(report.attempt().id())), false,
                patience);
        PostgresLockedJobs.Row row = fenced(locked, report.node(), report.attempt());
        return row != null
                ? PostgresSteps.keep(connection, row.seq(), report, now, repeatable)
                : result(locked, null, report.attempt()) == SettleResult.BLOCKED
                        ? StepResult.BLOCKED
                        : StepResult.LEASE_LOST;
    }

    /** {@link dev.orderly.job.store.JobStore#await}. */
    AwaitAnswer await(Connection connection, EventWait wait, Instant now, LockPatience patience) throws SQLException {
        PostgresLockedJobs locked = PostgresLockedJobs.lock(connection, numbers(List.of(wait.attempt().id())), false,
                patience);
        PostgresLockedJobs.Row row = fenced(locked, wait.node(), wait.attempt());
        return row != null
                ? EventRows.await(connection, row.seq(), wait, now)
                : result(locked, null, wait.attempt()) == SettleResult.BLOCKED
                        ? AwaitAnswer.Refused.BLOCKED
                        : AwaitAnswer.Refused.LEASE_LOST;
    }

    /** Ends an attempt. The next job of its group starts only if the outcome is final as the node reported it. */
    private static void end(PostgresLockedJobs locked, JobChanges changes, PostgresLockedJobs.Row row,
            AttemptOutcome reported) {
        AttemptOutcome ending = row.cancelling() ? reported.whenCancelling() : reported;
        switch (ending) {
            case AttemptOutcome.Done done -> changes.done(row.seq(), done.result());
            case AttemptOutcome.Cancelled cancelled -> changes.cancelled(row.seq(), cancelled.reason());
            case AttemptOutcome.Retry _,AttemptOutcome.Snooze _,AttemptOutcome.Throttle _ -> changes.again(row, ending);
            case AttemptOutcome.Awaiting _ -> changes.again(row, ending);
            case AttemptOutcome.GiveBack _,AttemptOutcome.Unread _ -> changes.again(row, ending);
            case AttemptOutcome.Leased _ -> throw new IllegalArgumentException("A lease ends no attempt");
            case AttemptOutcome.Dead dead -> changes.dead(row, dead, dead.halt() && row.lane() != null);
        }
        locked.letGo(row, reported.isFinal());
    }

    /** The fence: the job if this attempt is its newest and this node, in its current life, holds it; else null. */
    private PostgresLockedJobs.@Nullable Row fenced(PostgresLockedJobs locked, @Nullable NodeId node,
            AttemptId attempt) {
        PostgresLockedJobs.Row row = ids.isOwn(attempt.id()) ? locked.find(attempt.id().sequence()) : null;
        boolean newest = row != null && row.attempt() == attempt.number();
        return row != null && newest && (node == null || isWith(row, node)) ? row : null;
    }

    private SettleResult result(PostgresLockedJobs locked, PostgresLockedJobs.@Nullable Row row, AttemptId attempt) {
        if (row != null) {
            return SettleResult.ACCEPTED;
        }
        boolean blocked = ids.isOwn(attempt.id()) && locked.isBlocked(attempt.id().sequence());
        return blocked ? SettleResult.BLOCKED : SettleResult.LEASE_LOST;
    }

    private static boolean isWith(PostgresLockedJobs.Row row, NodeId node) {
        return !row.nodeDead() && Objects.equals(row.node(), node.value());
    }

    private List<Long> numbers(Collection<JobId> all) {
        return all.stream().filter(ids::isOwn).map(JobId::sequence).distinct().toList();
    }
}
