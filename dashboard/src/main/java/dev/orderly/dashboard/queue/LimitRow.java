package dev.orderly.dashboard.queue;

import dev.orderly.job.engine.JobClient;
import dev.orderly.job.settings.LimitOverride;
import dev.orderly.job.store.LimitView;
import java.util.List;

/**
 * A limit on a page.
 *
 * @param override what operators have changed
 */
public record LimitRow(LimitView view, LimitOverride override) {
    /** The limits in force. */
    static List<LimitRow> of(JobClient jobs) {
        return jobs.limits().stream().map(view -> new LimitRow(view, jobs.limitOverride(view.name()))).toList();
    }
}
