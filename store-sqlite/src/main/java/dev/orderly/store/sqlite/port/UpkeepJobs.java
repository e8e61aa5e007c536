package dev.orderly.store.sqlite.port;

import dev.orderly.job.JobId;
import dev.orderly.job.OnDead;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.JobFailure;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.UpkeepReport;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.store.sql.ColumnCodecs;
import dev.orderly.store.sqlite.state.FifoQueueIndex;
import dev.orderly.store.sqlite.state.LockedJob;
import dev.orderly.store.sqlite.state.QueueIndex;
import dev.orderly.store.sqlite.state.StandardQueueIndex;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.table.StoredJob;
import dev.orderly.store.sqlite.table.StoredJob.Place;
import dev.orderly.store.sqlite.table.StoredJob.Tally;
import dev.orderly.store.sqlite.writer.WriteRequest;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** {@link JobStore#upkeep}. */
final class UpkeepJobs {
    private final WriterState desk;
    private final UpkeepRequest asked;
    private final Instant now;
    private final List<Taken> taken = new ArrayList<>();
    private final JobRetention pruning;

    /** A job taken from a dead node, and where it goes. */
    private record Taken(LockedJob claim, Place to) {}

    private UpkeepJobs(WriterState desk, UpkeepRequest asked, Instant now) {
        this.desk = desk;
        this.asked = asked;
        this.now = now;
        pruning = new JobRetention(desk, asked, now);
    }

    static WriteRequest<UpkeepReport> request(UpkeepRequest asked, Instant now) {
        return WriteRequest.alone(desk -> new UpkeepJobs(desk, asked, now).write());
    }

    private Supplier<UpkeepReport> write() throws SQLException {
        keepPolicies();
        // A dead node stays dead whatever becomes of this transaction: it just loses its jobs in a later round.
        desk.nodes.declareDead(asked.deadAfter()).forEach(desk.running::orphan);
        for (LockedJob claim : desk.running.orphans(asked.limit())) {
            takeBack(claim);
        }
        pruning.write();
        return this::committed;
    }

    /** A queue that halts is known from then on; one nobody knows goes on anyway. */
    private void keepPolicies() throws SQLException {
        for (Map.Entry<QueueName, OnDead> each : asked.onDead().entrySet()) {
            boolean halts = each.getValue() == OnDead.HALT;
            QueueIndex line = halts ? desk.lines.of(each.getKey()) : desk.lines.find(each.getKey());
            if (line != null && line.identity().halts != halts) {
                desk.tables.queues.halt(line.identity().id, halts);
            }
        }
    }

    private boolean halts(QueueIndex line) {
        OnDead asks = asked.onDead().get(line.name());
        return asks == null ? line.identity().halts : asks == OnDead.HALT;
    }

    private void takeBack(LockedJob claim) throws SQLException {
        int crashes = claim.tally.crashes() + (claim.crashed() ? 1 : 0);
        boolean poison = claim.crashed() && claim.ran == 1 && crashes >= asked.crashLimit();
        boolean halts = claim.line instanceof FifoQueueIndex && halts(claim.line);
        Place to = poison
                ? claim.place.stateAt(halts ? StoredJob.HALTING : StoredJob.DEAD, now.toEpochMilli())
                : claim.place;
        JobFailure failure = poison ? new JobFailure("The node that ran it died, " + crashes + " times", "") : null;
        desk.tables.jobs.move(to, new Tally(claim.attempt(), claim.tally.failures(), crashes),
                ColumnCodecs.progress(claim.progress), failure);
        taken.add(new Taken(claim, to));
    }

    private UpkeepReport committed() {
        asked.onDead().forEach((queue, then) -> {
            QueueIndex line = desk.lines.find(queue);
            if (line != null) {
                line.identity().halts = then == OnDead.HALT;
            }
        });
        desk.keys.expire(now);
        List<JobId> givenBack = new ArrayList<>();
        List<JobId> poisoned = new ArrayList<>();
        for (Taken each : taken) {
            QueueIndex line = each.claim.line;
            boolean poison = each.to.state() >= StoredJob.DEAD;
            desk.running.leave(each.claim);
            if (each.claim.crashed() && each.claim.diedWith != null) {
                desk.nodes.crashed(each.claim.diedWith, each.claim.seq());
            }
            line.counts().running.decrementAndGet();
            line.counts().moved(each.claim.place.state(), each.to.state());
            if (poison && line instanceof StandardQueueIndex) {
                line.over(each.claim, false);
            } else {
                line.crashed(each.claim, each.to.state() == StoredJob.HALTING);
            }
            (poison ? poisoned : givenBack).add(desk.ids.of(each.claim.seq()));
        }
        pruning.committed();
        boolean more = taken.size() == asked.limit() || pruning.count() == asked.limit();
        return new UpkeepReport(givenBack, poisoned, pruning.count(), more);
    }
}
