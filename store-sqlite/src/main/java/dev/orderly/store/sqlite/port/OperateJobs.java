package dev.orderly.store.sqlite.port;

import dev.orderly.job.CancelResult;
import dev.orderly.job.JobId;
import dev.orderly.job.QueueName;
import dev.orderly.job.RunNowResult;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.JobStore;
import dev.orderly.store.sqlite.state.LockedJob;
import dev.orderly.store.sqlite.state.QueueIndex;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.table.EndedJobTable;
import dev.orderly.store.sqlite.table.EndedJobTable.End;
import dev.orderly.store.sqlite.table.EndedJobTable.Left;
import dev.orderly.store.sqlite.table.JobTable;
import dev.orderly.store.sqlite.table.LeaseTable;
import dev.orderly.store.sqlite.table.LeaseTable.Lease;
import dev.orderly.store.sqlite.table.StoredJob;
import dev.orderly.store.sqlite.table.StoredJob.Place;
import dev.orderly.store.sqlite.writer.WriteRequest;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Requests of operators: pause, redrive, cancel. */
public final class OperateJobs {
    private static final Left CANCELLED = new Left(null, null, AttemptOutcome.Cancelled.onRequest().reason());

    private OperateJobs() {}

    /**
     * {@link JobStore#pause}; returns whether the queue is stored. An unused queue can be paused before its first job;
     * resuming an unused queue stores nothing.
     */
    static WriteRequest<Boolean> pause(QueueName queue, boolean paused) {
        return WriteRequest.alone(state -> {
            QueueIndex index = paused ? state.queues.of(queue) : state.queues.find(queue);
            if (index == null) {
                return () -> false;
            }
            state.tables.queues.pause(index.identity().id, paused);
            return () -> {
                index.identity().paused = paused;
                return true;
            };
        });
    }

    /**
     * One transaction of {@link JobStore#redrive}.
     *
     * @param ids dead letters in push order
     */
    static WriteRequest<Integer> redrive(QueueName queue, List<JobId> ids, int limit) {
        return WriteRequest.alone(state -> {
            QueueIndex index = state.queues.find(queue);
            return index == null ? () -> 0 : redrive(state, index, dead(state, index, ids, limit));
        });
    }

    /** One transaction of {@link JobStore#redriveAll}. */
    public static WriteRequest<Integer> redriveAll(QueueName queue, int limit) {
        return WriteRequest.alone(state -> {
            QueueIndex index = state.queues.find(queue);
            if (index == null) {
                return () -> 0;
            }
            List<Place> dead = new ArrayList<>();
            state.tables.jobs.dead(index.identity().id, limit, dead::add);
            return redrive(state, index, dead);
        });
    }

    private static Supplier<Integer> redrive(WriterState state, QueueIndex index, List<Place> dead)
            throws SQLException {
        for (Place place : dead) {
            state.tables.jobs.redrive(index.identity().id, place);
        }
        return () -> {
            index.identity().oldest.set(0);
            for (Place place : dead) {
                index.counts().moved(place.state(), StoredJob.WAITING);
                index.redriven(place);
            }
            return dead.size();
        };
    }

    private static List<Place> dead(WriterState state, QueueIndex index, List<JobId> ids, int limit)
            throws SQLException {
        List<Place> found = new ArrayList<>();
        for (JobId id : ids) {
            JobTable.Found job = state.ids.isOwn(id) ? state.tables.jobs.find(id.sequence()) : null;
            if (job != null && job.queue() == index.identity().id && job.place().state() >= StoredJob.DEAD
                    && found.size() < limit) {
                found.add(job.place());
            }
        }
        return found;
    }

    /** {@link JobStore#cancel}. */
    static WriteRequest<CancelResult> cancel(JobId id, Instant now) {
        return WriteRequest.alone(state -> state.ids.isOwn(id)
                ? cancel(state, id.sequence(), now)
                : () -> CancelResult.UNKNOWN);
    }

    /** {@link JobStore#runNow}. */
    static WriteRequest<RunNowResult> runNow(JobId id, Instant now) {
        return WriteRequest.alone(state -> {
            JobTable.Found found = state.ids.isOwn(id) ? state.tables.jobs.find(id.sequence()) : null;
            if (found == null) {
                boolean ended = state.ids.isOwn(id) && state.tables.ended.exists(id.sequence());
                return () -> ended ? RunNowResult.NOT_DELAYED : RunNowResult.UNKNOWN;
            }
            Place from = found.place();
            if (from.state() >= StoredJob.DEAD || from.readyAt() <= now.toEpochMilli()
                    || state.running.has(id.sequence())) {
                return () -> RunNowResult.NOT_DELAYED;
            }
            Place to = from.stateAt(StoredJob.WAITING, 0);
            state.tables.jobs.move(found.queue(), new JobTable.Move(from, to, found.tally()), JobTable.Report.NONE);
            return () -> {
                QueueIndex index = state.index(found.queue());
                index.counts().moved(from.state(), to.state());
                index.dueNow(from);
                return RunNowResult.DUE;
            };
        });
    }

    private static Supplier<CancelResult> cancel(WriterState state, LockedJob locked) throws SQLException {
        state.tables.cancellations.put(locked.seq());
        Lease before = locked.lease;
        Lease lease = before == null
                ? null
                : new Lease(Math.min(before.until(), state.leaseNow() + JobStore.CANCEL_GRACE.toMillis()));
        if (lease != null) {
            state.tables.leases.put(new LeaseTable.Row(locked.seq(), locked.attempt(), lease));
        }
        return () -> {
            locked.cancelAsked = true;
            if (lease != null) {
                state.running.lease(locked, lease);
            }
            return CancelResult.REQUESTED;
        };
    }

    private static Supplier<CancelResult> cancel(WriterState state, long seq, Instant now) throws SQLException {
        LockedJob locked = state.running.find(seq);
        if (locked != null) {
            return cancel(state, locked);
        }
        JobTable.Found found = state.tables.jobs.find(seq);
        if (found == null) {
            CancelResult result = state.tables.ended.exists(seq) ? CancelResult.ENDED : CancelResult.UNKNOWN;
            return () -> result;
        }
        int attempt = found.tally().attempt();
        state.tables.ended.insert(new End(seq, EndedJobTable.CANCELLED, attempt, now.toEpochMilli(), 0),
                CANCELLED);
        state.tables.jobs.delete(found.queue(), found.place());
        return () -> {
            QueueIndex index = state.index(found.queue());
            index.counts().ended(found.place().state());
            if (found.place().state() >= StoredJob.DEAD) {
                index.deadRemoved(found.place());
            } else {
                index.removed(found.place());
            }
            return CancelResult.CANCELLED;
        };
    }
}
