package dev.orderly.http.api;

import static dev.orderly.http.openapi.ErrorAnswer.NOT_FOUND;
import static dev.orderly.http.openapi.ErrorAnswer.UNPROCESSABLE;

import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.OperationEndpoints;
import dev.orderly.http.openapi.OperationDoc;
import dev.orderly.http.openapi.OperationDoc.Body;
import dev.orderly.http.openapi.Parameter;
import dev.orderly.http.openapi.RecordJson;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.present.Redaction;
import dev.orderly.operate.KeyControl;
import dev.orderly.operate.OperationSpec;
import dev.orderly.operate.QueueControl;
import dev.orderly.operate.Targets;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.route.Endpoint.BodyLimit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Queues: status, jobs, settings, pause, resume, redrive and forgetting. */
final class QueueEndpoints {
    static final int PAGE_MAX = 200;

    private static final int PAGE = 50;
    private static final String QUEUE = "queue";
    private static final String KEY = "key";
    private static final String TAG = "queues";
    private static final BodyLimit REDRIVE_BODY = new BodyLimit(1 << 20, new Problem(ProblemType.TOO_LARGE,
            "The body of a redrive has more than 1 MiB: send fewer ids at once"));

    private static final BodyLimit SETTINGS_BODY = new BodyLimit(4 << 10, new Problem(ProblemType.TOO_LARGE,
            "The body of a change of settings has more than 4 KiB: send the members that change"));

    private final OperationEndpoints operations;
    private final JobClient client;
    private final Redaction redaction;
    private final String base;

    QueueEndpoints(OperationEndpoints operations, Redaction redaction) {
        this.operations = operations;
        this.redaction = redaction;
        this.client = operations.targets().orderly().engines().jobs();
        this.base = operations.base() + "/queues";
    }

    List<ApiEndpoint> endpoints() {
        return List.of(
                ApiEndpoint.view("queues", base, this::all, OperationDoc.of(TAG, "All queues")
                        .answers(QueueJson.All.class, "Declared on this node, or holding jobs; by name.")),
                ApiEndpoint.view("queue", base + "/{queue}", this::single, OperationDoc.of(TAG, "One queue")
                        .answers(QueueJson.class, "The queue.").refuses(NOT_FOUND)),
                ApiEndpoint.view("jobs", base + "/{queue}/jobs", this::jobs,
                        OperationDoc.of("jobs", "The jobs of a queue in one state")
                                .takes(Parameter.state("The state of the jobs; `waiting` if absent."),
                                        Parameter.query("after", JobId.class, "The `next` of the previous page."),
                                        Parameter.LIMIT)
                                .answers(JobJson.Page.class, "A page: oldest first, but done and cancelled jobs newest"
                                        + " first. Without payloads.")
                                .refuses(NOT_FOUND)),
                ApiEndpoint.view("keys", base + "/{queue}/keys", this::keys,
                        OperationDoc.of(TAG, "Keys of a queue with their use, or groups of a FIFO queue with settings")
                                .takes(Parameter.LIMIT)
                                .answers(KeyJson.All.class,
                                        "The key whose oldest job waits for longest first, then keys"
                                                + " of which jobs run. Of many thousand keys some may be missing.")
                                .refuses(NOT_FOUND)),
                ApiEndpoint.view("key", base + "/{queue}/keys/{key}", this::key,
                        OperationDoc.of(TAG, "One key of a queue, or one group of a FIFO queue, with its use")
                                .answers(KeyJson.class, "The key; without use if it has no jobs.")
                                .refuses(NOT_FOUND, UNPROCESSABLE)),
                operations.of(OperationSpec.SET_KEY, SETTINGS_BODY,
                        call -> KeyControl.bounds(queue(call), call.head().param(KEY), LimitSettingsRequest.of(call)),
                        (_, view) -> RecordJson.ok(KeyJson.of(view)),
                        OperationDoc.of(TAG, OperationSpec.SET_KEY)
                                .body(Body.of(LimitSettingsRequest.Members.class)).answers(KeyJson.class,
                                        "The key with its bounds.")),
                pauseKey(OperationSpec.PAUSE_KEY, true, "The key is paused."),
                pauseKey(OperationSpec.RESUME_KEY, false, "The key goes on."),
                operations.of(OperationSpec.SET_QUEUE, SETTINGS_BODY,
                        call -> QueueControl.set(queue(call), QueueSettingsRequest.of(call)),
                        (call, _) -> single(call),
                        OperationDoc.of(TAG, OperationSpec.SET_QUEUE)
                                .body(Body.of(QueueSettingsRequest.Members.class))
                                .answers(QueueJson.class, "The queue.")),
                operations.bodiless(OperationSpec.FORGET_QUEUE, call -> QueueControl.forget(queue(call)),
                        (call, _) -> RecordJson.ok(new QueueJson.Forgotten(call.head().param(QUEUE), true)),
                        OperationDoc.of(TAG, OperationSpec.FORGET_QUEUE)
                                .answers(QueueJson.Forgotten.class, "Forgotten.")),
                pause(OperationSpec.PAUSE, true,
                        "Paused."),
                pause(OperationSpec.RESUME, false, "Resumed."),
                operations.of(OperationSpec.REDRIVE, REDRIVE_BODY, RedriveRequest::read,
                        (call, redriven) -> RecordJson
                                .ok(new QueueJson.Redriven(call.head().param(QUEUE), redriven)),
                        OperationDoc.of(TAG, OperationSpec.REDRIVE)
                                .takes(RedriveRequest.PARAMETERS)
                                .body(Body.of(RedriveRequest.Members.class).optional()
                                        .saying("The same as the query parameters."))
                                .answers(QueueJson.Redriven.class, "The number of redriven jobs. If it equals the"
                                        + " limit, there may be more.")));
    }

