package dev.orderly.store.sqlite.port;

import dev.orderly.job.JobId;
import dev.orderly.job.Payload;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.JobFailure;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.ProgressReport;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.NodeId;
import dev.orderly.job.store.Settlement;
import dev.orderly.store.sql.ColumnCodecs;
import dev.orderly.store.sqlite.state.FifoQueueIndex;
import dev.orderly.store.sqlite.state.LockedJob;
import dev.orderly.store.sqlite.state.QueueCounts;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.table.EndedJobTable;
import dev.orderly.store.sqlite.table.EndedJobTable.End;
import dev.orderly.store.sqlite.table.EndedJobTable.Left;
import dev.orderly.store.sqlite.table.StoredJob;
import dev.orderly.store.sqlite.table.StoredJob.Place;
import dev.orderly.store.sqlite.table.StoredJob.Tally;
import dev.orderly.store.sqlite.writer.WriteRequest;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@link JobStore#settle}, and what else is fenced as that is. */
public final class SettleJobs {
    private final WriterState desk;
    private final Instant now;
    private final List<Move> moves = new ArrayList<>();

    /** Where the job of an accepted settlement goes; null when it is done or cancelled. */
    private record Move(LockedJob claim, @Nullable Place to) {}

    private SettleJobs(WriterState desk, Instant now) {
        this.desk = desk;
        this.now = now;
    }

    public static WriteRequest<List<SettleResult>> settle(List<Settlement> settlements, Instant now) {
        return WriteRequest.shared(settlements.size(), desk -> new SettleJobs(desk, now).write(settlements));
    }

    /** {@link JobStore#release}: a settle of all that a node holds, which only the writer knows. */
    static WriteRequest<Integer> release(NodeId node, Set<JobId> except, Instant now) {
        return WriteRequest.alone(desk -> {
            List<Settlement> held = desk.running.all().stream().filter(claim -> node.equals(claim.node))
                    .map(claim -> new AttemptId(desk.ids.of(claim.seq()), claim.line.name(), claim.attempt()))
                    .filter(attempt -> !except.contains(attempt.id()))
                    .map(attempt -> new Settlement(node, attempt, new AttemptOutcome.GiveBack())).toList();
            Supplier<List<SettleResult>> settled = new SettleJobs(desk, now).write(held);
            return () -> settled.get().size();
        });
    }

    /** {@link JobStore#progress}: kept with the claim, stored when that is settled. */
    static WriteRequest<List<SettleResult>> progress(List<ProgressReport> reports) {
        return WriteRequest.inMemory(1, desk -> {
            List<SettleResult> results = new ArrayList<>(reports.size());
            for (ProgressReport report : reports) {
                LockedJob claim = held(desk, report.node(), report.attempt());
                if (claim != null) {
                    claim.progress = report.progress();
                }
                results.add(claim == null ? SettleResult.LEASE_LOST : SettleResult.ACCEPTED);
            }
            return results;
        });
    }

    /** The claim that an attempt is, if its node holds it. */
    private static @Nullable LockedJob held(WriterState desk, NodeId node, AttemptId attempt) {
        LockedJob claim = desk.running.find(attempt.id().sequence());
        boolean holds = claim != null && node.equals(claim.node) && claim.attempt() == attempt.number()
                && claim.line.name().equals(attempt.queue()) && desk.ids.isOwn(attempt.id());
        return holds ? claim : null;
    }

    private Supplier<List<SettleResult>> write(List<Settlement> settlements) throws SQLException {
        List<SettleResult> results = new ArrayList<>(settlements.size());
        for (Settlement settlement : settlements) {
            LockedJob claim = held(desk, settlement.node(), settlement.attempt());
            if (claim == null || !desk.running.settle(claim)) {
                results.add(SettleResult.LEASE_LOST);
            } else {
                moves.add(new Move(claim, write(claim, settlement.ending())));
                results.add(SettleResult.ACCEPTED);
            }
        }
        return () -> {
            moves.forEach(this::committed);
            return results;
        };
    }

    private @Nullable Place write(LockedJob claim, AttemptOutcome ending) throws SQLException {
        return switch (ending) {
            case AttemptOutcome.Done done -> end(claim, EndedJobTable.DONE, left(claim, done.result(), null));
            case AttemptOutcome.Cancelled why -> end(claim, EndedJobTable.CANCELLED, left(claim, null, why.reason()));
            case AttemptOutcome.Retry retry -> move(claim, later(claim, retry.at()), retry.failure());
            case AttemptOutcome.Snooze snooze -> move(claim, later(claim, snooze.at()), null);
            case AttemptOutcome.GiveBack _ -> move(claim, claim.place, null);
            case AttemptOutcome.Dead dead -> move(claim, grave(claim, dead.halt()), dead.failure());
        };
    }

    private Place grave(LockedJob claim, boolean halt) {
        boolean halts = halt && claim.line instanceof FifoQueueIndex;
        return claim.place.stateAt(halts ? StoredJob.HALTING : StoredJob.DEAD, now.toEpochMilli());
    }

    private @Nullable Place end(LockedJob claim, int state, Left left) throws SQLException {
        desk.tables.ended.insert(new End(claim.seq(), state, claim.attempt(), now.toEpochMilli()), left);
        desk.tables.jobs.delete(claim.seq());
        return null;
    }

    private static Left left(LockedJob claim, @Nullable Payload result, @Nullable String reason) {
        String progress = ColumnCodecs.progress(claim.progress);
        return result == null && progress == null && reason == null
                ? Left.NOTHING
                : new Left(result, progress, reason);
    }

    private Place move(LockedJob claim, Place to, @Nullable JobFailure failure) throws SQLException {
        Tally before = claim.tally;
        Tally after = failure == null
                ? before
                : new Tally(before.attempt(), before.failures() + 1, before.crashes());
        desk.tables.jobs.move(to, after, ColumnCodecs.progress(claim.progress), failure);
        return to;
    }

    /** A job of a group stays in its place and holds the group back; others stand among the delayed. */
    private Place later(LockedJob claim, Instant at) {
        if (!at.isAfter(now)) {
            return claim.place.stateAt(StoredJob.WAITING, 0);
        }
        return claim.place.stateAt(claim.line instanceof FifoQueueIndex ? StoredJob.WAITING : StoredJob.DELAYED,
                ColumnCodecs.millis(at));
    }

    private void committed(Move move) {
        LockedJob claim = move.claim;
        Place to = move.to;
        QueueCounts counts = claim.line.counts();
        desk.running.leave(claim);
        counts.running.decrementAndGet();
        if (to == null) {
            counts.ended(claim.place.state());
            claim.line.over(claim, false);
            return;
        }
        counts.moved(claim.place.state(), to.state());
        if (to.state() >= StoredJob.DEAD) {
            claim.line.over(claim, to.state() == StoredJob.HALTING);
        } else {
            claim.line.again(claim, to);
        }
    }
}
