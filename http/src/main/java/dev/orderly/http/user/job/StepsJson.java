package dev.orderly.http.user.job;

import dev.orderly.http.openapi.Doc;
import dev.orderly.job.JobId;
import dev.orderly.job.JobStep;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The steps that a job has done. */
@Doc(name = "JobSteps")
public record StepsJson(JobId job, @Doc("In the order in which they were kept.") List<Step> steps) {
    /** As the worker of the job gets them. */
    public static final WorkerList<JobStep, Step> LIST = new WorkerList<>("steps", JobStep::bytes, StepsJson::step);

    /** A step. */
    @Doc(name = "JobStep")
    public record Step(String name, @Doc("The attempt that ran it.") int attempt, Instant keptAt,
            @Doc("null if it has none.") @Nullable PayloadJson value) {}

    public static StepsJson of(JobId job, List<JobStep> steps) {
        return new StepsJson(job, LIST.of(steps));
    }

    private static Step step(JobStep step) {
        return new Step(step.name(), step.attempt(), step.keptAt(), PayloadJson.of(step.value(), true));
    }
}
