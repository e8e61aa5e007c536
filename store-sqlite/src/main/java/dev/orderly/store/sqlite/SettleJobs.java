package dev.orderly.store.sqlite;

import dev.orderly.job.Attempt;
import dev.orderly.job.Ending;
import dev.orderly.job.Failure;
import dev.orderly.job.JobId;
import dev.orderly.job.JobStore.ProgressReport;
import dev.orderly.job.JobStore.SettleResult;
import dev.orderly.job.JobStore;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.Settlement;
import dev.orderly.store.sql.ColumnCodecs;
import dev.orderly.store.sqlite.EndedTable.End;
import dev.orderly.store.sqlite.EndedTable.Left;
import dev.orderly.store.sqlite.JobRow.Place;
import dev.orderly.store.sqlite.JobRow.Tally;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@link JobStore#settle}, and what else is fenced as that is. */
final class SettleJobs {
    private final Desk desk;
    private final Instant now;
    private final List<Move> moves = new ArrayList<>();

    /** Where the job of an accepted settlement goes; null when it is done or cancelled. */
    private record Move(Claim claim, @Nullable Place to) {}

    private SettleJobs(Desk desk, Instant now) {
        this.desk = desk;
        this.now = now;
    }

    static Request<List<SettleResult>> settle(List<Settlement> settlements, Instant now) {
        return Request.shared(settlements.size(), desk -> new SettleJobs(desk, now).write(settlements));
    }

    /** {@link JobStore#release}: a settle of all that a node holds, which only the writer knows. */
    static Request<Integer> release(NodeId node, Set<JobId> except, Instant now) {
        return Request.alone(desk -> {
            List<Settlement> held = desk.running.all().stream().filter(claim -> node.equals(claim.node))
                    .map(claim -> new Attempt(desk.ids.of(claim.seq()), claim.line.name(), claim.attempt()))
                    .filter(attempt -> !except.contains(attempt.id()))
                    .map(attempt -> new Settlement(node, attempt, new Ending.GiveBack())).toList();
            Supplier<List<SettleResult>> settled = new SettleJobs(desk, now).write(held);
            return () -> settled.get().size();
        });
    }

    /** {@link JobStore#progress}: kept with the claim, stored when that is settled. */
    static Request<List<SettleResult>> progress(List<ProgressReport> reports) {
        return Request.inMemory(1, desk -> {
            List<SettleResult> results = new ArrayList<>(reports.size());
            for (ProgressReport report : reports) {
                Claim claim = held(desk, report.node(), report.attempt());
                if (claim != null) {
                    claim.progress = report.progress();
                }
                results.add(claim == null ? SettleResult.LEASE_LOST : SettleResult.ACCEPTED);
            }
            return results;
        });
    }

    /** The claim that an attempt is, if its node holds it. */
    private static @Nullable Claim held(Desk desk, NodeId node, Attempt attempt) {
        Claim claim = desk.running.find(attempt.id().sequence());
        boolean holds = claim != null && node.equals(claim.node) && claim.attempt() == attempt.number()
                && claim.line.name().equals(attempt.queue()) && desk.ids.isOwn(attempt.id());
        return holds ? claim : null;
    }

    private Supplier<List<SettleResult>> write(List<Settlement> settlements) throws SQLException {
        List<SettleResult> results = new ArrayList<>(settlements.size());
        for (Settlement settlement : settlements) {
            Claim claim = held(desk, settlement.node(), settlement.attempt());
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

    private @Nullable Place write(Claim claim, Ending ending) throws SQLException {
        return switch (ending) {
            case Ending.Done done -> end(claim, EndedTable.DONE, left(claim, done.result(), null));
            case Ending.Cancelled why -> end(claim, EndedTable.CANCELLED, left(claim, null, why.reason()));
            case Ending.Retry retry -> move(claim, later(claim, retry.at()), retry.failure());
            case Ending.Snooze snooze -> move(claim, later(claim, snooze.at()), null);
            case Ending.GiveBack _ -> move(claim, claim.place, null);
            case Ending.Dead dead -> move(claim, grave(claim, dead.halt()), dead.failure());
        };
    }

    private Place grave(Claim claim, boolean halt) {
        boolean halts = halt && claim.line instanceof GroupLine;
        return claim.place.stateAt(halts ? JobRow.HALTING : JobRow.DEAD, now.toEpochMilli());
    }

    private @Nullable Place end(Claim claim, int state, Left left) throws SQLException {
        desk.tables.ended.insert(new End(claim.seq(), state, claim.attempt(), now.toEpochMilli()), left);
        desk.tables.jobs.delete(claim.seq());
        return null;
    }

    private static Left left(Claim claim, @Nullable Payload result, @Nullable String reason) {
        String progress = ColumnCodecs.progress(claim.progress);
        return result == null && progress == null && reason == null
                ? Left.NOTHING
                : new Left(result, progress, reason);
    }

    private Place move(Claim claim, Place to, @Nullable Failure failure) throws SQLException {
        Tally before = claim.tally;
        Tally after = failure == null
                ? before
                : new Tally(before.attempt(), before.failures() + 1, before.crashes());
        desk.tables.jobs.move(to, after, ColumnCodecs.progress(claim.progress), failure);
        return to;
    }

    /** A job of a group stays in its place and holds the group back; others stand among the delayed. */
    private Place later(Claim claim, Instant at) {
        if (!at.isAfter(now)) {
            return claim.place.stateAt(JobRow.WAITING, 0);
        }
        return claim.place.stateAt(claim.line instanceof GroupLine ? JobRow.WAITING : JobRow.DELAYED,
                ColumnCodecs.millis(at));
    }

    private void committed(Move move) {
        Claim claim = move.claim;
        Place to = move.to;
        Counts counts = claim.line.counts();
        desk.running.leave(claim);
        counts.running.decrementAndGet();
        if (to == null) {
            counts.ended(claim.place.state());
            claim.line.over(claim, false);
            return;
        }
        counts.moved(claim.place.state(), to.state());
        if (to.state() >= JobRow.DEAD) {
            claim.line.over(claim, to.state() == JobRow.HALTING);
        } else {
            claim.line.again(claim, to);
        }
    }
}
