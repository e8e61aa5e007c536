package dev.orderly.dashboard.job;

import dev.orderly.dashboard.page.Page;
import dev.orderly.job.JobView;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The payload, params and result of a job, with values that are masked elsewhere. */
public record RevealedPage(JobView job, @Nullable PayloadText payload, @Nullable PayloadText result) implements Page {
    @Override
    public String title() {
        return "Revealed";
    }

    @Override
    public String template() {
        return "job/revealed.jte";
    }

    /** The params by name. */
    public Map<String, String> params() {
        return new TreeMap<>(job.params());
    }
}
