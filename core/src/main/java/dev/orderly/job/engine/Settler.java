package dev.orderly.job.engine;

import dev.orderly.flow.Backoff;
import dev.orderly.flow.GroupCommitter;
import dev.orderly.flow.Wakeup;
import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import dev.orderly.job.Throttled;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.AttemptSnapshot;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.JobViews;
import dev.orderly.job.store.Settlement;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports outcomes to the store in group commits, and retries while the store fails: reports may be repeated, since the
 * attempt number is a fence. Outcomes that a foreign transaction blocks have separate group commits.
 */
final class Settler {
    private static final Logger LOG = LoggerFactory.getLogger(Settler.class);
    private static final int TRIES = 4;
    private static final int COMMIT_MAX = 1_024;
    private static final int WAITING_MAX = 16_384;
    /** Pause after a group commit, in which outcomes gather for which no reader and no other job waits. */
    private static final Duration GATHER = Duration.ofMillis(5);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final JobStore store;
    private final JobViews views;
    private final Time time;
    private final NodeId node;
    private final GroupCommitter<Settlement, Outcome> committer;
    /** Bounded by the jobs that this node holds. */
    private final GroupCommitter<Settlement, Outcome> blocked;
    private final Wakeup wakeup = new Wakeup();
    private final Wakeup blockedWakeup = new Wakeup();
    /** Start of the group commit under way, of each committer. */
    private final ConcurrentMap<Wakeup, Long> underWay = new ConcurrentHashMap<>();
    private volatile boolean closing;

    /** The store's answer, or the reason why it cannot accept this outcome. */
    private record Outcome(@Nullable SettleResult result, @Nullable RuntimeException failure) {
        SettleResult orThrow() {
            if (result == null) {
                throw failure == null
                        ? new IllegalStateException("The outcome was neither accepted nor refused")
                        : failure;
            }
            return result;
        }
    }

    /** @param limited whether jobs of a queue wait for slots that an end frees */
    Settler(JobStore store, JobViews views, Time time, NodeId node, Predicate<QueueName> limited) {
        this.store = store;
        this.views = views;
        this.time = time;
        this.node = node;
        this.committer = new GroupCommitter<>("settle", time,
                new GroupCommitter.Bounds<>(COMMIT_MAX, WAITING_MAX, _ -> 1),
                new GroupCommitter.Patience<>(GATHER, end -> mayWait(end) && !limited.test(end.attempt().queue())),
                ends -> timed(ends, wakeup));
        this.blocked = new GroupCommitter<>("settle-blocked", time,
                new GroupCommitter.Bounds<>(COMMIT_MAX, Integer.MAX_VALUE, _ -> 1),
                this::settleBlocked);
    }

    /**
     * Reports an outcome. The future completes when the store has accepted or refused it, never with
     * {@link SettleResult#BLOCKED}.
     */
    CompletableFuture<SettleResult> settle(AttemptId attempt, AttemptOutcome outcome) {
        CompletableFuture<SettleResult> settled = new CompletableFuture<>();
        report(committer, new Settlement(node, attempt, outcome), settled);
        return settled;
    }

    /** Gives back jobs that came to a node that stops, without a group commit, whose committer may be closed. */
    void giveBackNow(List<ClaimedJob> jobs) {
        try {
            store.settle(jobs.stream().map(job -> new Settlement(node, job.attempt(), new AttemptOutcome.GiveBack()))
                    .toList(), time.now());
        } catch (StoreException e) {
            LOG.warn("{} jobs were not given back at the stop; the upkeep of another node will do it: {}", jobs.size(),
                    e.getMessage());
        }
    }

    /**
     * Whether an outcome may wait for others: a job of a standard queue that is done without a result. Any other
     * outcome frees a group or a job, or is for a reader.
     */
    private static boolean mayWait(Settlement settlement) {
        return settlement.outcome() instanceof AttemptOutcome.Done done && done.result() == null
                && !settlement.attempt().queue().isFifo();
    }

    /** Whether the job has ended with this attempt, whichever transaction settled it. */
    boolean isLast(AttemptId attempt) {
        return views.find(attempt.id())
                .filter(view -> view.state().isEnd() && view.attempt() == attempt.number()).isPresent();
    }

