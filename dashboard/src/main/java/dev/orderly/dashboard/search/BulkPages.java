package dev.orderly.dashboard.search;

import dev.orderly.access.Role;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.DashboardResponse;
import dev.orderly.dashboard.exchange.Refused;
import dev.orderly.dashboard.exchange.Route;
import dev.orderly.dashboard.page.Notice;
import dev.orderly.dashboard.page.PageContext;
import dev.orderly.job.JobId;
import dev.orderly.job.JobView;
import dev.orderly.job.bulk.BulkCount;
import dev.orderly.job.bulk.BulkOperations;
import dev.orderly.job.bulk.BulkRequest;
import dev.orderly.job.bulk.BulkRequest.Action;
import dev.orderly.job.bulk.BulkRequest.Selection;
import dev.orderly.job.bulk.BulkStatus;
import dev.orderly.job.present.Redaction;
import dev.orderly.job.search.JobFinder;
import dev.orderly.job.search.JobIdRange;
import dev.orderly.job.search.JobSearch;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** The routes of bulk operations: what one would change, its start, its progress and its stop. */
public final class BulkPages {
    private static final int EXAMPLES = 10;
    /** A selection that grew by a tenth since the form was shown is another one. */
    private static final int GROWTH = 10;

    private final PageContext context;
    private final BulkOperations bulk;
    private final JobFinder finder;
    private final Redaction redaction;

    public BulkPages(PageContext context, BulkOperations bulk, JobFinder finder, Redaction redaction) {
        this.redaction = redaction;
        this.context = context;
        this.bulk = bulk;
        this.finder = finder;
    }

    public List<Route> routes() {
        return List.of(new Route("GET", "/bulk", Role.VIEWER, this::bulk),
                new Route("POST", "/bulk", Role.OPERATOR, this::start),
                new Route("GET", "/bulk/{operation}", Role.VIEWER, this::running),
                new Route("POST", "/bulk/{operation}/stop", Role.OPERATOR, this::stop));
    }

    /** The operations of this node; with an action, what it would change. */
    private DashboardResponse bulk(DashboardRequest request) {
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
                throw new Refused(422, ids.isEmpty() ? "Nothing is selected" : "Jobs are selected twice",
                        "An operation needs either selected jobs or a condition: select some, or search first");
            }
            return ids.isEmpty()
                    ? BulkRequest.found(Action.parse(action), form.search())
                    : BulkRequest.named(Action.parse(action), ids);
        } catch (IllegalArgumentException e) {
            throw new Refused(422, "This cannot be done", String.valueOf(e.getMessage()));
        }
    }

    private DashboardResponse start(DashboardRequest request) {
        SearchForm form = SearchForm.ofFields(request, redaction);
        BulkRequest asked = request(request.required("action"), form, request.form());
        BulkCount count = bulk.count(asked);
        checkSeen(request, count);
        String object = asked.action().text() + " of " + asked.words();
        BulkStatus started = context.change(request, "bulk", object, BulkPage.jobs(count),
                () -> started(request, asked, count, object), status -> status.id() + " started");
        return context.to("/bulk/" + started.id());
    }

    private BulkStatus started(DashboardRequest request, BulkRequest asked, BulkCount count, String object) {
        try {
            return bulk.start(asked, count, status -> context.change(request, "bulk", object, null, () -> status,
                    ended -> ended.id() + " " + ended.summary()));
        } catch (BulkOperations.Refused e) {
            throw new Refused(409, "It cannot start now", String.valueOf(e.getMessage()));
        }
    }

    /** Refuses a form whose selection is empty by now, or has grown: nobody agreed to the rest. */
    private void checkSeen(DashboardRequest request, BulkCount count) {
        long seen = seen(request.required("seen"));
        if (count.jobs() == 0 || count.jobs() > seen + Math.max(GROWTH, seen / GROWTH)) {
            throw Refused.stale("You saw " + BulkPage.jobs(new BulkCount(seen, false)) + ", and now there are "
                    + BulkPage.jobs(count) + ". Look at them again, then decide.");
        }
    }

    private static long seen(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException _) {
            throw new Refused(422, "Something is missing", "The field \"seen\" is no number: open the page again");
        }
    }

    private DashboardResponse running(DashboardRequest request) {
        return context.page(request, new BulkRunPage(List.of(status(request)), true));
    }

    private DashboardResponse stop(DashboardRequest request) {
        BulkStatus status = status(request);
        context.change(request, "stopBulk", "bulk operation " + status.id(), status.summary(),
                () -> bulk.stop(status.id()), ended -> ended.map(BulkStatus::summary).orElse(null));
        return context.done(Notice.done("It stops after the part under way")
                .withDetail("What was changed stays changed"));
    }

    private BulkStatus status(DashboardRequest request) {
        String text = request.param("operation");
        try {
            Optional<BulkStatus> found = bulk.find(UUID.fromString(text));
            return found.orElseThrow(() -> unknown(text));
        } catch (IllegalArgumentException _) {
            throw unknown(text);
        }
    }

    private static Refused unknown(String id) {
        return Refused.unknown("Bulk operation " + id,
                "it does not run on this node and did not lately; its begin and end are in the audit log");
    }
}
