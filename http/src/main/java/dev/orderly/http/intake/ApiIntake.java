package dev.orderly.http.intake;

import static dev.orderly.http.openapi.ErrorAnswer.BATCH_CLOSED;
import static dev.orderly.http.openapi.ErrorAnswer.KEY_REUSED;
import static dev.orderly.http.openapi.ErrorAnswer.NOT_FOUND;
import static dev.orderly.http.openapi.ErrorAnswer.QUEUE_FULL;
import static dev.orderly.http.openapi.ErrorAnswer.UNPROCESSABLE;
import static dev.orderly.http.openapi.ErrorAnswer.UNSUPPORTED_CONTENT;

import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.openapi.OperationDoc;
import dev.orderly.http.openapi.OperationDoc.Body;
import dev.orderly.http.openapi.Parameter;
import dev.orderly.http.openapi.RecordJson;
import dev.orderly.job.BatchLink;
import dev.orderly.job.BatchName;
import dev.orderly.job.BatchRefusedException;
import dev.orderly.job.JobId;
import dev.orderly.job.JobTerms;
import dev.orderly.job.Priority;
import dev.orderly.job.PushRefusedException;
import dev.orderly.job.PushRequest;
import dev.orderly.job.PushResult;
import dev.orderly.job.engine.JobClient;
import dev.orderly.trace.TraceContext;
import dev.orderly.user.UserId;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.path.PathTemplate;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.problem.Problems;
import dev.orderly.web.route.Endpoint;
import dev.orderly.web.route.Endpoint.BodyLimit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Pushes to any queue by its name: one job, or several as lines. */
public final class ApiIntake {
    private static final String SINGLE = "/queues/{queue}/jobs";
    private static final String TAG = "jobs";
    private static final String LINES = "/queues/{queue}/jobs/batch";
    private static final String[] PARAMETERS = {"group", "dedupe", "unique", "delay", "expires", "priority",
            "attempts", "timeout", "user", "debounce", "at-most", "dedupe-for", "cost", "batch", "parent"};

    private final JobClient client;
    private final JobIntake intake;
    private final BiPredicate<JobId, String> tokens;
    private final String jobs;
    private final String base;

    /**
     * @param tokens whether a text is the token of an attempt of a job, for members that push
     * @param base the path of the API, without a trailing slash
     */
    public ApiIntake(JobClient client, BiPredicate<JobId, String> tokens, String base) {
        this.client = client;
        this.base = base;
        this.tokens = tokens;
        this.intake = new JobIntake(client);
        this.jobs = base + "/jobs/";
    }

    public List<ApiEndpoint> endpoints() {
        Endpoint single = new Endpoint("POST", PathTemplate.parse(base + SINGLE), this::beforeSingle,
                Map.of(ContentTypes.ACCEPT_POST, ContentTypes.acceptPost(ContentTypes.ALL)), this::pushSingle);
        Endpoint lines = new Endpoint("POST", PathTemplate.parse(base + LINES), this::beforeLines,
                Map.of(ContentTypes.ACCEPT_POST, ContentTypes.acceptPost(PushLines.CONTENT_TYPES)), this::pushLines);
        return List.of(
                new ApiEndpoint("push", LeastRole.OPERATOR.orWorker(), single,
                        PushedJson.in(OperationDoc.of(TAG, "Push one job")
                                .details("JSON, forms and text are checked; malformed content is answered 422 and not"
                                        + " stored.")
                                .takes(Parameter.PUSH.toArray(Parameter[]::new)).body(payload())
                                .refuses(NOT_FOUND, KEY_REUSED, BATCH_CLOSED))),
                new ApiEndpoint("pushBatch", LeastRole.OPERATOR.orWorker(), lines,
                        OperationDoc.of(TAG, "Push up to 1,000 jobs at once")
                                .takes(Parameter.IDEMPOTENCY_KEY, Parameter.BATCH, Parameter.PARENT)
                                .body(new Body(true,
                                        "One JSON object per line, each of schema BatchLine; at most 16 MiB.",
                                        PushLines.CONTENT_TYPES.stream()
                                                .collect(Collectors.toMap(type -> type, _ -> PushLine.class)),
                                        PushLine.EXAMPLE))
                                .answers(202, PushedJson.Lines.class,
                                        "All jobs are durable, in the order of the lines.")
                                .refuses(NOT_FOUND, KEY_REUSED, BATCH_CLOSED, UNSUPPORTED_CONTENT, UNPROCESSABLE,
                                        QUEUE_FULL)));
    }

    /** The documentation of a payload. */
    public static Body payload() {
        return Body.any(ContentTypes.ALL.toArray(String[]::new))
                .saying("The payload, stored with its content type as sent. No content type means JSON.");
    }

    private BodyLimit beforeSingle(RequestHead head) {
        BodyLimit limit = intake.before(head, head.param("queue"), ContentTypes.ALL);
        request(head);
        return limit;
    }

    private Response pushSingle(Request call) {
        PushRequest request = intake.withPayload(inBatch(request(call.head()), call.head()), call, ContentTypes.ALL);
        return intake.push(request, call.head(), "api " + request.queue(), jobs);
    }