    /** The number of throttled attempts right before this one; as if it were the first if the store does not say. */
    int throttles(AttemptId attempt) {
        if (attempt.number() < Throttled.ROW_MAX) {
            return 0;
        }
        try {
            return AttemptSnapshot.throttles(views.attempts(attempt.id()));
        } catch (StoreException e) {
            LOG.warn("How often job {} was throttled is not known, so it goes on: {}", attempt.id(), e.getMessage());
            return 0;
        }
    }

    private void report(GroupCommitter<Settlement, Outcome> committer, Settlement settlement,
            CompletableFuture<SettleResult> settled) {
        var _ = committer.submit(settlement).thenApply(Outcome::orThrow).whenComplete((result, failure) -> {
            if (failure != null) {
                settled.completeExceptionally(failure);
            } else if (result == SettleResult.BLOCKED) {
                report(blocked, settlement, settled);
            } else if (result == SettleResult.CANCELLED) { // no lease for a job that is to be cancelled
                report(committer, new Settlement(node, settlement.attempt(),
                        new AttemptOutcome.Cancelled("Cancelled while it ran")), settled);
            } else {
                settled.complete(result);
            }
        });
    }

    /** Reports a group of blocked outcomes; pauses if all are still blocked, before the next group commit. */
    private List<Outcome> settleBlocked(List<Settlement> ends) {
        List<Outcome> outcomes = timed(ends, blockedWakeup);
        if (outcomes.stream().allMatch(outcome -> outcome.result == SettleResult.BLOCKED)) {
            blockedWakeup.await(time, time.deadline(FIRST_PAUSE));
        }
        return outcomes;
    }

    /** Reports the waiting outcomes. If the store fails from now on, the rest is left to the upkeep of other nodes. */
    void close(Duration patience) {
        closing = true;
        wakeup.ring();
        blockedWakeup.ring();
        committer.close(patience);
        blocked.close(patience);
    }

    /** Time that the oldest group commit under way has waited for the store; zero if none is under way. */
    Duration waiting() {
        long now = time.nanos();
        return underWay.values().stream().map(begun -> Duration.ofNanos(now - begun)).max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    private List<Outcome> timed(List<Settlement> ends, Wakeup pauseEnd) {
        underWay.put(pauseEnd, time.nanos());
        try {
            return settle(ends, pauseEnd);
        } finally {
            underWay.remove(pauseEnd);
        }
    }

    /**
     * Reports outcomes. An outcome that the store cannot accept fails alone: the rest of its group commit is reported
     * without it.
     */
    private List<Outcome> settle(List<Settlement> ends, Wakeup pauseEnd) {
        try {
            return settleWithRetries(ends, pauseEnd).stream().map(result -> new Outcome(result, null)).toList();
        } catch (RuntimeException e) {
            if (ends.size() == 1 || closing) {
                return ends.stream().map(_ -> new Outcome(null, e)).toList();
            }
            List<Outcome> outcomes = new ArrayList<>(settle(ends.subList(0, ends.size() / 2), pauseEnd));
            outcomes.addAll(settle(ends.subList(ends.size() / 2, ends.size()), pauseEnd));
            return outcomes;
        }
    }

    /**
     * Reports outcomes, with retries. An unusable outcome may have a transient cause, so it is tried {@link #TRIES}
     * times.
     */
    private List<SettleResult> settleWithRetries(List<Settlement> ends, Wakeup pauseEnd) {
        Duration pause = FIRST_PAUSE;
        for (int tries = 1;; tries++) {
            try {
                return store.settle(ends, time.now());
            } catch (StoreException e) {
                if (closing || (e instanceof StoreException.Unusable && (ends.size() > 1 || tries == TRIES))) {
                    throw e;
                }
                LOG.warn("The outcomes of {} jobs are not stored yet, trying again in {} ms: {}", ends.size(),
                        pause.toMillis(), e.getMessage());
            }
            pauseEnd.await(time, time.deadline(pause));
            pause = Backoff.longer(pause, LONGEST_PAUSE);
        }
    }
}
