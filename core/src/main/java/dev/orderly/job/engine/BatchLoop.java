package dev.orderly.job.engine;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finishes the batches whose members have ended: soon after a member has ended on this node, and within a second what
 * ended elsewhere, or before a crash.
 */
final class BatchLoop {
    private static final Logger LOG = LoggerFactory.getLogger(BatchLoop.class);
    /** Less than the second that is promised from the last end to the callback. */
    private static final Duration LOOK = Duration.ofMillis(750);
    /** The time in which further ends gather, so that rounds cost little while many members end. */
    private static final Duration GATHER = Duration.ofMillis(50);

    private final JobBatches batches;
    private final AtomicBoolean ended = new AtomicBoolean();
    final BackgroundLoop loop;
    private boolean gathering;

    BatchLoop(JobBatches batches, Time time) {
        this.batches = batches;
        this.loop = new BackgroundLoop("batches", time, this::step);
    }

    /** Notes that a member has ended here. Never blocks. */
    void memberEnded() {
        if (ended.compareAndSet(false, true)) {
            loop.ring();
        }
    }

    private Duration step() {
        if (ended.get() && !gathering) {
            gathering = true;
            return GATHER;
        }
        gathering = false;
        ended.set(false);
        try {
            return batches.round() ? GATHER : LOOK;
        } catch (StoreException e) {
            LOG.warn("Batches are not finished yet, trying again: {}", e.getMessage());
            return LOOK;
        }
    }
}
