package dev.orderly.store.sqlite.port;

import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.LimitName;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.AttemptSnapshot;
import dev.orderly.job.store.AwaitAnswer;
import dev.orderly.job.store.EventWait;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.ProgressReport;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.JobStore.StepResult;
import dev.orderly.job.store.Rest;
import dev.orderly.job.store.Settlement;
import dev.orderly.job.store.StepReport;
import dev.orderly.store.sql.ColumnCodecs;
import dev.orderly.store.sql.EventRows;
import dev.orderly.store.sqlite.state.FifoQueueIndex;
import dev.orderly.store.sqlite.state.LockedJob;
import dev.orderly.store.sqlite.state.QueueCounts;
import dev.orderly.store.sqlite.state.QueueIndex;
import dev.orderly.store.sqlite.state.StandardQueueIndex;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.table.EndedJobTable;
import dev.orderly.store.sqlite.table.EndedJobTable.End;
import dev.orderly.store.sqlite.table.EndedJobTable.Left;
import dev.orderly.store.sqlite.table.JobTable;
import dev.orderly.store.sqlite.table.SqliteLeaseTable;
import dev.orderly.store.sqlite.table.SqliteLeaseTable.Lease;
import dev.orderly.store.sqlite.table.StoredJob;
import dev.orderly.store.sqlite.table.StoredJob.Place;
import dev.orderly.store.sqlite.table.StoredJob.Tally;
import dev.orderly.store.sqlite.writer.WriteRequest;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@link JobStore#settle}, and the other calls with the same fence: release and progress. */
public final class SqliteSettlements {
    private final WriterState state;
    private final Instant now;
    /** The steps after the commit. */
    private final List<Runnable> steps = new ArrayList<>();

    /** An accepted settlement, with the new place of its job; null if the job is done or cancelled. */
    private record Move(LockedJob locked, @Nullable Place to) {}

    private SqliteSettlements(WriterState state, Instant now) {
        this.state = state;
        this.now = now;
    }

    public static WriteRequest<List<SettleResult>> settle(List<Settlement> settlements, Instant now) {
        return WriteRequest.shared(settlements.size(), state -> new SqliteSettlements(state, now).write(settlements));
    }

    /** {@link JobStore#release}: gives back all jobs that the node holds, which only the writer knows. */
    static WriteRequest<Integer> release(NodeId node, Set<JobId> except, Instant now) {
        return WriteRequest.alone(state -> release(state, node, except, now));
    }

    /** {@link JobStore#held}. */
    static WriteRequest<Set<JobId>> held(NodeId node) {
        return WriteRequest.inMemory(1, state -> attempts(state, node).map(AttemptId::id)
                .collect(Collectors.toUnmodifiableSet()));
    }

    private static Stream<AttemptId> attempts(WriterState state, NodeId node) {
        return state.running.all().stream().filter(locked -> node.equals(locked.node))
                .map(locked -> new AttemptId(state.ids.of(locked.seq()), locked.index.name(), locked.attempt()));
    }

    /** {@link JobStore#leave}. */
    static WriteRequest<Integer> leave(NodeId node, Instant now) {
        return WriteRequest.alone(state -> {
            Supplier<Integer> released = release(state, node, Set.of(), now);
            return () -> {
                state.nodes.left(node);
                return released.get();
            };
        });
    }

    private static Supplier<Integer> release(WriterState state, NodeId node, Set<JobId> except, Instant now)
            throws SQLException {
        List<Settlement> held = attempts(state, node).filter(attempt -> !except.contains(attempt.id()))
                .map(attempt -> new Settlement(node, attempt, new AttemptOutcome.GiveBack())).toList();
        Supplier<List<SettleResult>> settled = write(state, held, now);
        return () -> settled.get().size();
    }

    /** {@link JobStore#progress}: kept in memory, stored when the job is settled. */
    static WriteRequest<List<SettleResult>> progress(List<ProgressReport> reports) {
        return WriteRequest.inMemory(1, state -> {
            List<SettleResult> results = new ArrayList<>(reports.size());
            for (ProgressReport report : reports) {
                LockedJob locked = held(state, report.node(), report.attempt());
                if (locked != null) {
                    locked.progress = report.progress();
                }
                results.add(locked == null ? SettleResult.LEASE_LOST : SettleResult.ACCEPTED);
            }
            return results;
        });
    }