    private ApiEndpoint pause(OperationSpec spec, boolean paused, String done) {
        return operations.bodiless(spec, call -> QueueControl.pause(queue(call), paused),
                (call, _) -> RecordJson.ok(new QueueJson.Paused(call.head().param(QUEUE), paused)),
                OperationDoc.of(TAG, spec).answers(QueueJson.Paused.class, done));
    }

    private ApiEndpoint pauseKey(OperationSpec spec, boolean paused, String done) {
        return operations.bodiless(spec, call -> KeyControl.pause(queue(call), call.head().param(KEY), paused),
                (_, view) -> RecordJson.ok(KeyJson.of(view)),
                OperationDoc.of(TAG, spec).answers(KeyJson.class, done));
    }

    private Response key(Request call) {
        QueryParameters.of(call.head());
        Targets targets = operations.targets();
        return RecordJson.ok(KeyJson.of(targets.key(targets.queueName(call.head().param(QUEUE)),
                call.head().param(KEY))));
    }

    private Response all(Request call) {
        QueryParameters.of(call.head());
        return RecordJson.ok(new QueueJson.All(client.queues().stream().map(QueueJson::of).toList()));
    }

    private Response keys(Request call) {
        QueryParameters query = QueryParameters.of(call.head(), "limit");
        int limit = query.number("limit", 1, PAGE_MAX, PAGE);
        return RecordJson
                .ok(new KeyJson.All(client.keys(operations.targets().queueName(call.head().param(QUEUE)), limit)
                        .stream().map(KeyJson::of).toList()));
    }

    private Response single(Request call) {
        return RecordJson.ok(QueueJson.of(operations.targets().queue(queue(call))));
    }

    private Response jobs(Request call) {
        QueryParameters query = QueryParameters.of(call.head(), "state", "after", "limit");
        String state = query.text("state");
        JobState wanted = state == null ? JobState.WAITING : state(state);
        int limit = query.number("limit", 1, PAGE_MAX, PAGE);
        JobId after = after(query.text("after"));
        List<JobView> jobs = client.list(operations.targets().queueName(call.head().param(QUEUE)), wanted, after,
                limit);
        return RecordJson.ok(new JobJson.Page(JobJson.briefs(jobs, redaction),
                jobs.size() < limit ? null : jobs.getLast().id()));
    }

    private static String queue(Request call) {
        return OperationEndpoints.param(call, QUEUE);
    }

    private static JobState state(String text) {
        try {
            return JobState.parse(text);
        } catch (IllegalArgumentException _) {
            throw QueryParameters.bad("state", text, "use waiting, delayed, running, done, dead or cancelled");
        }
    }

    private static @Nullable JobId after(@Nullable String text) {
        try {
            return text == null ? null : JobId.parse(text);
        } catch (IllegalArgumentException _) {
            throw QueryParameters.bad("after", String.valueOf(text), "use the value of next in the previous page");
        }
    }
}
