package dev.orderly.store.sqlite.port;

import dev.orderly.job.JobId;
import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.QueueName;
import dev.orderly.job.limit.StartAllowance;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Budget;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.job.store.StartWindow;
import dev.orderly.store.sqlite.state.FifoQueueIndex;
import dev.orderly.store.sqlite.state.LockedJob;
import dev.orderly.store.sqlite.state.QueueIndex;
import dev.orderly.store.sqlite.state.StandardQueueIndex;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.table.JobTable;
import dev.orderly.store.sqlite.table.StoredJob;
import dev.orderly.store.sqlite.table.StoredJob.Place;
import dev.orderly.store.sqlite.writer.WriteRequest;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
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
    private final Set<QueueName> limited = new HashSet<>();
    private final Set<LimitName> taken = new HashSet<>();
    private final Set<KeyTokens> keyTokens = new LinkedHashSet<>();
    private final Map<StandardQueueIndex, List<Place>> due = new LinkedHashMap<>();
    private boolean refused;
    private int run;

    private StartAllowance room;

    private SqliteClaims(WriterState state, ClaimRequest request, Instant now) {
        this.state = state;
        this.request = request;
        this.now = now;
        this.budget = request.budget();
        this.room = StartAllowance.unlimited();
        this.passedOver = request.passedOver().stream().filter(state.ids::isOwn).map(JobId::sequence)
                .collect(Collectors.toSet());
    }

    /**
     * The jobs of a claim.
     *
     * @param taken limits whose tokens it has taken, which have to be {@linkplain #keepTokens stored} before the jobs
     *     start
     * @param keyTokens keys and groups whose tokens it has taken, likewise
     * @param due delayed jobs with keys that are due, which have to {@linkplain #promote wait} before they are claimed
     */
    public record Claim(ClaimedJobs jobs, Set<LimitName> taken, Set<KeyTokens> keyTokens,
            Map<StandardQueueIndex, List<Place>> due) {
        /** Whether it has taken tokens. */
        boolean tookTokens() {
            return !taken.isEmpty() || !keyTokens.isEmpty();
        }
    }

    /** A key or group whose tokens have changed. */
    private record KeyTokens(QueueIndex index, String key) {}

    /** The request. If its caller no longer waits, the claim is undone: its jobs wait again. */
    public static WriteRequest<Claim> request(ClaimRequest request, Instant now) {
        return WriteRequest.inMemory(state -> new SqliteClaims(state, request, now).claim(),
                (state, claim) -> giveBack(state, claim.jobs.jobs()));
    }

    /** Stores the tokens that a claim has taken from limits. */
    static WriteRequest<Integer> keepTokens(Claim claim) {
        return WriteRequest.shared(1, state -> {
            for (LimitName limit : claim.taken) {
                state.tables.limits.put(state.limits.row(limit));
            }
            for (KeyTokens each : claim.keyTokens) {
                StartWindow window = each.index.window(each.key);
                Limit limit = each.index.limitOf(each.key);
                state.tables.jobs.keys.put(each.index.identity().id, each.key, window,
                        limit == null ? 0 : window.end(limit));
            }
            return claim.taken::size;
        });
    }

    /** Makes delayed jobs with keys that are due wait: so they are found by their keys. */
    static WriteRequest<Integer> promote(Claim claim) {
        return WriteRequest.shared(1, state -> {
            state.tables.flush(); // another claim or a push of this transaction may have moved a job
            List<Runnable> steps = new ArrayList<>();
            for (Map.Entry<StandardQueueIndex, List<Place>> each : claim.due.entrySet()) {
                for (Place from : each.getValue()) {
                    JobTable.Found found = state.tables.jobs.find(from.seq());
                    if (found != null && found.place().equals(from) && !state.running.has(from.seq())) {
                        Place to = from.stateAt(StoredJob.WAITING, 0);
                        state.tables.jobs.move(found.queue(), new JobTable.Move(from, to, found.tally()),
                                JobTable.Report.NONE);
                        steps.add(() -> {
                            QueueIndex index = state.index(found.queue());
                            index.counts().moved(from.state(), to.state());
                            index.dueNow(from);
                        });
                    }
                }
            }
            return () -> {
                steps.forEach(Runnable::run);
                return steps.size();
            };
        });
    }

    /** Undoes a claim whose tokens could not be stored. */
    static WriteRequest<Integer> undo(Claim claim) {
        return WriteRequest.inMemory(1, state -> {
            giveBack(state, claim.jobs.jobs());
            return claim.jobs.jobs().size();
        });
    }

    private Claim claim() throws SQLException {
        boolean alive = state.nodes.isAlive(request.node());
        long nextDue = Long.MAX_VALUE;
        try {
            for (ClaimRequest.Demand demand : request.wants()) {
                QueueIndex index = state.queues.find(demand.queue());
                if (index != null) {
                    if (index.identity().paused) {
                        paused.add(demand.queue());
                    }
                    nextDue = Math.min(nextDue, serve(index, demand, alive));
                }
            }
        } catch (SQLException | RuntimeException e) {
            giveBack(state, jobs);
            throw e;
        }
        return new Claim(new ClaimedJobs(jobs, nextDue == Long.MAX_VALUE ? null : Instant.ofEpochMilli(nextDue), paused,
                limited), taken, keyTokens, due);
    }

    private long serve(QueueIndex index, ClaimRequest.Demand demand, boolean alive) throws SQLException {
        if (index.identity().paused || !alive) {
            // Nothing would be handed out when a job becomes due, so there is no next moment.
            return Long.MAX_VALUE;
        }
        long millis = now.toEpochMilli();
        refused = false;
        room = state.room(index.name());
        int most = Math.min(demand.limit(), room.jobs());
        run = room.jobs() < Integer.MAX_VALUE ? 1 : demand.run();
        int before = jobs.size();
        StandardQueueIndex standard = index instanceof StandardQueueIndex of ? of : null;
        if (standard != null) {
            standard.keyed.turns.ran(demand.ran());
            standard.keyed.turns.slots(state.limits.slots(index.name()), state.leaseNow());
            List<Place> found = standard.keyed.due(millis);
            if (!found.isEmpty()) {
                due.put(standard, found);
            }
        }
        if (most > 0) {
            index.take(most, millis, this);
        }
        int got = jobs.size() - before;
        state.limits.took(index.name(), room.taken(), state.leaseNow()).ifPresent(taken::add);
        boolean held = standard != null && got < demand.limit() && standard.keyed.turns.isHolding();
        if (held || room.isRefused() || (most < demand.limit() && got == most)) {
            limited.add(index.name());
        }
        return index.nextDue(millis);
    }

    @Override
    public @Nullable LockedJob take(QueueIndex index, StoredJob row) {
        refused = !room.fits(row.terms().cost()) || !budget.take(row.payload());
        if (refused) {
            return null;
        }
        room.take(row.terms().cost());
        LockedJob locked = state.running.enter(index, row, request.node(), now.toEpochMilli());
        index.counts().running.incrementAndGet();
        String group = index instanceof FifoQueueIndex ? (String) row.place().lane() : null;
        jobs.add(new ClaimedJob(new AttemptId(state.ids.of(row.seq()), index.name(), locked.attempt()),
                row.tally().failures(), row.tally().crashes(), group, row.seq(), row.payload(), row.params(),
                row.user(), row.trace(), state.clock(row.terms())));
        return locked;
    }

    @Override
    public void tookToken(QueueIndex index, String key) {
        keyTokens.add(new KeyTokens(index, key));
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