    /** {@link JobStore#keep}. */
    static WriteRequest<StepResult> keep(StepReport report, Instant now) {
        return WriteRequest.shared(1, state -> {
            LockedJob locked = held(state, report.node(), report.attempt());
            StepResult result = locked == null || state.running.isSettled(locked)
                    ? StepResult.LEASE_LOST
                    : state.tables.steps.keep(locked.seq(), report, now);
            return () -> result;
        });
    }

    /** {@link JobStore#await}. */
    static WriteRequest<AwaitAnswer> await(EventWait wait, Instant now) {
        return WriteRequest.shared(1, state -> {
            LockedJob locked = held(state, wait.node(), wait.attempt());
            AwaitAnswer answer = locked == null || state.running.isSettled(locked)
                    ? AwaitAnswer.Refused.LEASE_LOST
                    : EventRows.await(state.tables.connection(), locked.seq(), wait, now);
            return () -> answer;
        });
    }

    /** The locked job of an attempt; null unless the node, if one is given, holds this attempt. */
    private static @Nullable LockedJob held(WriterState state, @Nullable NodeId node, AttemptId attempt) {
        LockedJob locked = state.running.find(attempt.id().sequence());
        boolean holds = locked != null && (node == null || node.equals(locked.node))
                && locked.attempt() == attempt.number()
                && locked.index.name().equals(attempt.queue()) && state.ids.isOwn(attempt.id());
        return holds ? locked : null;
    }

    static Supplier<List<SettleResult>> write(WriterState state, List<Settlement> settlements, Instant now)
            throws SQLException {
        return new SqliteSettlements(state, now).write(settlements);
    }

    private Supplier<List<SettleResult>> write(List<Settlement> settlements) throws SQLException {
        List<SettleResult> results = new ArrayList<>(settlements.size());
        for (Settlement settlement : settlements) {
            LockedJob locked = held(state, settlement.node(), settlement.attempt());
            if (locked == null) {
                results.add(SettleResult.LEASE_LOST);
            } else if (settlement.outcome() instanceof AttemptOutcome.Leased leased) {
                results.add(lease(locked, leased));
            } else if (!state.running.settle(locked)) {
                results.add(SettleResult.LEASE_LOST);
            } else {
                Move move = new Move(locked, write(locked, settlement.outcome()));
                steps.add(() -> committed(move));
                results.add(SettleResult.ACCEPTED);
            }
        }
        return () -> {
            steps.forEach(Runnable::run);
            return results;
        };
    }

    private SettleResult lease(LockedJob locked, AttemptOutcome.Leased leased) throws SQLException {
        if (locked.cancelAsked) {
            return SettleResult.CANCELLED;
        }
        if (!state.running.leases(locked)) {
            return SettleResult.LEASE_LOST;
        }
        Lease lease = new Lease(state.leaseNow() + leased.length().toMillis());
        state.tables.leases.put(new SqliteLeaseTable.Row(locked.seq(), locked.attempt(), lease));
        steps.add(() -> state.running.lease(locked, lease));
        return SettleResult.ACCEPTED;
    }

    private @Nullable Place write(LockedJob locked, AttemptOutcome reported) throws SQLException {
        if (state.running.isLeased(locked)) {
            state.tables.leases.delete(locked.seq());
        }
        if (locked.cancelAsked) {
            state.tables.cancellations.delete(locked.seq());
        }
        AttemptOutcome ending = locked.cancelAsked ? reported.whenCancelling() : kept(locked, reported);
        return switch (ending) {
            case AttemptOutcome.Done done -> end(locked, EndedJobTable.DONE, left(locked, done.result(), null));
            case AttemptOutcome.Cancelled why -> end(locked, EndedJobTable.CANCELLED, left(locked, null, why.reason()));
            case AttemptOutcome.Retry retry -> move(locked, later(locked, retry.at()), ending);
            case AttemptOutcome.Snooze snooze -> move(locked, later(locked, snooze.at()), ending);
            case AttemptOutcome.Awaiting(Set<String> _, Instant at) ->
                move(locked, at == null ? locked.place : later(locked, at), ending);
            case AttemptOutcome.GiveBack _ -> move(locked, locked.place, ending);
            case AttemptOutcome.Throttle(Duration _, boolean _, Instant at) ->
                move(locked, at == null ? locked.place : later(locked, at), ending);
            case AttemptOutcome.Unread(JobFailure _, Instant at) ->
                move(locked, at == null ? locked.place : later(locked, at), ending);
            case AttemptOutcome.Leased _ -> throw new IllegalArgumentException("A lease ends no attempt");
            case AttemptOutcome.Dead dead -> move(locked, deadPlace(locked, dead.halt()), ending);
        };
    }

