package dev.orderly.job.engine;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.job.store.BatchStore.Finished;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finishes the batches whose members have ended: soon after a member has ended on this node, and every second what
 * ended elsewhere, or before a crash.
 */
final class BatchLoop {
    private static final Logger LOG = LoggerFactory.getLogger(BatchLoop.class);
    /** The promise of batches is a second. */
    private static final Duration LOOK = Duration.ofMillis(750);
    /** The time in which ends gather, so that rounds cost little while many members end. */
    private static final Duration GATHER = Duration.ofMillis(50);

    private final JobBatches batches;
    final BackgroundLoop loop;

    BatchLoop(JobBatches batches, Time time) {
        this.batches = batches;
        this.loop = new BackgroundLoop("batches", time, () -> {
            Duration pause = round();
            time.park(time.deadline(GATHER));
            return pause;
        });
    }

    private Duration round() {
        try {
            Finished left = batches.round();
            return left.cancelling().isEmpty() ? LOOK : GATHER;
        } catch (StoreException e) {
            LOG.warn("Batches are not finished yet, trying again: {}", e.getMessage());
            return LOOK;
        }
    }
}
