package dev.orderly.job.present;

import dev.orderly.job.JobView;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The settings by which jobs are shown to operators.
 *
 * @param traceLink address of the page of a trace, in which {@value #TRACE} stands for the id of the trace; null for
 *     none
 */
public record JobPresentation(Redaction redaction, @Nullable String traceLink) {
    /** The place of the id in a link. */
    public static final String TRACE = "{trace}";
    /** Nothing is masked or linked. */
    public static final JobPresentation PLAIN = new JobPresentation(Redaction.NONE, null);

    /** The page of the job's trace; empty without a template, or if the push had no trace. */
    public Optional<URI> traceOf(JobView job) {
        return traceLink == null || job.trace() == null
                ? Optional.empty()
                : Optional.of(URI.create(traceLink.replace(TRACE, job.trace().traceId())));
    }
}
