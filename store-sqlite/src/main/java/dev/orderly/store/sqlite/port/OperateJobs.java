package dev.orderly.store.sqlite.port;

import dev.orderly.job.CancelResult;
import dev.orderly.job.JobId;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.JobStore;
import dev.orderly.store.sqlite.state.LockedJob;
import dev.orderly.store.sqlite.state.QueueIndex;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.table.EndedJobTable;
import dev.orderly.store.sqlite.table.EndedJobTable.End;
import dev.orderly.store.sqlite.table.EndedJobTable.Left;
import dev.orderly.store.sqlite.table.JobTable;
import dev.orderly.store.sqlite.table.StoredJob;
import dev.orderly.store.sqlite.table.StoredJob.Place;
import dev.orderly.store.sqlite.writer.WriteRequest;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What an operator does to queues and jobs. */
public final class OperateJobs {
    private static final Left CANCELLED = new Left(null, null, "cancelled on request");

    private OperateJobs() {}

    /**
     * {@link JobStore#pause}; answers whether there is such a queue. A queue that was never used can be paused before its
     * first job; to resume it nothing need be stored.
     */
    static WriteRequest<Boolean> pause(QueueName queue, boolean paused) {
        return WriteRequest.alone(desk -> {
            QueueIndex line = paused ? desk.lines.of(queue) : desk.lines.find(queue);
            if (line == null) {
                return () -> false;
            }
            desk.tables.queues.pause(line.identity().id, paused);
            return () -> {
                line.identity().paused = paused;
                return true;
            };
        });
    }

    /**
     * A step of {@link JobStore#redrive}.
     *
     * @param ids in push order, empty for all
     */
    public static WriteRequest<Integer> redrive(QueueName queue, List<JobId> ids, int limit) {
        return WriteRequest.alone(desk -> {
            QueueIndex line = desk.lines.find(queue);
            return line == null ? () -> 0 : redrive(desk, line, dead(desk, line, ids, limit));
        });
    }

    private static Supplier<Integer> redrive(WriterState desk, QueueIndex line, List<Place> dead) throws SQLException {
        for (Place place : dead) {
            desk.tables.jobs.redrive(place.seq());
        }
        return () -> {
            line.identity().oldest.set(0);
            for (Place place : dead) {
                line.counts().moved(place.state(), StoredJob.WAITING);
                line.redriven(place);
            }
            return dead.size();
        };
    }

    private static List<Place> dead(WriterState desk, QueueIndex line, List<JobId> ids, int limit) throws SQLException {
        List<Place> found = new ArrayList<>();
        if (ids.isEmpty()) {
            desk.tables.jobs.dead(line.identity().id, limit, found::add);
        }
        for (JobId id : ids) {
            JobTable.Found job = desk.ids.isOwn(id) ? desk.tables.jobs.find(id.sequence()) : null;
            if (job != null && job.queue() == line.identity().id && job.place().state() >= StoredJob.DEAD
                    && found.size() < limit) {
                found.add(job.place());
            }
        }
        return found;
    }

    /** {@link JobStore#cancel}. */
    static WriteRequest<CancelResult> cancel(JobId id, Instant now) {
        return WriteRequest.alone(desk -> desk.ids.isOwn(id)
                ? cancel(desk, id.sequence(), now)
                : () -> CancelResult.UNKNOWN);
    }

    private static Supplier<CancelResult> cancel(WriterState desk, long seq, Instant now) throws SQLException {
        LockedJob claim = desk.running.find(seq);
        if (claim != null) {
            return () -> {
                claim.cancelAsked = true;
                return CancelResult.SIGNALLED;
            };
        }
        JobTable.Found found = desk.tables.jobs.find(seq);
        if (found == null) {
            CancelResult result = desk.tables.ended.exists(seq) ? CancelResult.ENDED : CancelResult.UNKNOWN;
            return () -> result;
        }
        int attempt = found.tally().attempt();
        desk.tables.ended.insert(new End(seq, EndedJobTable.CANCELLED, attempt, now.toEpochMilli()), CANCELLED);
        desk.tables.jobs.delete(seq);
        return () -> {
            QueueIndex line = desk.line(found.queue());
            line.counts().ended(found.place().state());
            if (found.place().state() >= StoredJob.DEAD) {
                line.buried(found.place());
            } else {
                line.removed(found.place());
            }
            return CancelResult.CANCELLED;
        };
    }
}
