package dev.orderly.dashboard.search;

import dev.orderly.access.Role;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.DashboardRoute;
import dev.orderly.dashboard.exchange.RefusedFormException;
import dev.orderly.dashboard.page.Notice;
import dev.orderly.dashboard.page.PageContext;
import dev.orderly.job.JobId;
import dev.orderly.job.JobView;
import dev.orderly.job.bulk.BulkCount;
import dev.orderly.job.bulk.BulkOperations;
import dev.orderly.job.bulk.BulkRequest;
import dev.orderly.job.bulk.BulkRequest.Action;
import dev.orderly.job.bulk.BulkRequest.Selection;
import dev.orderly.job.present.Redaction;
import dev.orderly.job.search.JobFinder;
import dev.orderly.job.search.JobIdRange;
import dev.orderly.job.search.JobSearch;
import dev.orderly.operate.BulkControl;
import dev.orderly.operate.OperationSpec;
import dev.orderly.operate.Targets;
import dev.orderly.web.message.Response;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The routes of bulk operations: what one would change, its start, its progress and its stop. */
public final class BulkRoutes {
    private static final int EXAMPLES = 10;
    /** A selection that grew by a tenth since the form was shown is another one. */
    private static final int GROWTH = 10;

    private final PageContext context;
    private final Targets targets;
    private final BulkOperations bulk;
    private final JobFinder finder;
    private final Redaction redaction;

    public BulkRoutes(PageContext context, Targets targets, Redaction redaction) {
        this.redaction = redaction;
        this.context = context;
        this.targets = targets;
        this.bulk = targets.orderly().engines().bulk();
        this.finder = targets.orderly().engines().finder();
    }

    public List<DashboardRoute> routes() {
        return List.of(new DashboardRoute("GET", "/bulk", Role.VIEWER, this::bulk),
                new DashboardRoute(OperationSpec.BULK, "/bulk", this::start),
                new DashboardRoute("GET", "/bulk/{operation}", Role.VIEWER, this::running),
                new DashboardRoute(OperationSpec.STOP_BULK, "/bulk/{operation}/stop", this::stop));
    }

    /** The operations of this node; with an action, what it would change. */
    private Response bulk(DashboardRequest request) {
        if (request.query("action") == null) {
            return context.page(request, new BulkRunPage(bulk.all(), false));
        }
        SearchForm form = SearchForm.ofQuery(request, redaction);
        BulkRequest asked = request(request.query("action"), form, request.query());
        List<JobView> examples = switch (asked.selection()) {
            case Selection.Found found -> finder.search(found.search(), null, EXAMPLES).jobs();
            case Selection.Named named -> named.ids().stream().limit(EXAMPLES).flatMap(this::find).toList();
        };
        return context.page(request, new BulkPage(asked, form, bulk.count(asked), examples));
    }

    private Stream<JobView> find(JobId id) {
        return finder.search(JobSearch.ALL
                .withIds(JobIdRange.of(id)), null, 1).jobs().stream();
    }

    private static BulkRequest request(String action, SearchForm form, Map<String, List<String>> values) {
        try {
            List<JobId> ids = values.getOrDefault("job", List.of()).stream().map(JobId::parse).toList();
            if (ids.isEmpty() == form.isEmpty()) {
                throw new RefusedFormException(422, ids.isEmpty() ? "Nothing is selected" : "Jobs are selected twice",
                        "An operation needs either selected jobs or a condition: select some, or search first");
            }
            return ids.isEmpty()
                    ? BulkRequest.found(Action.parse(action), form.search())
                    : BulkRequest.named(Action.parse(action), ids);
        } catch (IllegalArgumentException e) {
            throw new RefusedFormException(422, "This cannot be done", String.valueOf(e.getMessage()));
        }
    }

    private Response start(DashboardRequest request) {
        SearchForm form = SearchForm.ofFields(request, redaction);
        BulkRequest asked = request(request.required("action"), form, request.form());
        BulkCount count = bulk.count(asked);
        checkSeen(request, count);
        return context.to("/bulk/" + context.run(request, BulkControl.start(asked, count)).id());
    }

    /** Refuses a form whose selection is empty by now, or has grown: nobody agreed to the rest. */
    private void checkSeen(DashboardRequest request, BulkCount count) {
        long seen = seen(request.required("seen"));
        if (count.jobs() == 0 || count.jobs() > seen + Math.max(GROWTH, seen / GROWTH)) {
            throw RefusedFormException
                    .stale("You saw " + BulkPage.jobs(new BulkCount(seen, false)) + ", and now there are "
                            + BulkPage.jobs(count) + ". Look at them again, then decide.");
        }
    }

    private static long seen(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException _) {
            throw new RefusedFormException(422, "Something is missing",
                    "The field \"seen\" is no number: open the page again");
        }
    }

    private Response running(DashboardRequest request) {
        return context.page(request, new BulkRunPage(List.of(targets.bulk(request.param("operation"))), true));
    }

    private Response stop(DashboardRequest request) {
        context.run(request, BulkControl.stop(request.param("operation")));
        return context.done(Notice.done("It stops after the part under way")
                .withDetail("What was changed stays changed"));
    }
}
