package dev.orderly.store.sqlite;

import dev.orderly.job.Failure;
import dev.orderly.job.JobId;
import dev.orderly.job.JobStore;
import dev.orderly.job.UpkeepReport;
import dev.orderly.job.UpkeepRequest;
import dev.orderly.store.sqlite.JobRow.Place;
import dev.orderly.store.sqlite.JobRow.Tally;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** {@link JobStore#upkeep}. */
final class DoUpkeep extends Request<UpkeepReport> {
    private final UpkeepRequest asked;
    private final Instant now;
    private final List<Taken> taken = new ArrayList<>();
    private final Pruning pruning;

    /** A job taken from a dead node, and where it goes. */
    private record Taken(Claim claim, Place to) {}

    DoUpkeep(UpkeepRequest asked, Instant now) {
        this.asked = asked;
        this.now = now;
        pruning = new Pruning(asked, now);
    }

    @Override
    Kind kind() {
        return Kind.ALONE;
    }

    @Override
    void write(Desk desk) throws SQLException {
        taken.clear();
        // A dead node stays dead whatever becomes of this transaction: it just loses its jobs in a later round.
        desk.nodes.declareDead(asked.deadAfter()).forEach(desk.running::orphan);
        for (Claim claim : desk.running.orphans(asked.limit())) {
            takeBack(desk, claim);
        }
        pruning.write(desk);
    }

    private void takeBack(Desk desk, Claim claim) throws SQLException {
        int crashes = claim.tally.crashes() + (claim.crashed() ? 1 : 0);
        boolean poison = claim.crashed() && claim.ran == 1 && crashes >= asked.crashLimit();
        boolean halts = asked.halting().contains(claim.line.name()) && claim.line instanceof GroupLine;
        Place to = poison
                ? claim.place.stateAt(halts ? JobRow.HALTING : JobRow.DEAD, now.toEpochMilli())
                : claim.place;
        Failure failure = poison ? new Failure("The node that ran it died, " + crashes + " times", "") : null;
        desk.tables.jobs.move(to, new Tally(claim.attempt(), claim.tally.failures(), crashes),
                Columns.progress(claim.progress), failure);
        taken.add(new Taken(claim, to));
    }

    @Override
    UpkeepReport answer(Desk desk) {
        desk.expireKeys(now);
        List<JobId> givenBack = new ArrayList<>();
        List<JobId> poisoned = new ArrayList<>();
        for (Taken each : taken) {
            Line line = each.claim.line;
            boolean poison = each.to.state() >= JobRow.DEAD;
            desk.running.leave(each.claim);
            if (each.claim.crashed() && each.claim.diedWith != null) {
                desk.nodes.crashed(each.claim.diedWith, each.claim.seq());
            }
            line.counts().running.decrementAndGet();
            line.counts().moved(each.claim.place.state(), each.to.state());
            if (poison && line instanceof StandardLine) {
                line.over(each.claim, false);
            } else {
                line.crashed(each.claim, each.to.state() == JobRow.HALTING);
            }
            (poison ? poisoned : givenBack).add(desk.id(each.claim.seq()));
        }
        pruning.committed(desk);
        boolean more = taken.size() == asked.limit() || pruning.count() == asked.limit();
        return new UpkeepReport(givenBack, poisoned, pruning.count(), more);
    }

}
