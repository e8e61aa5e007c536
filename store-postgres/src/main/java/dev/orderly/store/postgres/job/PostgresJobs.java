package dev.orderly.store.postgres.job;

import dev.orderly.job.CancelResult;
import dev.orderly.job.EventResult;
import dev.orderly.job.ForgetQueueResult;
import dev.orderly.job.JobId;
import dev.orderly.job.NodeId;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueView;
import dev.orderly.job.RunNowResult;
import dev.orderly.job.settings.KeySettings;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.AwaitAnswer;
import dev.orderly.job.store.BatchStore;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.EventWait;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.job.store.JobStore.Heartbeat;
import dev.orderly.job.store.JobStore.ProgressReport;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.JobStore.UpkeepReport;
import dev.orderly.job.store.KeyCounts;
import dev.orderly.job.store.KeyView;
import dev.orderly.job.store.LimitView;
import dev.orderly.job.store.NewEvent;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.Settlement;
import dev.orderly.job.store.StepReport;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.store.StoreException;
import dev.orderly.store.postgres.job.scan.CursorSweep;
import dev.orderly.store.postgres.job.scan.ScanCursors;
import dev.orderly.store.postgres.live.PostgresBus;
import dev.orderly.store.postgres.sql.HeartbeatConnection;
import dev.orderly.store.postgres.sql.LockPatience;
import dev.orderly.store.postgres.sql.PostgresLeaseTable;
import dev.orderly.store.postgres.sql.ServerMemory;
import dev.orderly.store.postgres.sql.ServerRuns;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.postgres.sql.SqlErrors;
import dev.orderly.store.postgres.sql.Transactions;
import dev.orderly.store.sql.DatabaseJobIds;
import dev.orderly.time.Time;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The jobs port. Each call is a transaction; upkeep has one for each step. The usual push, claim and settlement is one
 * statement that commits by itself. A push, a settlement, a release or a redrive
 * that waited in vain for a lock is repeated in a second transaction without the blocked jobs.
 */
public final class PostgresJobs implements JobStore, AutoCloseable {
    /** By the statistics of the server, which are some seconds old. */
    private static final String DEAD_ROWS = """
            SELECT coalesce(sum(pg_stat_get_dead_tuples(oid)), 0) FROM pg_class
            WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace""";

    private final Transactions transactions;
    private final DatabaseJobIds ids;
    private final PostgresQueueTable queues;
    private final ScanCursors cursors = new ScanCursors();
    private final CursorSweep sweep;
    private final ServerMemory<UpkeepRound.Bounds> bounds;
    private final PostgresPushes push;
    private final PostgresClaims claim;
    private final PostgresLimits limits;
    private final PostgresSettlements settle;
    private final PostgresJobChanges operate;
    private final LaneCheck lanes = new LaneCheck();
    private final Outside outside;
    private final PostgresBatches batches;
    /** As the retention of this node's last round of upkeep says. */
    private volatile DoneJobs.Keep keep = DoneJobs.Keep.KEPT;
    private volatile @Nullable Long deadRows;

    /** What calls need beside the pool. */
    public record Outside(BlockedJobs blocked, HeartbeatConnection beats, PostgresBus bus,
            PostgresBatches.Callers callers, ServerRuns runs) {}

    public PostgresJobs(Transactions transactions, DatabaseJobIds ids, PostgresQueueTable queues, Outside outside) {
        this.queues = queues;
        this.outside = outside;
        bounds = new ServerMemory<>(outside.runs, () -> new UpkeepRound.Bounds(Time.system()));
        this.transactions = transactions;
        sweep = new CursorSweep(transactions, cursors, Time.system());
        this.ids = ids;
        push = PostgresPushes.own(ids, queues, cursors);
        batches = new PostgresBatches(transactions, ids, push, outside.callers);
        limits = new PostgresLimits(outside.beats::given);
        claim = new PostgresClaims(ids, queues, cursors, outside.beats::given);
        PostgresLeaseTable leases = outside.beats.leases();
        settle = new PostgresSettlements(ids, leases);
        operate = new PostgresJobChanges(ids, queues, leases);
    }

