package dev.orderly.testkit.harness;

import dev.orderly.Orderly;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueView;
import dev.orderly.job.diagnosis.JobDiagnosis;
import dev.orderly.job.diagnosis.JobDiagnosis.Cause;
import dev.orderly.job.engine.QueueStatus;
import dev.orderly.schedule.ScheduleView;
import dev.orderly.time.Time;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Whether an instance has anything left to do by itself at this moment, and when it has again. */
final class Idleness {
    private static final int PAGE = 1_000;

    private final Orderly orderly;
    private final Time time;

    Idleness(Orderly orderly, Time time) {
        this.orderly = orderly;
        this.time = time;
    }

    /**
     * What is left to do.
     *
     * @param running whether handlers run
     */
    record Busy(boolean running, String sentence) {}

    /**
     * Empty once nothing is left to do. The counts of all queues are of one moment. A job that ends while the waiting
     * jobs are looked at leaves fewer of them than were counted, and a job that waits is looked at itself, so that what
     * a handler pushes at its end is never missed.
     */
    Optional<Busy> busy() {
        List<QueueStatus> queues = orderly.jobs().queues();
        Optional<Busy> running = queues.stream().map(QueueStatus::view)
                .filter(view -> view.running() > view.leased()).findFirst()
                .map(view -> new Busy(true, "queue " + view.queue() + " has " + (view.running() - view.leased())
                        + " running"));
        return running
                .or(() -> queues.stream().filter(Idleness::isWorkedOn).map(this::ready).flatMap(Optional::stream)
                        .findFirst())
                .or(this::dueSchedule);
    }

    /** The next moment at which something becomes due here; empty for none. */
    Optional<Instant> nextDue() {
        Instant now = time.now();
        Stream<Instant> jobs = orderly.jobs().queues().stream().filter(Idleness::isWorkedOn)
                .flatMap(status -> delayed(status.view().queue()).stream()).map(JobView::dueAt)
                .filter(Objects::nonNull);
        return Stream.concat(jobs, schedules().stream().map(ScheduleView::next).filter(Objects::nonNull))
                .filter(due -> due.isAfter(now)).min(Instant::compareTo);
    }

    private static boolean isWorkedOn(QueueStatus status) {
        return status.handled() && !status.view().paused();
    }

    private Optional<Busy> ready(QueueStatus status) {
        QueueView view = status.view();
        Instant now = time.now();
        if (view.delayed() > 0 && delayed(view.queue()).stream().anyMatch(job -> isDue(job.dueAt(), now))) {
            return Optional.of(new Busy(false, "queue " + view.queue() + " has a delayed job that is due"));
        }
        return view.waiting() > 0 ? waiting(view) : Optional.empty();
    }

    private Optional<Busy> waiting(QueueView view) {
        List<JobView> page = orderly.jobs().list(view.queue(), JobState.WAITING, null, PAGE);
        if (page.size() < Math.min(PAGE, view.waiting())) {
            return Optional.of(new Busy(false, "jobs of queue " + view.queue() + " end"));
        }
        return page.stream().map(job -> orderly.why(job.id())).filter(Idleness::goesOn)
                .map(why -> new Busy(false, "job " + why.job() + " of queue " + view.queue() + ": " + why.sentence()))
                .findFirst();
    }

    /** Whether a job that waits starts without help from outside and without a later moment. */
    private static boolean goesOn(JobDiagnosis why) {
        if (why.cause() == Cause.NODE_STARTING) {
            throw new IllegalStateException("Job " + why.job() + " is ready, and Orderly is not started: call"
                    + " orderly.start() before drain");
        }
        return switch (why.cause()) {
            case PAUSED, NO_HANDLER, NO_WORKER, LEASES_FULL, LIMITED, KEY_PAUSED, KEY_LIMITED, LEASED, GROUP_HELD,
                    GROUP_HALTED,
                    GROUP_RETRY, AWAITING, UNREADABLE,
                    NODE_STOPPING ->
                false;
            case NOT_FOUND, DONE, CANCELLED, DEAD, RUNNING, CLAIMED, RETRY, DELAYED, GROUP_RUNNING, GROUP_WAITING,
                    NODE_STARTING, STORE, PRIORITY, HANDLERS_BUSY, PAYLOAD_BYTES, QUEUED, READY ->
                true;
        };
    }

    private List<JobView> delayed(QueueName queue) {
        List<JobView> all = new ArrayList<>();
        JobId after = null;
        List<JobView> page;
        do {
            page = orderly.jobs().list(queue, JobState.DELAYED, after, PAGE);
            all.addAll(page);
            after = page.isEmpty() ? null : page.getLast().id();
        } while (page.size() == PAGE);
        return all;
    }

    private Optional<Busy> dueSchedule() {
        Instant now = time.now();
        return schedules().stream().filter(schedule -> isDue(schedule.next(), now)).findFirst()
                .map(schedule -> new Busy(false, "schedule " + schedule.name() + " is due"));
    }

    /** The schedules that this instance fires. */
    private List<ScheduleView> schedules() {
        return orderly.schedules().views().stream().filter(view -> orderly.schedules().isDeclared(view.name()))
                .toList();
    }

    private static boolean isDue(@Nullable Instant moment, Instant now) {
        return moment != null && !moment.isAfter(now);
    }
}