    /** The push without its payload. */
    private static PushRequest request(RequestHead head) {
        QueryParameters query = QueryParameters.of(head, PARAMETERS);
        return PushRequest.of(head.param("queue"), PushLines.NOTHING).withGroup(query.text("group"))
                .withDedupeId(query.text("dedupe")).withUnique(query.text("unique")).withDelay(time(query, "delay"))
                .withExpires(time(query, "expires")).withTimeout(time(query, "timeout"))
                .withAttempts(query.text("attempts") == null ? null : query.number("attempts", 1, 1_000, 1))
                .withPriority(priority(query)).withUser(user(query.text("user"))).withDebounce(query.text("debounce"))
                .withAtMost(time(query, "at-most")).withDedupeFor(time(query, "dedupe-for"))
                .withCost(query.text("cost") == null ? null : query.number("cost", 1, JobTerms.COST_MAX, 1));
    }

    /** The push as one of a member of the batch that the request names, by the member whose token it has. */
    private PushRequest inBatch(PushRequest push, RequestHead head) {
        String name = QueryParameters.of(head, PARAMETERS).text("batch");
        if (name == null) {
            return push;
        }
        try {
            BatchLink batch = client.batches().require(new BatchName(name)).member();
            return push.withBatch(batch).withParent(member(head, name));
        } catch (BatchRefusedException | IllegalArgumentException e) {
            throw new ProblemException(ProblemType.UNKNOWN_BATCH, String.valueOf(e.getMessage()));
        }
    }

    /** The running member that pushes, by its id and its token; null for none. */
    private @Nullable JobId member(RequestHead head, String batch) {
        String parent = QueryParameters.of(head, PARAMETERS).text("parent");
        if (parent == null) {
            return null;
        }
        JobId id = JobId.parse(parent);
        String token = head.header(Parameter.ATTEMPT_TOKEN.name());
        if (token == null || !tokens.test(id, token)) {
            throw new ProblemException(ProblemType.ATTEMPT_TOKEN, "A push of job " + id + " into batch " + batch
                    + " has not the token of an attempt of it: send the " + Parameter.ATTEMPT_TOKEN.name()
                    + " that came with the job, or leave parent out");
        }
        return id;
    }

    private static @Nullable UserId user(@Nullable String text) {
        try {
            return UserId.ofStored(text);
        } catch (IllegalArgumentException e) {
            throw new ProblemException(ProblemType.BOUNDS, String.valueOf(e.getMessage()));
        }
    }

    private static @Nullable Duration time(QueryParameters query, String name) {
        String text = query.text(name);
        try {
            return text == null ? null : DelayText.parse(text);
        } catch (IllegalArgumentException e) {
            throw new ProblemException(ProblemType.BAD_REQUEST, "Query parameter " + name + ": " + e.getMessage());
        }
    }

    private static @Nullable Priority priority(QueryParameters query) {
        return query.text("priority") == null ? null : Priority.of(query.number("priority", 1, 4, 3));
    }

    private BodyLimit beforeLines(RequestHead head) {
        intake.options(head.param("queue"));
        QueryParameters.of(head, "batch", "parent");
        PushLines.checkContentType(head);
        IdempotencyHeader.read(head);
        return new BodyLimit(PushLines.BYTES_MAX, new Problem(ProblemType.TOO_LARGE, "The body has more than "
                + PushLines.BYTES_MAX + " bytes: send several requests"));
    }

    private Response pushLines(Request call) {
        String queue = call.head().param("queue");
        TraceContext trace = call.head().trace();
        List<PushRequest> requests = PushLines.read(queue, call.body()).stream()
                .map(request -> request.withTrace(trace)).toList();
        PushRequest first = inBatch(requests.getFirst(), call.head());
        List<PushRequest> members = requests.stream()
                .map(request -> request.withBatch(first.batch()).withParent(first.parent())).toList();
        List<PushRequest> keyed = IdempotencyHeader.read(call.head())
                .map(key -> IdempotencyHeader.applyToAll(members, "api batch " + queue, key, call.body()))
                .orElse(members);
        try {
            List<PushResult> results = client.pushAll(keyed);
            refuseReused(results);
            return Response.json(202,
                    RecordJson.bytes(new PushedJson.Lines(results.stream().map(ApiIntake::line).toList())));
        } catch (PushRefusedException e) {
            throw new ProblemException(Problems.ofLine(e));
        }
    }

    /**
     * @throws ProblemException 409 if a line's dedupe id or debounce key stands for another job, with the answers to
     *     all lines
     */
    private static void refuseReused(List<PushResult> results) {
        List<Integer> reused = IntStream.range(0, results.size())
                .filter(n -> results.get(n) instanceof PushResult.DedupeReused
                        || results.get(n) instanceof PushResult.DebounceReused)
                .mapToObj(n -> n + 1).toList();
        if (!reused.isEmpty()) {
            throw new ProblemException(new Problem(ProblemType.DEDUPE_REUSED, "The dedupe id or debounce key of line "
                    + reused.getFirst()
                    + (reused.size() == 1 ? "" : " and of " + (reused.size() - 1) + " further lines")
                    + " stands for another job. These lines were not stored, all others"
                    + " were: push them again with new ids")
                    .withMember("line", reused.getFirst()).withMember("reused", reused)
                    .withMember("jobs", results.stream().map(result -> result.id().toString()).toList()));
        }
    }

    private static PushedJson.Line line(PushResult result) {
        return new PushedJson.Line(JobIntake.accepted(result), result instanceof PushResult.Duplicate,
                result instanceof PushResult.Replaced);
    }
}
