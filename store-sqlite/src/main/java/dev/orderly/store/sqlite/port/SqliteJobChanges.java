package dev.orderly.store.sqlite.port;

import dev.orderly.job.CancelResult;
import dev.orderly.job.EventResult;
import dev.orderly.job.ForgetQueueResult;
import dev.orderly.job.JobId;
import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueView;
import dev.orderly.job.RunNowResult;
import dev.orderly.job.settings.KeySettings;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.SetResult;
import dev.orderly.job.store.NewEvent;
import dev.orderly.job.store.QueueSnapshot;
import dev.orderly.store.sql.EventRows;
import dev.orderly.store.sqlite.state.LockedJob;
import dev.orderly.store.sqlite.state.QueueCounts;
import dev.orderly.store.sqlite.state.QueueIndex;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.table.EndedJobTable;
import dev.orderly.store.sqlite.table.EndedJobTable.End;
import dev.orderly.store.sqlite.table.EndedJobTable.Left;
import dev.orderly.store.sqlite.table.JobTable;
import dev.orderly.store.sqlite.table.SqliteLeaseTable;
import dev.orderly.store.sqlite.table.SqliteLeaseTable.Lease;
import dev.orderly.store.sqlite.table.StoredJob;
import dev.orderly.store.sqlite.table.StoredJob.Place;
import dev.orderly.store.sqlite.writer.WriteRequest;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** Requests of operators: pause, redrive, cancel, forget. */
public final class SqliteJobChanges {
    private static final Left CANCELLED = new Left(null, null, AttemptOutcome.Cancelled.onRequest().reason());

