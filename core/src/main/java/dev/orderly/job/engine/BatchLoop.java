package dev.orderly.job.engine;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finishes the batches whose members have ended: soon after a member has ended on this node, and within a second what
 * ended elsewhere, or before a crash. Cancels the members of cancelled batches.
 */
final class BatchLoop {
    private static final Logger LOG = LoggerFactory.getLogger(BatchLoop.class);
    /** Half of the second that is promised from the last end to the callback. */
    private static final Duration LOOK = Duration.ofMillis(500);
    /** The least time between two rounds, so that they cost little while many members end. */
    private static final Duration GATHER = Duration.ofMillis(50);
    /** Pause of the second loop, which rounds of the first cut short. */
    private static final Duration IDLE = Duration.ofMinutes(1);

    private final JobBatches batches;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final BackgroundLoop finishes;
    /** A loop of its own, since a member that an open transaction holds may keep it for seconds. */
    private final BackgroundLoop cancels;
    final List<BackgroundLoop> loops;
    private final Time time;
    /** The monotonic time before which no further round is made for ends of this node. */
    private long gathered;

    BatchLoop(JobBatches batches, Time time) {
        this.batches = batches;
        this.time = time;
        this.gathered = time.nanos();
        this.finishes = new BackgroundLoop("batches", time, this::finish);
        this.cancels = new BackgroundLoop("batch-cancels", time, this::cancel);
        this.loops = List.of(finishes, cancels);
    }

    /** Notes that a member has ended here. Never blocks. */
    void memberEnded() {
        if (ended.compareAndSet(false, true)) {
            finishes.ring();
        }
    }

    private Duration finish() {
        if (ended.get() && !time.reached(gathered)) {
            return Duration.ofNanos(gathered - time.nanos());
        }
        ended.set(false);
        gathered = time.deadline(GATHER);
        try {
            if (batches.round()) {
                cancels.ring();
            }
        } catch (StoreException e) {
            LOG.warn("Batches are not finished yet, trying again: {}", e.getMessage());
        }
        return LOOK;
    }

    private Duration cancel() {
        try {
            return batches.cancelMembers() ? GATHER : IDLE;
        } catch (StoreException e) {
            LOG.warn("Members of cancelled batches are not cancelled yet, trying again: {}", e.getMessage());
            return LOOK;
        }
    }
}
