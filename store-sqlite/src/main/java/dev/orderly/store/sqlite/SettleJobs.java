package dev.orderly.store.sqlite;

import dev.orderly.job.Attempt;
import dev.orderly.job.Ending;
import dev.orderly.job.Failure;
import dev.orderly.job.JobStore;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.SettleResult;
import dev.orderly.job.Settlement;
import dev.orderly.store.sqlite.EndedTable.End;
import dev.orderly.store.sqlite.EndedTable.Left;
import dev.orderly.store.sqlite.JobRow.Place;
import dev.orderly.store.sqlite.JobRow.Tally;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@link JobStore#settle}. */
final class SettleJobs extends Request<List<SettleResult>> {
    private final List<Settlement> settlements;
    private final Instant now;
    private final List<SettleResult> results;
    private final List<Move> moves;

    /** Where an accepted one goes; null when the job is done or cancelled. */
    private record Move(Claim claim, @Nullable Place to) {}

    SettleJobs(List<Settlement> settlements, Instant now) {
        this.settlements = settlements;
        this.now = now;
        results = new ArrayList<>(settlements.size());
        moves = new ArrayList<>(settlements.size());
    }

    @Override
    Kind kind() {
        return Kind.SHARED;
    }

    @Override
    int weight() {
        return settlements.size();
    }

    /** The claim that an attempt is, if its node holds it. */
    static @Nullable Claim held(Desk desk, NodeId node, Attempt attempt) {
        Claim claim = desk.running.find(attempt.id().sequence());
        boolean holds = claim != null && node.equals(claim.node) && claim.attempt() == attempt.number()
                && claim.line.name().equals(attempt.queue()) && desk.isOurs(attempt.id());
        return holds ? claim : null;
    }

    @Override
    void write(Desk desk) throws SQLException {
        results.clear();
        moves.clear();
        for (Settlement settlement : settlements) {
            Claim claim = held(desk, settlement.node(), settlement.attempt());
            if (claim == null || !desk.pending.settled.add(claim.seq())) {
                results.add(SettleResult.LEASE_LOST);
            } else {
                moves.add(new Move(claim, write(desk, claim, settlement.ending())));
                results.add(SettleResult.ACCEPTED);
            }
        }
    }

    private @Nullable Place write(Desk desk, Claim claim, Ending ending) throws SQLException {
        return switch (ending) {
            case Ending.Done done -> end(desk, claim, EndedTable.DONE, left(claim, done.result(), null));
            case Ending.Cancelled why -> end(desk, claim, EndedTable.CANCELLED, left(claim, null, why.reason()));
            case Ending.Retry retry -> move(desk, claim, later(claim, retry.at()), retry.failure());
            case Ending.Snooze snooze -> move(desk, claim, later(claim, snooze.at()), null);
            case Ending.GiveBack giveBack -> move(desk, claim, claim.place, null);
            case Ending.Dead dead -> move(desk, claim, grave(claim, dead.halt()), dead.failure());
        };
    }

    private Place grave(Claim claim, boolean halt) {
        boolean halts = halt && claim.line instanceof GroupLine;
        return claim.place.stateAt(halts ? JobRow.HALTING : JobRow.DEAD, now.toEpochMilli());
    }

    private @Nullable Place end(Desk desk, Claim claim, int state, Left left) throws SQLException {
        desk.tables.ended.insert(new End(claim.seq(), state, claim.attempt(), now.toEpochMilli()), left);
        desk.tables.jobs.delete(claim.seq());
        return null;
    }

    private static Left left(Claim claim, @Nullable Payload result, @Nullable String reason) {
        String progress = Columns.progress(claim.progress);
        return result == null && progress == null && reason == null
                ? Left.NOTHING
                : new Left(result, progress, reason);
    }

    private static Place move(Desk desk, Claim claim, Place to, @Nullable Failure failure) throws SQLException {
        Tally before = claim.tally;
        Tally after = failure == null
                ? before
                : new Tally(before.attempt(), before.failures() + 1, before.crashes());
        desk.tables.jobs.move(to, after, Columns.progress(claim.progress), failure);
        return to;
    }

    /** A job of a group stays in its place and holds the group back; others stand among the delayed. */
    private Place later(Claim claim, Instant at) {
        if (!at.isAfter(now)) {
            return claim.place.stateAt(JobRow.WAITING, 0);
        }
        return claim.place.stateAt(claim.line instanceof GroupLine ? JobRow.WAITING : JobRow.DELAYED,
                Columns.millis(at));
    }

    @Override
    List<SettleResult> answer(Desk desk) {
        for (Move move : moves) {
            Claim claim = move.claim;
            Place to = move.to;
            Counts counts = claim.line.counts();
            desk.running.leave(claim);
            counts.running.decrementAndGet();
            if (to == null) {
                counts.ended(claim.place.state());
                claim.line.over(claim, false);
                continue;
            }
            counts.moved(claim.place.state(), to.state());
            if (to.state() >= JobRow.DEAD) {
                claim.line.over(claim, to.state() == JobRow.HALTING);
            } else {
                claim.line.again(claim, to);
            }
        }
        return results;
    }
}
