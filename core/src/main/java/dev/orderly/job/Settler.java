package dev.orderly.job;

import dev.orderly.flow.Batcher;
import dev.orderly.flow.Wakeup;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports endings to the store in batches, and keeps at it while the store fails: a report may be repeated, since the
 * attempt's number fences it. Endings that a transaction of someone else blocks have rounds of their own.
 */
final class Settler {
    private static final Logger LOG = LoggerFactory.getLogger(Settler.class);
    private static final int BATCH_MAX = 1_024;
    private static final int WAITING_MAX = 16_384;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final JobStore store;
    private final Time time;
    private final NodeId node;
    private final Batcher<Settlement, SettleResult> batcher;
    /** Bounded by what this node holds. */
    private final Batcher<Settlement, SettleResult> blocked;
    private final Wakeup closingBell = new Wakeup();
    private final Wakeup blockedBell = new Wakeup();
    private volatile boolean closing;

    Settler(JobStore store, Time time, NodeId node) {
        this.store = store;
        this.time = time;
        this.node = node;
        this.batcher = new Batcher<>("settle", new Batcher.Bounds<>(BATCH_MAX, WAITING_MAX, _ -> 1),
                batch -> settle(batch, closingBell));
        this.blocked = new Batcher<>("settle-blocked", new Batcher.Bounds<>(BATCH_MAX, Integer.MAX_VALUE, _ -> 1),
                this::settleBlocked);
    }

    /** Completes when the store has taken the ending or refused it, never with {@link SettleResult#BLOCKED}. */
    CompletableFuture<SettleResult> settle(Attempt attempt, Ending ending) {
        CompletableFuture<SettleResult> outcome = new CompletableFuture<>();
        report(batcher, new Settlement(node, attempt, ending), outcome);
        return outcome;
    }

    private void report(Batcher<Settlement, SettleResult> round, Settlement one,
            CompletableFuture<SettleResult> outcome) {
        var _ = round.submit(one).whenComplete((result, failure) -> {
            if (failure != null) {
                outcome.completeExceptionally(failure);
            } else if (result == SettleResult.BLOCKED) {
                report(blocked, one, outcome);
            } else {
                outcome.complete(result);
            }
        });
    }

    /** If all are blocked the next round comes a moment later. */
    private List<SettleResult> settleBlocked(List<Settlement> batch) {
        List<SettleResult> results = settle(batch, blockedBell);
        if (results.stream().allMatch(SettleResult.BLOCKED::equals)) {
            blockedBell.await(time, time.deadline(FIRST_PAUSE));
        }
        return results;
    }

    /** Reports what is waiting; if the store fails from now on, the rest is left to the next owner's upkeep. */
    void close(Duration patience) {
        closing = true;
        closingBell.ring();
        blockedBell.ring();
        batcher.close(patience);
        blocked.close(patience);
    }

    private List<SettleResult> settle(List<Settlement> batch, Wakeup bell) {
        Duration pause = FIRST_PAUSE;
        while (true) {
            try {
                return store.settle(batch, time.now());
            } catch (StoreException e) {
                if (closing || e instanceof StoreException.Unusable) {
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
