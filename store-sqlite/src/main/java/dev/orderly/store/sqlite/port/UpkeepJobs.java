package dev.orderly.store.sqlite.port;

import dev.orderly.job.CancelResult;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.OnDead;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptSnapshot;
import dev.orderly.job.store.Declared;
import dev.orderly.job.store.DeclaredLimits;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.JobStore.UpkeepReport;
import dev.orderly.job.store.Settlement;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.store.sql.ColumnCodecs;
import dev.orderly.store.sql.EventRows;
import dev.orderly.store.sqlite.state.FifoQueueIndex;
import dev.orderly.store.sqlite.state.LockedJob;
import dev.orderly.store.sqlite.state.QueueIndex;
import dev.orderly.store.sqlite.state.StandardQueueIndex;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.table.JobTable;
import dev.orderly.store.sqlite.table.StoredJob;
import dev.orderly.store.sqlite.table.StoredJob.Place;
import dev.orderly.store.sqlite.table.StoredJob.Tally;
import dev.orderly.store.sqlite.writer.WriteRequest;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** {@link JobStore#upkeep}. */
final class UpkeepJobs {
    private final WriterState state;
    private final UpkeepRequest request;
    private final Instant now;
    private final List<Taken> taken = new ArrayList<>();
    private final JobRetention pruning;
    /** The declarations of this request that replace the stored ones. */
    private final Map<QueueName, Declared<OnDead>> policies = new HashMap<>();

    /** A job taken from a dead node, with its new place; null if it is cancelled. */
    private record Taken(LockedJob locked, @Nullable Place to) {}

    private UpkeepJobs(WriterState state, UpkeepRequest request, Instant now) {
        this.state = state;
        this.request = request;
        this.now = now;
        pruning = new JobRetention(state, request, now);
    }

    static WriteRequest<UpkeepReport> request(UpkeepRequest request, Instant now) {
        return WriteRequest.alone(state -> new UpkeepJobs(state, request, now).write());
    }

    private Supplier<UpkeepReport> write() throws SQLException {
        storePolicies();
        DeclaredLimits.Changes limits = state.limits.changes(request.limits(), state.nodes::isAlive);
        storeLimits(limits);
        // A dead node stays dead even if this transaction fails: then a later round takes its jobs.
        state.nodes.declareDead(request.deadAfter()).forEach(state.running::orphan);
        for (LockedJob locked : state.running.orphans(request.limit())) {
            takeBack(locked);
        }
        Supplier<List<JobId>> timedOut = endLeases();
        Supplier<List<JobId>> expired = endExpired();
        pruning.write();
        state.tables.batches.prune();
        boolean moreSteps = state.tables.steps.sweep() > 0;
        state.eventsSwept = EventRows.sweep(state.tables.connection(), state.eventsSwept);
        return () -> {
            state.limits.apply(limits);
            limits.limited().forEach(queue -> {
                QueueIndex index = state.queues.find(queue);
                if (index != null) {
                    index.identity().forgotten = false;
                }
            });
            return committed(timedOut.get(), expired.get(), moreSteps);
        };
    }

    /** Running jobs go on; should one wait again, a later round ends it. */
    private Supplier<List<JobId>> endExpired() throws SQLException {
        Map<Long, Supplier<CancelResult>> ends = new LinkedHashMap<>();
        for (long seq : state.tables.jobs.terms.expired(now.toEpochMilli(), each -> !state.running.has(each),
                request.limit())) {
            ends.put(seq, SqliteJobChanges.expire(state, seq, now));
        }
        return () -> {
            ends.values().forEach(end -> {
                var _ = end.get();
            });
            return ends.keySet().stream().map(state.ids::of).toList();
        };
    }

    private Supplier<List<JobId>> endLeases() throws SQLException {
        if (!request.leases().end() || !state.nodes.mayJudge()) {
            return List::of;
        }
        List<Settlement> over = new ArrayList<>();
        for (LockedJob locked : state.running.over(state.leaseNow(), request.limit())) {
            QueueName queue = locked.index.name();
            over.add(new Settlement(null, new AttemptId(state.ids.of(locked.seq()), queue, locked.attempt()),
                    request.leases().outcome(queue, state.tables.jobs.terms.of(locked.seq()), locked.tally.failures(),
                            locked.cancelAsked, halts(locked.index),
                            now)));
        }
        Supplier<List<SettleResult>> ended = SqliteSettlements.write(state, over, now);
        return () -> {
            List<SettleResult> results = ended.get();
            return IntStream.range(0, over.size()).filter(n -> results.get(n) == SettleResult.ACCEPTED)
                    .mapToObj(n -> over.get(n).attempt().id()).toList();
        };
    }

    /**
     * Stores the dead letter policies. A queue that halts is created if unknown; continuing is the default of unknown
     * queues.
     */
    private void storePolicies() throws SQLException {
        for (Map.Entry<QueueName, Declared<OnDead>> each : request.onDead().entrySet()) {
            boolean halts = each.getValue().value() == OnDead.HALT;
            QueueIndex index = halts ? state.queues.of(each.getKey()) : state.queues.find(each.getKey());
            if (index == null || !each.getValue().replaces(index.identity().haltsDeclarer, state.nodes::isAlive)) {
                continue;
            }
            policies.put(each.getKey(), each.getValue());
            if (index.identity().halts != halts) {
                state.tables.queues.halt(index.identity().id, halts);
            }
            if (index.identity().forgotten) {
                state.tables.queues.know(index.identity().id);
            }
        }
    }

    /** Stores declared limits, and the limits of queues; a queue with a limit is created if unknown. */
    private void storeLimits(DeclaredLimits.Changes changes) throws SQLException {
        for (Map.Entry<LimitName, Declared<Limit>> each : changes.limits().entrySet()) {
            state.tables.limits.put(state.limits.changed(each.getKey(), each.getValue().value()));
        }
        storeUses(changes.queues(), state.tables.limits::use);
        storeUses(changes.keys(), state.tables.limits::useOfKeys);
        state.tables.jobs.keys.prune(state.leaseNow());
        state.tables.rests.prune(state.leaseNow());
    }

    private void storeUses(Map<QueueName, Declared<Optional<LimitName>>> uses, Use use) throws SQLException {
        for (Map.Entry<QueueName, Declared<Optional<LimitName>>> each : uses.entrySet()) {
            Optional<LimitName> limit = each.getValue().value();
            QueueIndex index = limit.isPresent() ? state.queues.of(each.getKey()) : state.queues.find(each.getKey());
            if (index != null) {
                use.put(index.identity().id, limit.orElse(null));
                if (limit.isPresent() && index.identity().forgotten) {
                    state.tables.queues.know(index.identity().id);
                }
            }
        }
    }

    /** Writes the limit of a queue, or of each of its keys. */
    @FunctionalInterface
    private interface Use {
        void put(int queue, @Nullable LimitName limit) throws SQLException;
    }

    private boolean halts(QueueIndex index) {
        Declared<OnDead> declared = policies.get(index.name());
        return declared == null ? index.identity().halts : declared.value() == OnDead.HALT;
    }

    private void takeBack(LockedJob locked) throws SQLException {
        if (locked.cancelAsked) {
            SqliteSettlements.cancelled(state, locked, now);
            taken.add(new Taken(locked, null));
            return;
        }
        int crashes = locked.tally.crashes() + (locked.crashed() ? 1 : 0);
        int alone = locked.crashedAlone() ? state.tables.jobs.crashedAlone(locked.seq()) : 0;
        boolean poison = alone >= request.crashLimit();
        boolean halts = locked.index instanceof FifoQueueIndex && halts(locked.index);
        Place to = poison
                ? locked.place.stateAt(halts ? StoredJob.HALTING : StoredJob.DEAD, now.toEpochMilli())
                : locked.place;
        JobFailure failure = poison ? UpkeepRequest.poison(alone) : null;
        Tally tally = new Tally(locked.attempt(), locked.tally.failures(), crashes);
        state.tables.jobs.move(locked.index.identity().id, new JobTable.Move(locked.place, to, tally),
                new JobTable.Report(ColumnCodecs.progress(locked.progress), failure,
                        AttemptSnapshot.lost(locked.attempt(), locked.run(), failure, now)));
        taken.add(new Taken(locked, to));
    }

    private UpkeepReport committed(List<JobId> timedOut, List<JobId> expired, boolean moreSteps) {
        policies.forEach((queue, declared) -> {
            QueueIndex index = state.queues.find(queue);
            if (index != null) {
                index.identity().halts = declared.value() == OnDead.HALT;
                index.identity().haltsDeclarer = declared.node();
                index.identity().forgotten = false;
            }
        });
        state.keys.expire(now);
        List<JobId> givenBack = new ArrayList<>();
        List<JobId> poisoned = new ArrayList<>();
        List<JobId> cancelled = new ArrayList<>();
        for (Taken each : taken) {
            Place to = each.to;
            committed(each.locked, to);
            (to == null ? cancelled : to.state() >= StoredJob.DEAD ? poisoned : givenBack)
                    .add(state.ids.of(each.locked.seq()));
        }
        pruning.committed();
        boolean more = taken.size() == request.limit() || pruning.count() == request.limit()
                || timedOut.size() == request.limit() || expired.size() == request.limit() || moreSteps;
        return new UpkeepReport(givenBack, poisoned, cancelled, timedOut, expired, pruning.count(), 0, more);
    }

    private void committed(LockedJob locked, @Nullable Place to) {
        QueueIndex index = locked.index;
        state.running.leave(locked);
        index.counts().running.decrementAndGet();
        if (to == null) {
            index.counts().ended(locked.place.state());
        } else {
            if (locked.crashed() && locked.diedWith != null) {
                state.nodes.crashed(locked.diedWith, locked.seq(), locked.crashedAlone());
            }
            index.counts().moved(locked.place.state(), to.state());
        }
        boolean gone = to == null || to.state() >= StoredJob.DEAD;
        if (gone && index instanceof StandardQueueIndex) {
            index.ended(locked, false);
        } else {
            index.crashed(locked, to != null && to.state() == StoredJob.HALTING);
        }
    }
}
