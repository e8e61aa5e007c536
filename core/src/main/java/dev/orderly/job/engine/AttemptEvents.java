package dev.orderly.job.engine;

import dev.orderly.job.Job;
import dev.orderly.job.JobEvent;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.TimedOut;
import dev.orderly.job.Unprocessable;
import dev.orderly.job.payload.PayloadTypes;
import dev.orderly.job.payload.UnreadablePayloadException;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.AwaitAnswer;
import dev.orderly.job.store.EventWait;
import dev.orderly.job.store.NewEvent;
import dev.orderly.job.transaction.LeaseLostException;
import dev.orderly.store.StoreException;
import dev.orderly.text.DurationText;
import dev.orderly.time.Time;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** The events that one attempt asks for. Thread-safe. */
final class AttemptEvents {
    private static final String REMEDY = ". Read the form that was sent, or await another name and have it sent again";

    private final RunningJob job;
    private final AttemptSteps steps;
    /** The ends of the waits for what has not come. */
    private final Map<String, Instant> awaited = new ConcurrentSkipListMap<>();

    /** @param steps knows the store, and whether a step runs */
    AttemptEvents(RunningJob job, AttemptSteps steps) {
        this.job = job;
        this.steps = steps;
    }

    /** {@link Job#await}, without its effect on the outcome. */
    <T> Optional<T> await(String name, Class<T> type, Duration timeout) {
        JobEvent event = ask(name, timeout);
        JobEvent.Arrival arrival = event.arrival();
        JobEvent.Awaited wait = event.awaited();
        if (arrival == null && wait != null && !wait.over()) {
            awaited.put(name, wait.until());
            return Optional.empty();
        }
        awaited.remove(name);
        if (arrival != null) {
            return Optional.of(read(name, arrival.value(), type));
        }
        throw new TimedOut(name, Objects.requireNonNull(wait).until());
    }

    /** The outcome that waits for all that the last answer has not brought; done if that is nothing. */
    AttemptOutcome outcome() {
        Map<String, Instant> left = Map.copyOf(awaited);
        return left.values().stream().min(Instant::compareTo)
                .<AttemptOutcome>map(first -> new AttemptOutcome.Awaiting(left.keySet(), first))
                .orElseGet(() -> new AttemptOutcome.Done(null));
    }

    /** {@link Job#eventUrl}. */
    URI url(String name) {
        JobEvent.checkName(name);
        EventUrls urls = steps.ports.urls().get().filter(EventUrls::hasServer).orElseThrow(() -> noServer(name));
        Instant until = awaited.get(name);
        if (until == null) {
            throw new IllegalStateException("Job " + job.id() + " does not await event " + name
                    + ": call await first, and make the link if its answer is empty; the link ends with the wait");
        }
        return steps.patiently("the link for event " + name, () -> urls.link(job.id(), name, until), () -> false)
                .orElseThrow(() -> noServer(name));
    }

    private IllegalStateException noServer(String name) {
        return new IllegalStateException("Job " + job.id() + " has no link for event " + name + EventUrls.NO_SERVER);
    }

    /** {@link Job#events}. */
    List<JobEvent> all() {
        return steps.patiently("its events", () -> told(steps.ports, steps.options.node(), job.claimed().attempt(),
                steps.options.time().now()), () -> false);
    }

    /** The events of a job as an attempt is told of them: where a wait is over, the store notes that it was told so. */
    static List<JobEvent> told(AttemptSteps.Ports ports, @Nullable NodeId node, AttemptId attempt, Instant now) {
        return ports.views().events(attempt.id()).stream().map(event -> {
            JobEvent.Awaited awaited = event.awaited();
            boolean ends = event.arrival() == null && awaited != null && !awaited.over()
                    && !awaited.until().isAfter(now);
            return ends && ports.jobs().await(new EventWait(node, attempt, event.name(), now),
                    now) instanceof AwaitAnswer.Known(JobEvent known) ? known : event;
        }).toList();
    }

    private JobEvent ask(String name, Duration timeout) {
        JobEvent.checkName(name);
        if (!timeout.isPositive() || timeout.compareTo(Job.AWAIT_MAX) > 0) {
            throw new IllegalArgumentException("The wait of job " + job.id() + " for event " + name + " is "
                    + DurationText.of(timeout) + ": use more than 0, at most " + Job.AWAIT_MAX.toDays()
                    + " days");
        }
        steps.checkOutside("The wait for event " + name, "await it before the step, or after it");
        Time time = steps.options.time();
        EventWait wait = new EventWait(steps.options.node(), job.claimed().attempt(), name, time.now().plus(timeout));
        AwaitAnswer answer = steps.patiently("event " + name, () -> {
            AwaitAnswer each = steps.ports.jobs().await(wait, time.now());
            if (each == AwaitAnswer.Refused.BLOCKED) {
                throw new StoreException.Unavailable("Event " + name + " of job " + job.id()
                        + " is not awaited: an open transaction completes the job; await events before it", null);
            }
            return each;
        }, () -> false);
        return switch (answer) {
            case AwaitAnswer.Known known -> known.event();
            case AwaitAnswer.Refused refused -> throw refusal(name, refused);
        };
    }

    private RuntimeException refusal(String name, AwaitAnswer.Refused refused) {
        return refused == AwaitAnswer.Refused.FULL
                ? new IllegalStateException("Event " + name + " of job " + job.id() + " is not awaited: "
                        + NewEvent.FULL)
                : new LeaseLostException("Attempt " + job.attempt() + " of job " + job.id()
                        + " is not the newest any more, so it awaits no event " + name
                        + ": end this handler, the job was given to another node");
    }

    private <T> T read(String name, Payload value, Class<T> type) {
        Object read;
        try {
            read = steps.ports.codec().format(PayloadTypes.of(type)).decode(value);
        } catch (UnreadablePayloadException | Unprocessable e) {
            throw new UnreadablePayloadException(unreadable(name, type) + e.getMessage() + REMEDY, e);
        }
        if (read == null) {
            throw new UnreadablePayloadException(unreadable(name, type) + "it is null" + REMEDY);
        }
        @SuppressWarnings("unchecked") // the format reads this type, also a primitive one
        T typed = (T) read;
        return typed;
    }

    private String unreadable(String name, Class<?> type) {
        return "The value of event " + name + " of job " + job.id() + " cannot be read as " + type.getName() + ": ";
    }
}