    @Override
    public List<PushResult> push(List<NewJob> jobs, Instant now) {
        PostgresPushes.PushCall call = new PostgresPushes.PushCall(jobs, now);
        Transactions.Work<List<PushResult>> others = connection -> pushUnlessBlocked(connection, call);
        if (!push.knowsQueues(jobs)) {
            transactions.run(connection -> push.queues(connection, jobs));
        }
        Optional<List<PushResult>> results = pushAtOnce(jobs, call, others);
        List<PushResult> pushed = results.orElseGet(() -> transactions.run(
                connection -> push.write(connection, push.queues(connection, jobs), call), others));
        for (int n = 0; n < jobs.size(); n++) {
            Instant runAt = jobs.get(n).runAt();
            Integer queue = runAt == null ? null : queues.used(jobs.get(n).queue());
            if (queue != null && runAt != null) { // a debounced job may be due before
                cursors.delayed(queue, pushed.get(n) instanceof PushResult.Replaced ? now : runAt);
            }
        }
        return pushed;
    }

    /**
     * Pushes in one statement, and hints at a lone job in it while the bus is idle. If the server refuses the commit
     * for the hint, the push is repeated without it.
     */
    private Optional<List<PushResult>> pushAtOnce(List<NewJob> jobs, PostgresPushes.PushCall call,
            Transactions.Work<List<PushResult>> others) {
        byte[] queue = jobs.getFirst().queue().value().getBytes(StandardCharsets.UTF_8);
        PostgresBus.Hint hint = PostgresPushes.mayHint(jobs) ? outside.bus.hintWhileIdle(queue) : null;
        return transactions.runAlone(connection -> {
            if (hint != null && !outside.bus.isRefused()) {
                try {
                    Optional<List<PushResult>> results = push.writeAtOnce(connection, call, hint);
                    outside.bus.hintSent(queue);
                    return results;
                } catch (SQLException error) {
                    if (!SqlErrors.isLimit(error)) {
                        throw error;
                    }
                    outside.bus.refused(error);
                }
            }
            return push.writeAtOnce(connection, call, null);
        }, connection -> Optional.of(others.on(connection)));
    }

    private List<PushResult> pushUnlessBlocked(Connection connection, PostgresPushes.PushCall call)
            throws SQLException {
        Map<QueueName, Integer> known = push.queues(connection, call.jobs);
        outside.blocked.refuse(connection, known, call.jobs);
        connection.rollback();
        return push.write(connection, known, call);
    }

    @Override
    public ClaimedJobs claim(ClaimRequest request, Instant now) {
        sweep.claimed();
        return claim.claim(transactions, request, now);
    }

    @Override
    public List<SettleResult> settle(List<Settlement> settlements, Instant now) {
        Transactions.Work<List<SettleResult>> all = connection -> settle.settle(connection, settlements, now,
                LockPatience.BRIEF, keep);
        Transactions.Work<List<SettleResult>> others = connection -> settle.settle(connection, settlements, now,
                LockPatience.NONE);
        List<SettleResult> results = settle.isSingleStatement(settlements)
                ? transactions.runAlone(all, others)
                : transactions.run(all, others);
        for (int n = 0; n < results.size(); n++) {
            ended(settlements.get(n), results.get(n), now);
        }
        moved((int) settlements.stream().filter(each -> each.outcome() instanceof AttemptOutcome.Awaiting).count());
        return results;
    }

    /** Notes a job that waits again, at once or from a moment on. One that awaits an event is found by a sweep. */
    private void ended(Settlement settlement, SettleResult result, Instant now) {
        AttemptOutcome outcome = settlement.outcome();
        Integer queue = result != SettleResult.ACCEPTED || outcome.isFinal() || outcome instanceof AttemptOutcome.Leased
                ? null
                : queues.used(settlement.attempt().queue());
        if (queue == null) {
            return;
        }
        Instant next = outcome.nextAt();
        if (next != null && next.isAfter(now)) {
            cursors.delayed(queue, next);
        } else if (!settlement.attempt().queue().isFifo()) {
            cursors.ready(queue, settlement.attempt().id().sequence());
        }
    }

