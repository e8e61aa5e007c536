package dev.orderly.store.sqlite.port;

import dev.orderly.job.store.JobSequence;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.store.sqlite.state.QueueIndex;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.table.StoredJob.Place;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Prunes ended jobs and keys whose retention is over, a bounded number at a time. An ended job whose dedupe key is
 * within its window stays: a restart reads the keys from there.
 */
final class JobRetention {
    private final WriterState state;
    private final UpkeepRequest request;
    private final Instant now;
    private final List<Pruned> ended = new ArrayList<>();
    private final List<DeadJob> deadJobs = new ArrayList<>();
    private int count;

    private record Pruned(QueueIndex index, int count) {}

    private record DeadJob(QueueIndex index, Place place) {}

    JobRetention(WriterState state, UpkeepRequest request, Instant now) {
        this.state = state;
        this.request = request;
        this.now = now;
    }

    void write() throws SQLException {
        count += pruneEnded(left(), now.minus(request.keep().done()).toEpochMilli());
        long over = state.endedRows() - count - request.keep().doneMax();
        if (over > 0 && left() > 0) {
            count += pruneEnded((int) Math.min(over, left()), Long.MAX_VALUE);
        }
        for (QueueIndex index : state.queues.all()) {
            pruneDead(index);
        }
        count += state.tables.idempotency
                .prune(JobSequence.startOf(now.minus(JobStore.IDEMPOTENCY_WINDOW).plusMillis(1)), left());
        count += state.tables.kept.prune(now.toEpochMilli(), left());
    }

    private int pruneEnded(int rows, long endedBefore) throws SQLException {
        return state.tables.ended.prune(rows, endedBefore, state.keys.floor(now),
                (queue, gone) -> ended.add(new Pruned(state.index(queue), gone)));
    }

    private void pruneDead(QueueIndex index) throws SQLException {
        Instant diedBefore = now.minus(request.keep().dead());
        int before = deadJobs.size();
        state.tables.jobs.expiredDead(index.identity().id, JobSequence.startOf(diedBefore), diedBefore.toEpochMilli(),
                left(), place -> deadJobs.add(new DeadJob(index, place)));
        for (DeadJob each : deadJobs.subList(before, deadJobs.size())) {
            state.tables.jobs.delete(index.identity().id, each.place);
            count++;
        }
    }

    private int left() {
        return request.limit() - count;
    }

    void committed() {
        ended.forEach(some -> some.index.counts().ended.addAndGet(-some.count));
        for (DeadJob each : deadJobs) {
            each.index.counts().dead.decrementAndGet();
            each.index.deadRemoved(each.place);
        }
    }

    int count() {
        return count;
    }
}
