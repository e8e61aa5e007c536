package dev.orderly.dashboard.search;

import dev.orderly.access.Role;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.DashboardRoute;
import dev.orderly.dashboard.exchange.RefusedFormException;
import dev.orderly.dashboard.page.PageContext;
import dev.orderly.job.JobId;
import dev.orderly.job.JobView;
import dev.orderly.job.QueueName;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.present.Redaction;
import dev.orderly.job.search.DeadLetterGroups;
import dev.orderly.job.search.GroupPage;
import dev.orderly.job.search.GroupQuery;
import dev.orderly.job.search.GroupQuery.Order;
import dev.orderly.job.search.JobFinder;
import dev.orderly.job.search.SearchPage;
import dev.orderly.job.search.SearchTerms;
import dev.orderly.web.message.Response;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The routes of search, dead letters by error, and groups. */
public final class SearchRoutes {
    private static final int PAGE = 50;

    private final PageContext context;
    private final JobClient jobs;
    private final JobFinder finder;
    private final Redaction redaction;
    private final PacedViews views;

    public SearchRoutes(PageContext context, JobClient jobs, JobFinder finder, Redaction redaction) {
        this.redaction = redaction;
        this.context = context;
        this.jobs = jobs;
        this.finder = finder;
        this.views = new PacedViews(context.time());
    }

    public List<DashboardRoute> routes() {
        return List.of(new DashboardRoute("GET", "/jobs", Role.VIEWER, this::jobs),
                new DashboardRoute("GET", "/queues/{queue}/dead", Role.VIEWER, this::dead),
                new DashboardRoute("GET", "/queues/{queue}/groups", Role.VIEWER, this::groups));
    }

    private Response jobs(DashboardRequest request) {
        SearchForm form = SearchForm.ofQuery(request, redaction);
        JobId before = before(request.query("before"));
        SearchPage<JobView> found = finder.search(form.search(), before, PAGE);
        List<String> queues = jobs.queues().stream().map(status -> status.view().queue().value()).toList();
        return context.page(request, new JobListPage(form, found, queues, before != null));
    }

    private static @Nullable JobId before(@Nullable String text) {
        try {
            return SearchTerms.before(text);
        } catch (SearchTerms.InvalidException e) {
            throw new RefusedFormException(422, "This cannot be searched", e.remedy());
        }
    }

    private Response dead(DashboardRequest request) {
        QueueName queue = queue(request);
        return context.page(request, new DeadPage(queue.value(),
                views.read(queue, DeadLetterGroups.class, () -> finder.dead(queue))));
    }

    private Response groups(DashboardRequest request) {
        QueueName queue = queue(request);
        if (!queue.isFifo()) {
            throw RefusedFormException.unknown("A group of queue " + queue, "only FIFO queues have groups");
        }
        GroupQuery query;
        try {
            query = new GroupQuery(queue, Order.parse(Objects.requireNonNullElse(request.query("order"), "largest")),
                    text(request, "name"), text(request, "after"), PAGE);
        } catch (IllegalArgumentException e) {
            throw new RefusedFormException(422, "This order is not known", String.valueOf(e.getMessage()));
        }
        return context.page(request,
                new GroupListPage(query, views.read(query, GroupPage.class, () -> finder.groups(query))));
    }

    private static String text(DashboardRequest request, String name) {
        return Objects.requireNonNullElse(request.query(name), "");
    }

    private QueueName queue(DashboardRequest request) {
        String name = request.param("queue");
        return jobs.queues().stream().map(status -> status.view().queue()).filter(each -> each.value().equals(name))
                .findFirst()
                .orElseThrow(() -> RefusedFormException.unknown("Queue " + name,
                        "find the right name in the list of queues"));
    }
}
