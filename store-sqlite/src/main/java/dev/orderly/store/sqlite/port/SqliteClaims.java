package dev.orderly.store.sqlite.port;

import dev.orderly.job.JobId;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Budget;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.store.sqlite.state.FifoQueueIndex;
import dev.orderly.store.sqlite.state.LockedJob;
import dev.orderly.store.sqlite.state.QueueIndex;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.table.StoredJob;
import dev.orderly.store.sqlite.writer.WriteRequest;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@link JobStore#claim}. Writes nothing. */
public final class SqliteClaims implements QueueIndex.Taker {
    private final WriterState state;
    private final ClaimRequest request;
    private final Instant now;
    private final Budget budget;
    private final List<ClaimedJob> jobs = new ArrayList<>();
    private final Set<Long> passedOver;
    private final Set<QueueName> paused = new HashSet<>();
    private boolean refused;
    private int run;

    private SqliteClaims(WriterState state, ClaimRequest request, Instant now) {
        this.state = state;
        this.request = request;
        this.now = now;
        this.budget = request.budget();
        this.passedOver = request.passedOver().stream().filter(state.ids::isOwn).map(JobId::sequence)
                .collect(Collectors.toSet());
    }

    /** The request. If its caller no longer waits, the claim is undone: its jobs wait again. */
    public static WriteRequest<ClaimedJobs> request(ClaimRequest request, Instant now) {
        return WriteRequest.inMemory(state -> new SqliteClaims(state, request, now).claim(),
                (state, claims) -> giveBack(state, claims.jobs()));
    }

    private ClaimedJobs claim() throws SQLException {
        boolean alive = state.nodes.isAlive(request.node());
        long nextDue = Long.MAX_VALUE;
        try {
            for (ClaimRequest.Demand demand : request.wants()) {
                QueueIndex index = state.queues.find(demand.queue());
                if (index != null) {
                    if (index.identity().paused) {
                        paused.add(demand.queue());
                    }
                    run = demand.run();
                    nextDue = Math.min(nextDue, serve(index, alive ? demand.limit() : 0));
                }
            }
        } catch (SQLException | RuntimeException e) {
            giveBack(state, jobs);
            throw e;
        }
        return new ClaimedJobs(jobs, nextDue == Long.MAX_VALUE ? null : Instant.ofEpochMilli(nextDue), paused);
    }

    private long serve(QueueIndex index, int limit) throws SQLException {
        if (index.identity().paused || limit == 0) {
            // Nothing would be handed out when a job becomes due, so there is no next moment.
            return Long.MAX_VALUE;
        }
        long millis = now.toEpochMilli();
        refused = false;
        index.take(limit, millis, this);
        return index.nextDue(millis);
    }

    @Override
    public @Nullable LockedJob take(QueueIndex index, StoredJob row) {
        refused = !budget.take(row.payload());
        if (refused) {
            return null;
        }
        LockedJob locked = state.running.enter(index, row, request.node(), now.toEpochMilli());
        index.counts().running.incrementAndGet();
        String group = index instanceof FifoQueueIndex ? (String) row.place().lane() : null;
        jobs.add(new ClaimedJob(new AttemptId(state.ids.of(row.seq()), index.name(), locked.attempt()),
                row.tally().failures(), row.tally().crashes(), group, row.seq(), row.payload(), row.params(),
                row.user(), row.trace(), state.clock(row.terms())));
        return locked;
    }

    @Override
    public int run() {
        return run;
    }

    @Override
    public boolean passesOverAny() {
        return !passedOver.isEmpty();
    }

    @Override
    public boolean passesOver(long seq) {
        return passedOver.contains(seq);
    }

    @Override
    public boolean isFull() {
        return refused;
    }

    private static void giveBack(WriterState state, List<ClaimedJob> jobs) {
        for (ClaimedJob job : jobs.reversed()) {
            LockedJob locked = state.running.find(job.sequence());
            if (locked != null && locked.cancelAsked) {
                locked.node = null; // upkeep ends it
            } else if (locked != null) {
                state.running.leave(locked);
                locked.index.counts().running.decrementAndGet();
                locked.index.requeued(locked, locked.place);
            }
        }
    }
}
