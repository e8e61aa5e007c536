package dev.orderly.job;

import dev.orderly.flow.Loop;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's place among those that share the store: it beats, hears of cancelled jobs, and stops its own work when it
 * could not beat for so long that others may soon take it for dead.
 */
final class Membership {
    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);
    private static final Duration BEAT = Duration.ofSeconds(5);
    private static final Duration BEAT_AGAIN = Duration.ofSeconds(1);
    private static final Duration FENCE_AFTER = Duration.ofSeconds(20);

    private final JobStore store;
    private final NodeId node;
    private final Time time;
    private final RunningJobs running;
    private final ClaimLoop claims;
    private final Loop loop;
    private long lastBeat;
    private volatile Instant lastBeatAt;
    private boolean fenced;

    Membership(JobStore store, EngineOptions options, RunningJobs running, ClaimLoop claims) {
        this.store = store;
        this.node = options.node();
        this.time = options.time();
        this.running = running;
        this.claims = claims;
        this.lastBeat = time.nanos();
        this.lastBeatAt = time.now();
        this.loop = new Loop("beat", time, this::tick);
    }

    /** One beat, on the calling thread. The first comes before {@link #start}: a node is known before it claims. */
    Beat beat() {
        long asked = time.nanos();
        Instant now = time.now();
        Beat beat = store.beat(node, now);
        lastBeat = asked;
        lastBeatAt = now;
        return beat;
    }

    /** Nodes whose last beat is older are dead. */
    Instant deadBefore() {
        return Liveness.deadBefore(time.now(), lastBeatAt, BEAT);
    }

    void start() {
        loop.start();
    }

    void stop(Duration patience) {
        loop.stop(patience);
    }

    private Duration tick() {
        try {
            Beat beat = beat();
            if (!beat.alive()) {
                LOG.warn("This node was taken for dead; what it ran was given to others and is stopped here");
                running.interruptAll(CancellationSignal.Reason.LEASE_LOST);
            }
            fence(false);
            running.interruptAll(beat.cancelled(), CancellationSignal.Reason.CANCELLED);
            return BEAT;
        } catch (StoreException e) {
            if (time.nanos() - lastBeat >= FENCE_AFTER.toNanos()) {
                fence(true);
            }
            return BEAT_AGAIN;
        }
    }

    private void fence(boolean value) {
        if (fenced != value) {
            fenced = value;
            claims.fence(value);
            if (value) {
                LOG.error("The store was not reached for {} s: this node stops its handlers until it is",
                        FENCE_AFTER.toSeconds());
                running.interruptAll(CancellationSignal.Reason.LEASE_LOST);
            } else {
                LOG.info("The store is reached again: this node works on");
            }
        }
    }
}
