package dev.orderly.dashboard.search;

import dev.orderly.dashboard.page.Figures;
import dev.orderly.dashboard.page.Page;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.search.SearchPage;
import dev.orderly.job.search.SearchPage.Access;
import dev.orderly.job.search.SearchPage.Extent;
import java.util.List;

/**
 * Found jobs.
 *
 * @param queues names of queues to choose from
 * @param further whether this is not the first page
 */
public record JobListPage(SearchForm form, SearchPage<JobView> found, List<String> queues, boolean further)
        implements
            Page {
    @Override
    public String title() {
        return "Jobs";
    }

    @Override
    public String template() {
        return "search/jobs.jte";
    }

    /** The states to choose from. */
    public List<JobState> states() {
        return List.of(JobState.values());
    }

    /** The path of the next page. */
    public String next() {
        return form.path("/jobs", "before", String.valueOf(found.next()));
    }

    /** Whether older jobs are to be searched still. */
    public boolean isPartial() {
        return found.extent() == Extent.BOUND;
    }

    /** Whether found jobs may be changed: ended jobs cannot. */
    public boolean canChange() {
        String state = form.term("state");
        return !found.jobs().isEmpty() && !state.equals("done") && !state.equals("cancelled");
    }

    /** Whether dead letters may be among the found jobs. */
    public boolean mayRedrive() {
        String state = form.term("state");
        return canChange() && (state.isEmpty() || state.equals("dead"));
    }

    /** How far the search came and by which way, in words. */
    public String extent() {
        String looked = Figures.exact(found.looked()) + (found.looked() == 1 ? " job" : " jobs");
        String way = switch (found.access()) {
            case ID -> "found by the id";
            case DEDUPE -> "found by the dedupe id";
            case ERROR -> looked + " read from the index of errors";
            case GROUP -> looked + " read from the index of the group";
            case QUEUE -> looked + " read from the indexes of the queue";
            case STATE -> looked + " read from the index of the state";
            case NEWEST -> looked + " looked at, the newest first";
        };
        String first = further ? "Further jobs: " : "";
        return switch (found.extent()) {
            case ALL -> first + way + "; these are all";
            case PAGE -> first + way;
            case BOUND -> first + way + "; older ones were not searched yet";
        };
    }

    /** Whether the way was an index. */
    public boolean indexed() {
        return found.access() != Access.NEWEST;
    }
}
