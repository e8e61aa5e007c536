package dev.orderly.dashboard.job;

import dev.orderly.dashboard.page.Link;
import dev.orderly.dashboard.page.Page;
import dev.orderly.job.BatchView;
import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobEvent;
import dev.orderly.job.JobStep;
import dev.orderly.job.JobView;
import dev.orderly.job.QueuePosition;
import dev.orderly.job.diagnosis.JobDiagnosis;
import java.net.URI;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One job.
 *
 * @param job with masked values
 * @param masked whether values are masked
 * @param attempts the newest first
 * @param steps with masked values
 * @param events with masked values
 * @param payload null if it is not kept
 * @param result null if there is none
 * @param position null unless the job waits
 * @param trace the page of its trace; null for none
 * @param batch the batch of which it is a member or the callback; null for none, or if that is not kept any more
 */
public record JobPage(JobView job, boolean masked, JobDiagnosis why, List<JobAttempt> attempts,
        List<JobStep> steps, List<JobEvent> events, TimelinePicture timeline, @Nullable PayloadText payload,
        @Nullable PayloadText result,
        @Nullable QueuePosition position, @Nullable URI trace, @Nullable BatchView batch) implements Page {
    /** The largest payload that the page offers for editing. */
    private static final int EDIT_MAX = 64 << 10;

    @Override
    public String title() {
        return job.id().toString();
    }

    @Override
    public List<Link> trail() {
        return List.of(new Link("Queues", "/queues"), new Link(job.queue().value(), "/queues/" + job.queue()));
    }

    @Override
    public String template() {
        return "job/job.jte";
    }

    /** The state in words, which a form shows and its operation compares. */
    public String seen() {
        return job.state().text();
    }

    /** The class of the badge of the state. */
    public String tone() {
        return switch (job.state()) {
            case DONE -> "good";
            case RUNNING -> "busy";
            case DEAD -> "bad";
            case DELAYED -> job.failures() > 0 ? "warn" : "";
            case WAITING, CANCELLED -> "";
        };
    }

    /** The payload for an editor; null if it is too large, or no text. */
    public @Nullable String editable() {
        return job.payload() == null || payload == null || !payload.readable() || job.payload().size() > EDIT_MAX
                ? null
                : job.payload().asText();
    }

    /** The time of an attempt, if both ends are kept. */
    public @Nullable Duration took(JobAttempt attempt) {
        return attempt.run().startedAt() == null || attempt.endedAt() == null
                ? null
                : Duration.between(attempt.run().startedAt(), attempt.endedAt());
    }

    /** The value of a step as text, cut where it is long; null for none. */
    public @Nullable PayloadText value(JobStep step) {
        return step.value() == null ? null : PayloadText.of(step.value());
    }

    /** The value of an event as text, cut where it is long; null until it comes. */
    public @Nullable PayloadText value(JobEvent event) {
        return event.arrival() == null ? null : PayloadText.of(event.arrival().value());
    }

    /** Whether the job waits for an event. */
    public boolean awaits(JobEvent event) {
        return event.isAwaitedBy(job);
    }

    /** The state of an event in words. */
    public String state(JobEvent event) {
        if (event.arrival() != null) {
            return "came";
        }
        return event.awaited() != null && event.awaited().over() ? "timed out" : "awaited";
    }

    /** The class of the badge of this state. */
    public String tone(JobEvent event) {
        return switch (state(event)) {
            case "came" -> "good";
            case "timed out" -> "warn";
            default -> "busy";
        };
    }

    /** The end of the wait for an event, to the second. */
    public String until(JobEvent event) {
        return event.awaited() == null
                ? ""
                : event.awaited().until().truncatedTo(ChronoUnit.SECONDS).toString().replace('T', ' ');
    }

    /** The outcome of an attempt in words. */
    public String outcome(JobAttempt attempt) {
        return attempt.end() == null ? "running" : attempt.end().text().replace('-', ' ');
    }
}
