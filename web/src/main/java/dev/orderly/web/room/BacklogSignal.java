package dev.orderly.web.room;

import dev.orderly.Internal;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.engine.QueueStatus;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.DoubleSupplier;

/**
 * The admission shares that follow from queues' backlogs. The queues are read once a second at most, for all rooms
 * together. Callable from any thread; blocks on the store of jobs, and fails with its exceptions.
 */
@Internal(to = "dev.orderly")
public final class BacklogSignal {
    private static final Duration FRESH = Duration.ofMillis(900);

    private final JobClient jobs;
    private final Time time;
    private volatile Looked looked = new Looked(List.of(), Long.MIN_VALUE);

    /** @param until monotonic time of the next reading */
    private record Looked(List<QueueStatus> queues, long until) {}

    public BacklogSignal(JobClient jobs, Time time) {
        Objects.requireNonNull(jobs, "jobs");
        Objects.requireNonNull(time, "time");
        this.jobs = jobs;
        this.time = time;
    }

    /** The share for a room, of its queue's drain time as this node measures it. */
    public DoubleSupplier of(RoomBacklog backlog) {
        Objects.requireNonNull(backlog, "backlog");
        return () -> queues().stream().filter(status -> status.view().queue().equals(backlog.queue())).findFirst()
                .map(status -> backlog.share(status.drainTime())).orElse(1.0);
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
