package dev.orderly.server;

import dev.orderly.job.JobClient;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueStatus;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How far queues are behind, as a share of admission. The queues are looked at once a second at most, for all rooms
 * together. Asked by any thread; blocks on the store of jobs, and fails as it does.
 */
final class Backlog {
    private static final Duration FRESH = Duration.ofMillis(900);

    private final JobClient jobs;
    private final Time time;
    private volatile Looked looked = new Looked(List.of(), Long.MIN_VALUE);

    /** @param until when to look again */
    private record Looked(List<QueueStatus> queues, long until) {}

    Backlog(JobClient jobs, Time time) {
        this.jobs = jobs;
        this.time = time;
    }

    /** The share for a room whose visitors' work should be done in {@code target}. */
    DoubleSupplier of(QueueName queue, Duration target) {
        return () -> queues().stream().filter(status -> status.view().queue().equals(queue)).findFirst()
                .map(status -> share(status.drainTime(), target)).orElse(1.0);
    }

    /**
     * 1 while the work is done in time, falling to 0 as it takes twice as long.
     *
     * @param drain how long what waits takes; null if that is not known, which slows nobody
     */
    static double share(@Nullable Duration drain, Duration target) {
        if (drain == null) {
            return 1;
        }
        double late = (double) drain.toMillis() / target.toMillis();
        return Math.clamp(2 - late, 0, 1);
    }

    private List<QueueStatus> queues() {
        Looked last = looked;
        if (last.until() == Long.MIN_VALUE || time.reached(last.until())) {
            last = new Looked(jobs.queues(), time.deadline(FRESH));
            looked = last;
        }
        return last.queues();
    }
}
