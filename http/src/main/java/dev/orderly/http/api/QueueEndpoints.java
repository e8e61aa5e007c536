package dev.orderly.http.api;

import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.access.OperationEndpoints;
import dev.orderly.http.api.json.JsonText;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.present.Redaction;
import dev.orderly.operate.OperationSpec;
import dev.orderly.operate.QueueControl;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.route.Endpoint;
import dev.orderly.web.route.Endpoint.BodyLimit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Queues: status, jobs, settings, pause, resume, redrive and forgetting. */
final class QueueEndpoints {
    static final int PAGE_MAX = 200;

    private static final int PAGE = 50;
    private static final String QUEUE = "queue";
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
        this.client = operations.targets().orderly().jobs();
        this.base = operations.base() + "/queues";
    }

    List<ApiEndpoint> endpoints() {
        return List.of(view("queues", "", this::all), view("queue", "/{queue}", this::single),
                view("jobs", "/{queue}/jobs", this::jobs),
                operations.of(OperationSpec.SET_QUEUE, SETTINGS_BODY,
                        call -> QueueControl.set(queue(call), QueueSettingsRequest.of(call)),
                        (call, _) -> single(call)),
                operations.bodiless(OperationSpec.FORGET_QUEUE, call -> QueueControl.forget(queue(call)),
                        (call, _) -> done(call, "forgotten", true)),
                operations.bodiless(OperationSpec.PAUSE, call -> QueueControl.pause(queue(call), true),
                        (call, _) -> done(call, "paused", true)),
                operations.bodiless(OperationSpec.RESUME, call -> QueueControl.pause(queue(call), false),
                        (call, _) -> done(call, "paused", false)),
                operations.of(OperationSpec.REDRIVE, REDRIVE_BODY, RedriveRequest::read, (call, redriven) -> Response
                        .json(200, JsonText.of(JsonText.object().put(QUEUE, call.head().param(QUEUE))
                                .put("redriven", redriven)))));
    }

    private ApiEndpoint view(String operation, String path, Endpoint.Action action) {
        return new ApiEndpoint(operation, LeastRole.VIEWER, Endpoint.bodiless("GET", base + path, action));
    }

    private Response all(Request call) {
        QueryParameters.of(call.head());
        ObjectNode json = JsonText.object();
        ArrayNode queues = json.putArray("queues");
        client.queues().forEach(status -> queues.add(QueueJson.of(status)));
        return Response.json(200, JsonText.of(json));
    }

    private Response single(Request call) {
        return Response.json(200, JsonText.of(QueueJson.of(operations.targets().queue(queue(call)))));
    }

    private Response jobs(Request call) {
        QueryParameters query = QueryParameters.of(call.head(), "state", "after", "limit");
        String state = query.text("state");
        JobState wanted = state == null ? JobState.WAITING : state(state);
        int limit = query.number("limit", 1, PAGE_MAX, PAGE);
        JobId after = after(query.text("after"));
        List<JobView> jobs = client.list(operations.targets().queueName(call.head().param(QUEUE)), wanted, after,
                limit);
        ObjectNode json = JsonText.object();
        ArrayNode page = json.putArray("jobs");
        jobs.forEach(job -> page.add(JobJson.brief(job, redaction)));
        json.put("next", jobs.size() < limit ? null : jobs.getLast().id().toString());
        return Response.json(200, JsonText.of(json));
    }

    private static String queue(Request call) {
        return OperationEndpoints.param(call, QUEUE);
    }

    private static Response done(Request call, String member, boolean value) {
        return Response.json(200,
                JsonText.of(JsonText.object().put(QUEUE, call.head().param(QUEUE)).put(member, value)));
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