    private SqliteJobChanges() {}

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
            boolean forgotten = index.identity().forgotten && !paused;
            if (index.identity().forgotten && paused) {
                state.tables.queues.know(index.identity().id);
            }
            return () -> {
                index.identity().paused = paused;
                index.identity().forgotten = forgotten;
                return true;
            };
        });
    }

    /** {@link JobStore#set}. */
    static WriteRequest<SetResult> set(QueueName queue, String key, KeySettings expected, KeySettings next) {
        return WriteRequest.alone(state -> {
            QueueIndex known = state.queues.find(queue);
            KeySettings before = known == null ? KeySettings.NONE : known.identity().settings(key);
            if (!before.equals(expected)) {
                return () -> SetResult.CHANGED_MEANWHILE;
            }
            if (before.equals(next)) {
                return () -> SetResult.SET;
            }
            if (known != null && before.isEmpty() && known.identity().settings.size() >= KeySettings.MOST) {
                return () -> SetResult.TOO_MANY;
            }
            QueueIndex index = state.queues.of(queue);
            state.tables.keySettings.put(index.identity().id, key, next);
            boolean forgotten = index.identity().forgotten && next.isEmpty();
            if (index.identity().forgotten && !forgotten) {
                state.tables.queues.know(index.identity().id);
            }
            return () -> {
                index.set(key, next);
                index.identity().forgotten = forgotten;
                return SetResult.SET;
            };
        });
    }

    /** {@link JobStore#forget}. Follows the first count of the rows. */
    static WriteRequest<ForgetQueueResult> forget(QueueName queue) {
        return WriteRequest.alone(state -> {
            QueueIndex index = state.queues.find(queue);
            if (index == null) {
                return () -> new ForgetQueueResult.Unknown(queue);
            }
            QueueIndex.Identity identity = index.identity();
            QueueView view = held(index);
            boolean holdsJobs = ForgetQueueResult.InUse.holdsJobs(view);
            NodeId declarer = identity.haltsDeclarer;
            Set<NodeId> nodes = new HashSet<>(state.nodes.workers(queue));
            if (declarer != null && state.nodes.isAlive(declarer)) {
                nodes.add(declarer);
            }
            if (identity.forgotten && !holdsJobs) {
                return () -> new ForgetQueueResult.Unknown(queue);
            }
            if (holdsJobs || !nodes.isEmpty()) {
                return () -> new ForgetQueueResult.InUse(view, nodes);
            }
            state.tables.queues.forget(identity.id);
            state.tables.keySettings.forget(identity.id);
            return () -> {
                state.limits.forget(queue);
                Set.copyOf(identity.settings.keySet()).forEach(key -> index.set(key, KeySettings.NONE));
                identity.forgotten = true;
                identity.paused = false;
                identity.halts = false;
                identity.haltsDeclarer = null;
                return new ForgetQueueResult.Forgotten(queue);
            };
        });
    }

    /** The rows of a queue by state; delayed jobs that are due count as delayed. */
    private static QueueView held(QueueIndex index) {
        QueueCounts counts = index.counts();
        long running = counts.running.get();
        long waiting = counts.waiting.get() - running;
        return new QueueSnapshot(index.name(), index.identity().paused, Math.max(0, waiting),
                Math.max(0, counts.delayed.get() + Math.min(0, waiting)), running, 0, counts.dead.get(),
                counts.ended.get(), index.halts(), null);
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
            if (!isLater(state, found, now)) {
                return () -> RunNowResult.NOT_DELAYED;
            }
            Runnable due = makeDue(state, found);
            return () -> {
                due.run();
                return RunNowResult.DUE;
            };
        });
    }

    /** Makes a job due that is due later; what follows the commit. */
    private static Runnable makeDue(WriterState state, JobTable.Found found) throws SQLException {
        Place from = found.place();
        Place to = from.stateAt(StoredJob.WAITING, 0);
        state.tables.jobs.move(found.queue(), new JobTable.Move(from, to, found.tally()), JobTable.Report.NONE);
        return () -> {
            QueueIndex index = state.index(found.queue());
            index.counts().moved(from.state(), to.state());
            index.dueNow(from);
        };
    }

    /** {@link JobStore#event}. */
    static WriteRequest<EventResult> event(NewEvent event, Instant now) {
        return WriteRequest.alone(state -> {
            long seq = event.job().sequence();
            JobTable.Found found = state.ids.isOwn(event.job()) ? state.tables.jobs.find(seq) : null;
            if (found == null) {
                boolean ended = state.ids.isOwn(event.job()) && state.tables.ended.exists(seq);
                return () -> ended ? EventResult.ENDED : EventResult.UNKNOWN;
            }
            EventResult result = EventRows.keep(state.tables.connection(), seq, event, now);
            boolean waits = result == EventResult.ACCEPTED && isLater(state, found, now)
                    && EventRows.isAwaited(state.tables.connection(), seq, event.name(), found.tally().attempt());
            Runnable due = waits ? makeDue(state, found) : () -> {};
            return () -> {
                due.run();
                return result;
            };
        });
    }

    private static boolean isLater(WriterState state, JobTable.Found found, Instant now) {
        Place place = found.place();
        return place.state() < StoredJob.DEAD && place.readyAt() > now.toEpochMilli()
                && !state.running.has(place.seq());
    }

    private static Supplier<CancelResult> cancel(WriterState state, LockedJob locked) throws SQLException {
        state.tables.cancellations.put(locked.seq());
        Lease before = locked.lease;
        Lease lease = before == null
                ? null
                : new Lease(Math.min(before.until(), state.leaseNow() + JobStore.CANCEL_GRACE.toMillis()));
        if (lease != null) {
            state.tables.leases.put(new SqliteLeaseTable.Row(locked.seq(), locked.attempt(), lease));
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
        return end(state, seq, CANCELLED, now);
    }

    /** Ends a job that is expired. A running job only gets a request: ask before. */
    static Supplier<CancelResult> expire(WriterState state, long seq, Instant now) throws SQLException {
        Instant at = state.clock(state.tables.jobs.terms.of(seq)).expiresAt();
        return end(state, seq, new Left(null, null,
                AttemptOutcome.Cancelled.expired(at, state.tables.jobs.terms.attempts(seq)).reason()), now);
    }

    private static Supplier<CancelResult> end(WriterState state, long seq, Left left, Instant now)
            throws SQLException {
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
                left);
        state.tables.jobs.end(found.queue(), found.place(), EndedJobTable.CANCELLED);
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