    @Override
    public List<SettleResult> progress(List<ProgressReport> reports, Instant now) {
        return transactions.run(connection -> settle.progress(connection, reports));
    }

    @Override
    public StepResult keep(StepReport report, Instant now) {
        return transactions.run(connection -> settle.keep(connection, report, now, LockPatience.BRIEF),
                connection -> settle.keep(connection, report, now, LockPatience.NONE));
    }

    @Override
    public AwaitAnswer await(EventWait wait, Instant now) {
        return transactions.run(connection -> settle.await(connection, wait, now, LockPatience.BRIEF),
                connection -> settle.await(connection, wait, now, LockPatience.NONE));
    }

    @Override
    public EventResult event(NewEvent event, Instant now) {
        EventResult result = transactions.run(connection -> operate.event(connection, event, now), _ -> {
            throw held("Event " + event.name() + " of job " + event.job() + " is not kept", "the job or its group");
        });
        moved(result == EventResult.ACCEPTED ? 1 : 0);
        return result;
    }

    @Override
    public int release(NodeId node, Set<JobId> except, Instant now) {
        int released = 0;
        PostgresSettlements.Released step = new PostgresSettlements.Released(0, 0, true);
        while (step.more()) {
            long after = step.last();
            step = transactions.run(
                    connection -> settle.release(connection, node, except, after, now, LockPatience.BRIEF),
                    connection -> settle.release(connection, node, except, after, now, LockPatience.NONE));
            released += step.jobs();
        }
        return moved(released);
    }

    @Override
    public Set<JobId> held(NodeId node) {
        return transactions.runAlone(connection -> settle.held(connection, node));
    }

    @Override
    public int leave(NodeId node, Instant now) {
        int released = release(node, Set.of(), now);
        transactions.run(connection -> {
            PostgresSettlements.leave(connection, node);
            return released;
        });
        return released;
    }

    @Override
    public Heartbeat beat(NodeId node, Set<QueueName> works) {
        return outside.beats.beat(node, works);
    }

    @Override
    public UpkeepReport upkeep(UpkeepRequest request, Instant now) {
        keep = request.keep().doneMax() > 0 ? DoneJobs.Keep.KEPT : DoneJobs.Keep.FORGOTTEN;
        if (!request.onDead().isEmpty()) {
            transactions.run(new UpkeepRound(ids, request, now)::keepPolicies);
        }
        if (!request.limits().isEmpty()) {
            transactions.run(connection -> limits.declare(connection, request.limits())
                    + limits.forgetKeys(connection, request.limit()));
        }
        transactions.run(connection -> outside.beats.declareDead(connection, request.deadAfter()));
        long ended = transactions.run(connection -> bounds.of(connection).tally.look(connection));
        deadRows = transactions.run(connection -> new Sql(connection, DEAD_ROWS).number());
        UpkeepReport report = transactions
                .run(connection -> new UpkeepRound(ids, request, now).write(connection, bounds.of(connection), ended));
        moved(report.givenBack().size() + report.cancelled().size());
        List<JobId> timedOut = request.leases().end()
                ? transactions.run(connection -> settle.endLeases(connection, request, now))
                : List.of();
        moved(timedOut.size());
        int most = Math.min(request.limit(), PostgresSettlements.STEP);
        List<JobId> expired = transactions.run(connection -> operate.endExpired(connection, now, most));
        moved(expired.size());
        return new UpkeepReport(report.givenBack(), report.poisoned(), report.cancelled(), timedOut, expired,
                report.pruned(), mend(now), report.more() || expired.size() == most || timedOut.size() == most);
    }

    /** Rows of the schema that wait for the server's vacuum, as of the last upkeep; null before the first. */
    public @Nullable Long deadRows() {
        return deadRows;
    }

