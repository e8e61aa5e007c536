package dev.orderly.http.user.job;

import dev.orderly.http.openapi.Doc;
import dev.orderly.job.JobProgress;
import org.jspecify.annotations.Nullable;

/** The progress of a job. */
@Doc(name = "Progress")
public record ProgressJson(long done, @Doc(facets = "minimum: 1") long total, String text) {
    /** @param progress null if the handler has reported none */
    public static @Nullable ProgressJson of(@Nullable JobProgress progress) {
        return progress == null ? null : new ProgressJson(progress.done(), progress.total(), progress.text());
    }
}
