package dev.orderly.job.engine;

import dev.orderly.flow.Batcher;
import dev.orderly.flow.Wakeup;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.JobViews;
import dev.orderly.job.store.NodeId;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports endings to the store in batches, and keeps at it while the store fails: a report may be repeated, since the
 * attempt's number fences it. Endings that a transaction of someone else blocks have rounds of their own.
 */
final class Settler {
    private static final Logger LOG = LoggerFactory.getLogger(Settler.class);
    private static final int TRIES = 4;
    private static final int BATCH_MAX = 1_024;
    private static final int WAITING_MAX = 16_384;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final JobStore store;
    private final JobViews views;
    private final Time time;
    private final NodeId node;
    private final Batcher<Settlement, Outcome> batcher;
    /** Bounded by what this node holds. */
    private final Batcher<Settlement, Outcome> blocked;
    private final Wakeup closingBell = new Wakeup();
    private final Wakeup blockedBell = new Wakeup();
    /** When the batch under way was begun, of either kind. */
    private final ConcurrentMap<Wakeup, Long> underWay = new ConcurrentHashMap<>();
    private volatile boolean closing;

    /** What the store answered, or why it could not take this very ending. */
    private record Outcome(@Nullable SettleResult result, @Nullable RuntimeException failure) {
        SettleResult orThrow() {
            if (result == null) {
                throw failure == null ? new IllegalStateException("Neither taken nor refused") : failure;
            }
            return result;
        }
    }

    Settler(JobStore store, JobViews views, Time time, NodeId node) {
        this.store = store;
        this.views = views;
        this.time = time;
        this.node = node;
        this.batcher = new Batcher<>("settle", new Batcher.Bounds<>(BATCH_MAX, WAITING_MAX, _ -> 1),
                batch -> timed(batch, closingBell));
        this.blocked = new Batcher<>("settle-blocked", new Batcher.Bounds<>(BATCH_MAX, Integer.MAX_VALUE, _ -> 1),
                this::settleBlocked);
    }

    /** Completes when the store has taken the ending or refused it, never with {@link SettleResult#BLOCKED}. */
    CompletableFuture<SettleResult> settle(AttemptId attempt, AttemptOutcome ending) {
        CompletableFuture<SettleResult> settled = new CompletableFuture<>();
        report(batcher, new Settlement(node, attempt, ending), settled);
        return settled;
    }

    /** Whether the job ended for good with this very attempt, whoever reported it. */
    boolean isLast(AttemptId attempt) {
        return views.find(attempt.id())
                .filter(view -> view.state().isEnd() && view.attempt() == attempt.number()).isPresent();
    }

    private void report(Batcher<Settlement, Outcome> round, Settlement one,
            CompletableFuture<SettleResult> settled) {
        var _ = round.submit(one).thenApply(Outcome::orThrow).whenComplete((result, failure) -> {
            if (failure != null) {
                settled.completeExceptionally(failure);
            } else if (result == SettleResult.BLOCKED) {
                report(blocked, one, settled);
            } else {
                settled.complete(result);
            }
        });
    }

    /** If all are blocked the next round comes a moment later. */
    private List<Outcome> settleBlocked(List<Settlement> batch) {
        List<Outcome> outcomes = timed(batch, blockedBell);
        if (outcomes.stream().allMatch(outcome -> outcome.result == SettleResult.BLOCKED)) {
            blockedBell.await(time, time.deadline(FIRST_PAUSE));
        }
        return outcomes;
    }

    /** Reports what is waiting; if the store fails from now on, the rest is left to the next owner's upkeep. */
    void close(Duration patience) {
        closing = true;
        closingBell.ring();
        blockedBell.ring();
        batcher.close(patience);
        blocked.close(patience);
    }

    /** How long the batch under way has not been taken by the store; zero if none is. */
    Duration untaken() {
        long now = time.nanos();
        return underWay.values().stream().map(begun -> Duration.ofNanos(now - begun)).max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    private List<Outcome> timed(List<Settlement> batch, Wakeup bell) {
        underWay.put(bell, time.nanos());
        try {
            return settle(batch, bell);
        } finally {
            underWay.remove(bell);
        }
    }

    /** An ending that the store cannot take fails alone: the others of its batch are reported without it. */
    private List<Outcome> settle(List<Settlement> batch, Wakeup bell) {
        try {
            return patiently(batch, bell).stream().map(result -> new Outcome(result, null)).toList();
        } catch (RuntimeException e) {
            if (batch.size() == 1 || closing) {
                return batch.stream().map(_ -> new Outcome(null, e)).toList();
            }
            List<Outcome> outcomes = new ArrayList<>(settle(batch.subList(0, batch.size() / 2), bell));
            outcomes.addAll(settle(batch.subList(batch.size() / 2, batch.size()), bell));
            return outcomes;
        }
    }

    /** What is unusable once may be so by a fault that passes: it is tried some times before the ending is given up. */
    private List<SettleResult> patiently(List<Settlement> batch, Wakeup bell) {
        Duration pause = FIRST_PAUSE;
        for (int tries = 1;; tries++) {
            try {
                return store.settle(batch, time.now());
            } catch (StoreException e) {
                if (closing || (e instanceof StoreException.Unusable && (batch.size() > 1 || tries == TRIES))) {
                    throw e;
                }
                LOG.warn("The endings of {} jobs are not stored yet, trying again in {} ms: {}", batch.size(),
                        pause.toMillis(), e.getMessage());
            }
            bell.await(time, time.deadline(pause));
            Duration longer = pause.multipliedBy(2);
            pause = longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
        }
    }
}
