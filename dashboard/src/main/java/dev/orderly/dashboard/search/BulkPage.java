package dev.orderly.dashboard.search;

import dev.orderly.dashboard.page.Figures;
import dev.orderly.dashboard.page.Page;
import dev.orderly.job.JobId;
import dev.orderly.job.JobView;
import dev.orderly.job.bulk.BulkCount;
import dev.orderly.job.bulk.BulkRequest;
import dev.orderly.job.bulk.BulkRequest.Action;
import java.util.List;

/**
 * What a bulk operation would change, before it is started.
 *
 * @param examples some of the jobs
 */
public record BulkPage(BulkRequest request, SearchForm form, BulkCount count, List<JobView> examples)
        implements
            Page {
    @Override
    public String title() {
        return request.action() == Action.REDRIVE ? "Redrive dead letters" : "Delete or cancel jobs";
    }

    @Override
    public String template() {
        return "search/bulk.jte";
    }

    /** The jobs that were selected by their ids; none if a search selects them. */
    public List<JobId> ids() {
        return request.selection() instanceof BulkRequest.Selection.Named(List<JobId> ids) ? ids : List.of();
    }

    /** The number of jobs in words. */
    public String jobs() {
        return jobs(count);
    }

    static String jobs(BulkCount count) {
        return (count.atLeast() ? "at least " : "") + Figures.exact(count.jobs())
                + (count.jobs() == 1 ? " job" : " jobs");
    }

    /** What the operation does to them. */
    public String effect() {
        return request.action() == Action.REDRIVE
                ? "They wait again with fresh attempts, at their old position."
                : "Dead letters are given up; waiting and delayed jobs never run; running jobs get their cancellation"
                        + " signal. This cannot be undone.";
    }

    /** The label of the control. */
    public String label() {
        return (request.action() == Action.REDRIVE ? "Redrive " : "Delete ") + jobs();
    }
}