    List<KeyView> keys(QueueName queue, @Nullable String key, int limit) {
        return transactions.run(connection -> limits.keys(connection, queue, key, limit));
    }

    List<KeyCounts> keyCounts() {
        return transactions.run(PostgresKeySettings::counts);
    }

    List<LimitView> limits() {
        return transactions.run(limits::views);
    }

    List<QueueView> views() {
        return transactions.run(connection -> JobCounts.views(connection, bounds.of(connection).tally, cursors));
    }

    @Override
    public BatchStore batches() {
        return batches;
    }

    @Override
    public void pause(QueueName queue, boolean paused) {
        transactions.run(connection -> operate.pause(connection, queue, paused));
    }

    @Override
    public SetResult set(QueueName queue, String key, KeySettings expected, KeySettings next) {
        SetResult result = transactions.run(connection -> set(connection, queue, key, expected, next), _ -> {
            throw held("Nothing is changed for " + key + " of queue " + queue, "this group");
        });
        moved(result == SetResult.SET && queue.isFifo() ? 1 : 0);
        return result;
    }

    /** Only settings make an unknown queue known. */
    private SetResult set(Connection connection, QueueName queue, String key, KeySettings expected, KeySettings next)
            throws SQLException {
        Integer known = expected.isEmpty() && !next.isEmpty()
                ? Integer.valueOf(queues.one(connection, queue))
                : queues.existing(connection, List.of(queue)).get(queue);
        if (known == null) {
            return expected.isEmpty() ? SetResult.SET : SetResult.CHANGED_MEANWHILE;
        }
        return PostgresKeySettings.set(connection, known, queue, key, expected, next);
    }

    @Override
    public int redrive(QueueName queue, List<JobId> meant, int limit, Instant now) {
        return redrive(new PostgresJobChanges.Redrive(queue, meant, limit), now);
    }

    @Override
    public int redriveAll(QueueName queue, int limit, Instant now) {
        return redrive(new PostgresJobChanges.Redrive(queue, null, limit), now);
    }

    private int redrive(PostgresJobChanges.Redrive asked, Instant now) {
        return moved(transactions.run(connection -> operate.redrive(connection, asked, Set.of(), now),
                connection -> operate.redriveOthers(connection, asked, now)));
    }

    /** An operation did nothing, since another transaction holds the lock of a group. */
    private static StoreException held(String what, String group) {
        return new StoreException.Unavailable(what + ": an open transaction pushed into " + group
                + " or completed a job of it; try again when it has ended", null);
    }

    @Override
    public CancelResult cancel(JobId id, Instant now) {
        CancelResult result = transactions.run(connection -> operate.cancel(connection, id, now), _ -> {
            throw held("Job " + id + " is not cancelled", "its group");
        });
        if (result == CancelResult.CANCELLED) {
            cursors.ended(id.sequence());
        }
        return result;
    }

    @Override
    public RunNowResult runNow(JobId id, Instant now) {
        RunNowResult result = transactions.run(connection -> operate.runNow(connection, id, now), _ -> {
            throw held("Job " + id + " does not run now", "its group");
        });
        moved(result == RunNowResult.DUE ? 1 : 0);
        return result;
    }

    @Override
    public ForgetQueueResult forget(QueueName queue) {
        return transactions.run(connection -> PostgresJobChanges.forget(connection, queue));
    }

    /** Repairs lanes. A blocked lane is found again in a later round. */
    private int mend(Instant now) {
        List<Lane> wrong = transactions.run(connection -> lanes.next(connection, now));
        return wrong.isEmpty() ? 0 : transactions.run(connection -> LaneCheck.mend(connection, wrong, now), _ -> 0);
    }

    /** Finds jobs that became ready at any place; returns their number. */
    private int moved(int jobs) {
        if (jobs > 0) {
            sweep.now();
        }
        return jobs;
    }

    @Override
    public void close() {
        sweep.close();
    }
}
