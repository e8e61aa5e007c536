package dev.orderly.job.store;

import dev.orderly.job.EventResult;
import dev.orderly.job.JobEvent;
import dev.orderly.job.JobId;
import dev.orderly.job.JobStep;
import dev.orderly.job.Payload;
import dev.orderly.text.StoredText;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An event that comes for a job.
 *
 * @param from see {@link JobEvent.Arrival}; cut to {@link JobEvent#FROM_MAX} characters
 * @param value at most {@link JobStep#VALUE_MAX} bytes
 */
public record NewEvent(JobId job, String name, @Nullable String from, Payload value) {
    /** Why an event is not kept that is one too many, or too large beside the others; a clause with the remedy. */
    public static final String FULL = "a job has at most " + JobStep.STEPS_MAX + " events, and " + JobStep.BYTES_MAX
            + " bytes in their values and names; send references in place of content";

    /** @throws IllegalArgumentException if the name or the value breaks its rule */
    public NewEvent {
        Objects.requireNonNull(job, "job");
        JobEvent.checkName(name);
        Objects.requireNonNull(value, "value");
        if (value.size() > JobStep.VALUE_MAX) {
            throw new IllegalArgumentException("The value of event " + name + " of job " + job + " has " + value.size()
                    + " bytes: store the content elsewhere and send a reference of at most " + JobStep.VALUE_MAX);
        }
        from = from == null ? null : StoredText.repaired(from, JobEvent.FROM_MAX);
    }

    /** The answer of a job that has not ended, before its bounds. */
    public EventResult against(@Nullable JobEvent before) {
        if (before == null) {
            return EventResult.ACCEPTED;
        }
        return before.arrival() != null
                ? EventResult.REPEATED
                : before.awaited() != null && before.awaited().over() ? EventResult.LATE : EventResult.ACCEPTED;
    }

    /** The event after this arrival. */
    public JobEvent arrived(@Nullable JobEvent before, Instant now) {
        return new JobEvent(name, before == null ? null : before.awaited(), new JobEvent.Arrival(now, from, value));
    }
}
