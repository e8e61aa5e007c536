package dev.orderly.server;

import dev.orderly.job.QueueName;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.engine.QueueStatus;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The admission shares that follow from queues' backlogs. The queues are read once a second at most, for all rooms
 * together. Callable from any thread; blocks on the store of jobs, and fails with its exceptions.
 */
final class BacklogSignal {
    private static final Duration FRESH = Duration.ofMillis(900);

    private final JobClient jobs;
    private final Time time;
    private volatile Looked looked = new Looked(List.of(), Long.MIN_VALUE);

    /** @param until monotonic time of the next reading */
    private record Looked(List<QueueStatus> queues, long until) {}

    BacklogSignal(JobClient jobs, Time time) {
        this.jobs = jobs;
        this.time = time;
    }

    /** The share for a room whose visitors' jobs should be done in {@code target}. */
    DoubleSupplier of(QueueName queue, Duration target) {
        return () -> queues().stream().filter(status -> status.view().queue().equals(queue)).findFirst()
                .map(status -> share(status.drainTime(), target)).orElse(1.0);
    }

    /**
     * 1 up to the target, falling to 0 at twice the target.
     *
     * @param drain time in which the waiting jobs are done; null if unknown, which slows no admission
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
