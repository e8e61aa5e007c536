package dev.orderly.operate;

import dev.orderly.job.CancelResult;
import dev.orderly.job.EventResult;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRequest;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.NewEvent;
import dev.orderly.operate.OperationRefusedException.Reason;
import dev.orderly.user.UserScope;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The operations on one job. */
public final class JobControl {
    private JobControl() {}

    /** Cancels a job that has not ended, or deletes a dead letter. */
    public static Operation<CancelResult> cancel(String id) {
        return new Operation<>(OperationSpec.CANCEL, (targets, _) -> {
            JobView job = targets.job(id);
            return prepared(job, state(job), () -> {
                CancelResult result = targets.orderly().jobs().cancel(job.id());
                return switch (result) {
                    case CANCELLED, SIGNALLED, REQUESTED -> result;
                    case ENDED -> throw new OperationRefusedException(Reason.JOB_ENDED, "Job " + job.id()
                            + " has ended already, so it cannot be cancelled: look at it to see its state");
                    case UNKNOWN -> throw Targets.unknownJob(id);
                };
            }, result -> result.name().toLowerCase(Locale.ROOT));
        });
    }

    /**
     * Sends an event to a job.
     *
     * @param note what the sender says of it, which the audit log and the event have; may be empty
     */
    public static Operation<EventResult> event(String id, String name, Payload value, String note) {
        return new Operation<>(OperationSpec.SEND_EVENT, (targets, who) -> {
            JobView job = targets.job(id);
            NewEvent event = event(job, name, value, note.isEmpty() ? who.toString() : who + ": " + note);
            return prepared(job, state(job), () -> sent(event, targets.orderly().engines().jobs().event(event)),
                    result -> "event " + name + " " + result.name().toLowerCase(Locale.ROOT)
                            + (note.isEmpty() ? "" : ": " + note));
        });
    }

    private static NewEvent event(JobView job, String name, Payload value, String from) {
        try {
            return new NewEvent(job.id(), name, from, value);
        } catch (IllegalArgumentException e) {
            throw OperationRefusedException.bounds(e);
        }
    }

    private static EventResult sent(NewEvent event, EventResult result) {
        String what = "Job " + event.job() + " takes no event " + event.name();
        return switch (result) {
            case ACCEPTED, REPEATED -> result;
            case LATE -> throw new OperationRefusedException(Reason.EVENT_GONE, what
                    + " any more, since its wait for it was over: its handler has gone on without it");
            case ENDED -> throw new OperationRefusedException(Reason.EVENT_GONE, what + ", since it has ended");
            case FULL -> throw new OperationRefusedException(Reason.BOUNDS, what + ": " + NewEvent.FULL);
            case UNKNOWN -> throw Targets.unknownJob(event.job().toString());
        };
    }

    /** Ends the delay of a job. */
    public static Operation<JobView> runNow(String id) {
        return new Operation<>(OperationSpec.RUN_NOW, (targets, _) -> {
            JobView job = targets.job(id);
            return prepared(job, state(job) + ", due at " + job.dueAt(),
                    () -> switch (targets.orderly().jobs().runNow(job.id())) {
                        case DUE -> job;
                        case UNKNOWN -> throw Targets.unknownJob(id);
                        case NOT_DELAYED -> throw new OperationRefusedException(Reason.NOT_DELAYED,
                                "Job " + job.id() + " is "
                                        + targets.job(id).state().text()
                                        + ", so it has no delay to end: ask why it does not run, to see what keeps it");
                    }, _ -> "due now");
        });
    }

    /** Lets a dead letter wait again, at its old position and with its failures reset. */
    public static Operation<JobView> redrive(String id) {
        return new Operation<>(OperationSpec.REDRIVE_JOB, (targets, _) -> {
            JobView job = targets.job(id);
            return prepared(job, state(job), () -> {
                if (targets.orderly().jobs().redrive(job.queue(), List.of(job.id()), 1) == 0) {
                    throw new OperationRefusedException(Reason.NOT_DEAD, "Job " + job.id() + " is "
                            + targets.job(id).state().text() + ": only a dead letter can be redriven");
                }
                return job;
            }, _ -> "waits again");
        });
    }

    /** The push of a dead letter into its queue. */
    public record Pushed(QueueName queue, PushResult result) {}

    /**
     * Pushes a dead letter again, as a new job that names it as its origin.
     *
     * @param request the push for the dead letter, as {@link dev.orderly.job.present.PushAgain} makes it
     */
    public static Operation<Pushed> pushAgain(String id, Function<JobView, PushRequest> request) {
        return new Operation<>(OperationSpec.PUSH_AGAIN, (targets, _) -> {
            JobView job = targets.job(id);
            if (job.state() != JobState.DEAD || job.payload() == null) {
                throw new OperationRefusedException(Reason.NOT_DEAD, "Job " + job.id() + " is " + job.state().text()
                        + ": only a dead"
                        + " letter has failed for good and still has its payload. Push the content of another job"
                        + " anew");
            }
            PushRequest push = request.apply(job);
            boolean edited = !push.payload().equals(job.payload());
            return prepared(job, state(job) + (edited ? ", with a changed payload" : ""),
                    () -> UserScope.call(Optional.ofNullable(push.user()), // not the operator's
                            () -> new Pushed(job.queue(), targets.orderly().jobs().push(push))),
                    pushed -> "pushed job " + pushed.result().id());
        });
    }

    /** Shows a job with the values that are masked elsewhere. */
    public static Operation<JobView> reveal(String id) {
        return new Operation<>(OperationSpec.REVEAL, (targets, _) -> {
            JobView job = targets.job(id);
            return prepared(job, "queue " + job.queue(), () -> job, _ -> "revealed");
        });
    }

    private static <T> PreparedChange<T> prepared(JobView job, String before, Supplier<T> change,
            Function<T, @Nullable String> after) {
        return new PreparedChange<>(object(job), before, change, after).shown(job.state().text());
    }

    static String object(JobView job) {
        return "job " + job.id();
    }

    static String state(JobView job) {
        return "queue " + job.queue() + ", state " + job.state().text();
    }
}
