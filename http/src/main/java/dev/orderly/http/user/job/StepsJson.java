package dev.orderly.http.user.job;

import dev.orderly.http.openapi.Doc;
import dev.orderly.http.openapi.RecordJson;
import dev.orderly.job.JobId;
import dev.orderly.job.JobStep;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The steps that a job has done. */
@Doc(name = "JobSteps")
public record StepsJson(JobId job, @Doc("In the order in which they were kept.") List<Step> steps) {
    /** A step. */
    @Doc(name = "JobStep")
    public record Step(String name, @Doc("The attempt that ran it.") int attempt, Instant keptAt,
            @Doc("null if it has none.") @Nullable PayloadJson value) {}

    public static StepsJson of(JobId job, List<JobStep> steps) {
        return new StepsJson(job, steps.stream().map(step -> new Step(step.name(), step.attempt(), step.keptAt(),
                PayloadJson.of(step.value(), true))).toList());
    }

    /** The steps that go with a job to its worker; null for none, and if they are too large: see {@link #link}. */
    public static @Nullable List<Step> inline(JobId job, List<JobStep> steps) {
        return steps.isEmpty() || bytes(steps) > Inline.MAX ? null : of(job, steps).steps;
    }

    /** Where a worker finds steps that are too large to go with the job, below the base of its reports; else null. */
    public static @Nullable String link(JobId job, List<JobStep> steps) {
        return bytes(steps) > Inline.MAX ? path(job) : null;
    }

    /** The steps as JSON for a header, in ASCII; null if they are too large. */
    public static @Nullable String header(JobId job, List<JobStep> steps) {
        return bytes(steps) > Inline.HEADER_MAX ? null : Inline.header(RecordJson.bytes(of(job, steps).steps));
    }

    /** The path of the steps of a job, below the base of the reports of its worker. */
    public static String path(JobId job) {
        return "jobs/" + job + "/steps";
    }

    private static long bytes(List<JobStep> steps) {
        return steps.stream().mapToLong(JobStep::bytes).sum();
    }
}