    /** Keeps what an outcome says beside the job; the outcome of the job itself. */
    private AttemptOutcome kept(LockedJob locked, AttemptOutcome outcome) throws SQLException {
        return switch (outcome) {
            case AttemptOutcome.Throttle throttle -> rest(locked, throttle);
            case AttemptOutcome.Awaiting awaiting ->
                EventRows.settle(state.tables.connection(), locked.seq(), locked.attempt(), awaiting);
            default -> outcome;
        };
    }

    /** Lets rest what a throttled job says; the outcome of the job itself. */
    private AttemptOutcome rest(LockedJob locked, AttemptOutcome.Throttle throttle) throws SQLException {
        QueueIndex index = locked.index;
        String key = locked.place.key();
        LimitName limit = state.limits.of(index.name()).orElse(null);
        Rest rest = new Rest(Instant.ofEpochMilli(state.leaseNow()).plus(throttle.rest()), state.ids.of(locked.seq()),
                locked.attempt());
        switch (throttle.resting(key != null, index instanceof FifoQueueIndex, limit != null)) {
            case KEY -> {
                String name = Objects.requireNonNull(key);
                state.tables.rests.put(index.identity().id, name, rest);
                steps.add(() -> ((StandardQueueIndex) index).keyed.turns.rest(name, rest, state.leaseNow()));
            }
            case LIMIT -> {
                LimitName name = Objects.requireNonNull(limit);
                state.tables.rests.put(name, rest);
                steps.add(() -> state.limits.rest(name, rest));
            }
            case JOB -> {
                return throttle;
            }
        }
        return throttle.atOnce();
    }

    /** Ends a job of a dead node that is to be cancelled. The caller takes it out of memory after the commit. */
    static void cancelled(WriterState state, LockedJob locked, Instant now) throws SQLException {
        new SqliteSettlements(state, now).write(locked, new AttemptOutcome.GiveBack());
    }

    private Place deadPlace(LockedJob locked, boolean halt) {
        boolean halts = halt && locked.index instanceof FifoQueueIndex;
        return locked.place.stateAt(halts ? StoredJob.HALTING : StoredJob.DEAD, now.toEpochMilli());
    }

    private @Nullable Place end(LockedJob locked, int ending, Left left) throws SQLException {
        state.tables.ended.insert(new End(locked.seq(), ending, locked.attempt(), now.toEpochMilli(), locked.claimedAt),
                left);
        state.tables.jobs.end(locked.index.identity().id, locked.place, ending);
        return null;
    }

    private static Left left(LockedJob locked, @Nullable Payload result, @Nullable String reason) {
        String progress = ColumnCodecs.progress(locked.progress);
        return result == null && progress == null && reason == null
                ? Left.NOTHING
                : new Left(result, progress, reason);
    }

    private Place move(LockedJob locked, Place to, AttemptOutcome ending) throws SQLException {
        JobFailure failure = ending.failure();
        Tally before = locked.tally;
        Tally after = failure == null
                ? before
                : new Tally(before.attempt(), before.failures() + 1, before.crashes());
        state.tables.jobs.move(locked.index.identity().id, new JobTable.Move(locked.place, to, after),
                new JobTable.Report(ColumnCodecs.progress(locked.progress), failure,
                        AttemptSnapshot.ended(locked.attempt(), locked.run(), ending, now)));
        return to;
    }

    /**
     * The place of a job that is due later. On a FIFO queue the job stays first and delays its group; on a standard
     * queue it becomes a delayed job.
     */
    private Place later(LockedJob locked, Instant at) {
        if (!at.isAfter(now)) {
            return locked.place.stateAt(StoredJob.WAITING, 0);
        }
        return locked.place.stateAt(locked.index instanceof FifoQueueIndex ? StoredJob.WAITING : StoredJob.DELAYED,
                ColumnCodecs.millis(at));
    }

    private void committed(Move move) {
        LockedJob locked = move.locked;
        Place to = move.to;
        QueueCounts counts = locked.index.counts();
        state.running.leave(locked);
        counts.running.decrementAndGet();
        if (to == null) {
            counts.ended(locked.place.state());
            locked.index.ended(locked, false);
            return;
        }
        counts.moved(locked.place.state(), to.state());
        if (to.state() >= StoredJob.DEAD) {
            locked.index.ended(locked, to.state() == StoredJob.HALTING);
        } else {
            locked.index.requeued(locked, to);
        }
    }
}
