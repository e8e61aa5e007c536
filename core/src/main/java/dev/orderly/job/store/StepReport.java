package dev.orderly.job.store;

import dev.orderly.job.JobStep;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Report about a step that an attempt has done.
 *
 * @param node as in {@link Settlement}
 * @param value at most {@link JobStep#VALUE_MAX} bytes; null for none
 */
public record StepReport(@Nullable NodeId node, AttemptId attempt, String name, @Nullable Payload value) {
    /** Why a step is not kept that is one too many, or too large beside the others; a clause with the remedy. */
    public static final String FULL = "a job has at most " + JobStep.STEPS_MAX + " steps, and " + JobStep.BYTES_MAX
            + " bytes in their values and names; keep references in place of content";

    /** @throws IllegalArgumentException if the name or the value breaks its rule */
    public StepReport {
        Objects.requireNonNull(attempt, "attempt");
        JobStep.checkName(name);
        if (value != null && value.size() > JobStep.VALUE_MAX) {
            throw new IllegalArgumentException("The value of step " + name + " of job " + attempt.id() + " has "
                    + value.size() + " bytes: store the content elsewhere and return a reference of at most "
                    + JobStep.VALUE_MAX);
        }
    }

    /** The bytes that count towards {@link JobStep#BYTES_MAX}. */
    public int bytes() {
        return JobStep.bytes(name, value);
    }

    /** The answer if the job has a step of this name already. */
    public JobStore.StepResult against(JobStep kept) {
        return Objects.equals(kept.value(), value) ? JobStore.StepResult.KEPT : JobStore.StepResult.TAKEN;
    }
}
