package dev.orderly.http.api;

import static dev.orderly.http.openapi.ErrorAnswer.NOT_FOUND;
import static dev.orderly.http.openapi.ErrorAnswer.UNPROCESSABLE;

import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.openapi.OperationDoc;
import dev.orderly.http.openapi.Parameter;
import dev.orderly.http.openapi.RecordJson;
import dev.orderly.job.JobId;
import dev.orderly.job.JobView;
import dev.orderly.job.QueueName;
import dev.orderly.job.present.Redaction;
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
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Search over jobs, dead letters by error, and groups of FIFO queues. */
final class SearchEndpoints {
    private static final int PAGE_MAX = 200;
    private static final int PAGE = 50;
    private static final String TAG = "queues";
    private static final String GROUPS = "At most 200 groups, the largest first.";
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
        return List.of(
                ApiEndpoint.view("searchJobs", base + "/jobs", this::search,
                        OperationDoc.of("jobs", "Search for jobs")
                                .details("Jobs that meet all conditions, newest first. Ids, times, dedupe ids, errors,"
                                        + " groups, queues, dead letters and running jobs are found by an index; other"
                                        + " conditions are compared job by job, for at most 20,000 jobs a call."
                                        + " `extent` says how far the search came: with `bound`, a call with `before`"
                                        + " set to `next` searches older jobs.")
                                .takes(Stream
                                        .concat(Parameter.query(BulkJson.Asked.class)
                                                .filter(each -> SearchTerms.NAMES.contains(each.name())),
                                                Stream.of(Parameter.query("before", JobId.class,
                                                        "The value of `next` in the page before."), Parameter.LIMIT))
                                        .toArray(Parameter[]::new))
                                .answers(JobJson.Found.class, "A page, without payloads.")),
                ApiEndpoint.view("deadErrors", base + "/dead", call -> dead(call, null),
                        OperationDoc.of(TAG, "Dead letters by error, of all queues")
                                .answers(SearchJson.DeadErrors.class, GROUPS)),
                ApiEndpoint.view("groups", base + "/queues/{queue}/groups", this::groups,
                        OperationDoc.of(TAG, "Groups of a FIFO queue")
                                .details("Groups that have unsettled jobs or are halted. Halted, retrying and running"
                                        + " groups are found by indexes. The orders `largest` and `oldest` are exact"
                                        + " for up to 1,000 groups; beyond, `complete` is false and the groups are"
                                        + " those of the oldest and newest jobs of the store. A halted group goes on"
                                        + " when its dead letter is redriven or cancelled.")
                                .takes(Parameter.query("order", Order.class, "Which groups, or in which order.")
                                        .with("default: 'largest'"),
                                        Parameter.query("name", "The beginning of the name."),
                                        Parameter.query("after",
                                                "By name only: the value of `next` in the page before."),
                                        Parameter.LIMIT)
                                .answers(SearchJson.Groups.class, "The first groups in this order.")
                                .refuses(NOT_FOUND, UNPROCESSABLE)),
                ApiEndpoint.view("queueErrors", base + "/queues/{queue}/dead",
                        call -> dead(call, queue(call.head().param("queue"))),
                        OperationDoc.of(TAG, "Dead letters of a queue by error")
                                .details("Failures with the same summary but for numbers, ids, times, addresses and"
                                        + " quoted texts are one error.")
                                .answers(SearchJson.DeadErrors.class, GROUPS).refuses(NOT_FOUND)));
    }

    private Response search(Request call) {
        QueryParameters query = QueryParameters.of(call.head(), QUERY);
        int limit = query.number("limit", 1, PAGE_MAX, PAGE);
        JobSearch search = read(() -> SearchTerms.read(query::text, redaction));
        SearchPage<JobView> page = finder.search(search, read(() -> SearchTerms.before(query.text("before"))), limit);
        return RecordJson.ok(JobJson.Found.of(page, redaction));
    }

    /** Reads conditions of a search; one that is not valid becomes a refusal. */
    static <T> T read(Supplier<T> conditions) {
        try {
            return conditions.get();
        } catch (SearchTerms.InvalidException e) {
            throw QueryParameters.bad(e.name(), e.value(), e.remedy());
        }
    }

    private static QueueName queue(String text) {
        try {
            return new QueueName(text);
        } catch (IllegalArgumentException e) {
            throw new ProblemException(ProblemType.UNKNOWN_QUEUE, String.valueOf(e.getMessage()));
        }
    }

    private Response dead(Request call, @Nullable QueueName queue) {
        QueryParameters.of(call.head());
        return RecordJson.ok(SearchJson.DeadErrors.of(finder.dead(queue)));
    }

    private Response groups(Request call) {
        QueryParameters query = QueryParameters.of(call.head(), "order", "name", "after", "limit");
        QueueName queue = queue(call.head().param("queue"));
        String order = text(query, "order", Order.LARGEST.text());
        int limit = query.number("limit", 1, GroupQuery.LIMIT_MAX, PAGE);
        GroupPage page = finder.groups(groupQuery(queue, order, text(query, "name", ""), text(query, "after", ""),
                limit));
        return RecordJson.ok(SearchJson.Groups.of(page));
    }

    private static String text(QueryParameters query, String name, String otherwise) {
        String text = query.text(name);
        return text == null ? otherwise : text;
    }

    private static GroupQuery groupQuery(QueueName queue, String order, String prefix, String after, int limit) {
        if (!queue.isFifo()) {
            throw new ProblemException(ProblemType.GROUP_FORBIDDEN,
                    "Queue " + queue + " has no groups: name a FIFO queue, whose name ends in .fifo");
        }
        try {
            return new GroupQuery(queue, Order.parse(order), prefix, after, limit);
        } catch (IllegalArgumentException e) {
            throw QueryParameters.bad("order", order, String.valueOf(e.getMessage()));
        }
    }
}
