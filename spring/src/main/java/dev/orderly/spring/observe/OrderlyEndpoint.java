package dev.orderly.spring.observe;

import dev.orderly.Orderly;
import dev.orderly.job.JobState;
import dev.orderly.job.QueueView;
import dev.orderly.job.engine.QueueStatus;
import dev.orderly.schedule.ScheduleView;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** The endpoint {@code orderly}: queues with their counts over all nodes, and the schedules of this process. */
@Endpoint(id = "orderly")
public final class OrderlyEndpoint {
    private final Orderly orderly;

    public OrderlyEndpoint(Orderly orderly) {
        this.orderly = orderly;
    }

    /** The answer of the endpoint. */
    public record Answer(List<Queue> queues, List<Schedule> schedules) {
        public Answer {
            queues = List.copyOf(queues);
            schedules = List.copyOf(schedules);
        }
    }

    /**
     * A queue.
     *
     * @param handled whether this process runs its jobs
     * @param halted groups that a dead letter halts
     * @param oldestPushedAt moment at which the oldest waiting job was pushed; null if none is waiting
     */
    public record Queue(String name, boolean handled, boolean paused, long waiting, long delayed, long running,
            long dead, long done, long halted, @Nullable Instant oldestPushedAt) {
        static Queue of(QueueStatus status) {
            QueueView view = status.view();
            return new Queue(view.queue().value(), status.handled(), view.paused(), view.waiting(), view.delayed(),
                    view.running(), view.dead(), view.done(), view.halted(), view.oldestPushedAt());
        }
    }

    /**
     * A schedule.
     *
     * @param last the last instant that pushed a job
     * @param lastState the state of the last job
     */
    public record Schedule(String name, String timing, String zone, boolean paused, @Nullable Instant next,
            @Nullable Instant last, @Nullable JobState lastState) {
        static Schedule of(ScheduleView view) {
            return new Schedule(view.name().value(), view.timing().text(), view.timing().zone().getId(),
                    view.pause() != null, view.next(), view.last(), view.lastState());
        }
    }

    @ReadOperation
    public Answer orderly() {
        return new Answer(orderly.jobs().queues().stream().map(Queue::of).toList(),
                orderly.schedules().views().stream().map(Schedule::of).toList());
    }
}
