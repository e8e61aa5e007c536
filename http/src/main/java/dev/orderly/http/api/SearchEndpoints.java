package dev.orderly.http.api;

import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.api.json.JsonText;
import dev.orderly.job.JobView;
import dev.orderly.job.QueueName;
import dev.orderly.job.present.Redaction;
import dev.orderly.job.search.DeadLetterGroups;
import dev.orderly.job.search.GroupPage;
import dev.orderly.job.search.GroupQuery;
import dev.orderly.job.search.GroupQuery.Order;
import dev.orderly.job.search.JobFinder;
import dev.orderly.job.search.JobSearch;
import dev.orderly.job.search.SearchPage;
import dev.orderly.job.search.SearchTerms;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.problem.Refusal;
import dev.orderly.web.route.Endpoint;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Search over jobs, dead letters by error, and groups of FIFO queues. */
final class SearchEndpoints {
    private static final int PAGE_MAX = 200;
    private static final int PAGE = 50;
    private static final String[] QUERY = Stream.concat(SearchTerms.NAMES.stream(), Stream.of("before", "limit"))
            .toArray(String[]::new);

    private final JobFinder finder;
    private final Redaction redaction;
    private final String base;

    SearchEndpoints(JobFinder finder, Redaction redaction, String base) {
        this.redaction = redaction;
        this.finder = finder;
        this.base = base;
    }

    List<ApiEndpoint> endpoints() {
        return List.of(view("searchJobs", "/jobs", this::search),
                view("deadErrors", "/dead", call -> dead(call, null)),
                view("groups", "/queues/{queue}/groups", this::groups),
                view("queueErrors", "/queues/{queue}/dead",
                        call -> dead(call, queue(call.head().param("queue")))));
    }

    private ApiEndpoint view(String operation, String path, Endpoint.Action action) {
        return new ApiEndpoint(operation, LeastRole.VIEWER, Endpoint.bodiless("GET", base + path, action));
    }

    private Response search(Request call) {
        QueryParameters query = QueryParameters.of(call.head(), QUERY);
        int limit = query.number("limit", 1, PAGE_MAX, PAGE);
        JobSearch search = read(() -> SearchTerms.read(query::text, redaction));
        SearchPage<JobView> page = finder.search(search, read(() -> SearchTerms.before(query.text("before"))), limit);
        ObjectNode json = JsonText.object();
        ArrayNode jobs = json.putArray("jobs");
        page.jobs().forEach(job -> jobs.add(JobJson.brief(job, redaction)));
        json.put("next", page.next() == null ? null : page.next().toString()).put("extent", page.extent().text())
                .put("looked", page.looked()).put("access", page.access().text());
        return Response.json(200, JsonText.of(json));
    }

    /** Reads conditions of a search; one that is not valid becomes a refusal. */
    static <T> T read(Supplier<T> conditions) {
        try {
            return conditions.get();
        } catch (SearchTerms.Invalid e) {
            throw QueryParameters.bad(e.name(), e.value(), e.remedy());
        }
    }

    private static QueueName queue(String text) {
        try {
            return new QueueName(text);
        } catch (IllegalArgumentException e) {
            throw new Refusal(ProblemType.UNKNOWN_QUEUE, String.valueOf(e.getMessage()));
        }
    }

    private Response dead(Request call, @Nullable QueueName queue) {
        QueryParameters.of(call.head());
        DeadLetterGroups found = finder.dead(queue);
        ObjectNode json = JsonText.object();
        ArrayNode errors = json.putArray("errors");
        for (DeadLetterGroups.Group group : found.groups()) {
            ObjectNode error = errors.addObject().put("queue", group.queue().value())
                    .put("error", group.error().toString()).put("shape", group.shape()).put("count", group.count())
                    .put("atLeast", group.atLeast());
            error.set("first", end(group.first()));
            error.set("last", end(group.last()));
        }
        return Response.json(200, JsonText.of(json.put("complete", found.complete())));
    }

    private Response groups(Request call) {
        QueryParameters query = QueryParameters.of(call.head(), "order", "name", "after", "limit");
        QueueName queue = queue(call.head().param("queue"));
        String order = text(query, "order", Order.LARGEST.text());
        int limit = query.number("limit", 1, GroupQuery.LIMIT_MAX, PAGE);
        GroupPage page = finder.groups(groupQuery(queue, order, text(query, "name", ""), text(query, "after", ""),
                limit));
        ObjectNode json = JsonText.object();
        ArrayNode groups = json.putArray("groups");
        for (GroupPage.Group group : page.groups()) {
            groups.addObject().put("group", group.name()).put("phase", group.phase().text()).put("jobs", group.jobs())
                    .put("atLeast", group.atLeast()).put("oldest", JsonText.text(group.oldest()))
                    .put("haltedBy", JsonText.text(group.haltedBy())).put("until", JsonText.text(group.until()));
        }
        return Response.json(200, JsonText.of(json.put("complete", page.complete()).put("looked", page.looked())
                .put("next", page.next())));
    }

    private static String text(QueryParameters query, String name, String otherwise) {
        String text = query.text(name);
        return text == null ? otherwise : text;
    }

    private static GroupQuery groupQuery(QueueName queue, String order, String prefix, String after, int limit) {
        if (!queue.isFifo()) {
            throw new Refusal(ProblemType.GROUP_FORBIDDEN,
                    "Queue " + queue + " has no groups: name a FIFO queue, whose name ends in .fifo");
        }
        try {
            return new GroupQuery(queue, Order.parse(order), prefix, after, limit);
        } catch (IllegalArgumentException e) {
            throw QueryParameters.bad("order", order, String.valueOf(e.getMessage()));
        }
    }

    private static ObjectNode end(JobView job) {
        Instant died = job.endedAt();
        return JsonText.object().put("id", job.id().toString()).put("pushedAt", job.pushedAt().toString())
                .put("diedAt", died == null ? null : died.toString())
                .put("summary", job.failure() == null ? null : job.failure().summary());
    }
}
