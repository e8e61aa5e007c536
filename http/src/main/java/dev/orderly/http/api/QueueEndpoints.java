package dev.orderly.http.api;

import dev.orderly.http.access.ApiCall;
import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.api.json.JsonText;
import dev.orderly.job.ForgetQueueResult;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.QueueName;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.engine.QueueStatus;
import dev.orderly.job.present.Redaction;
import dev.orderly.job.settings.QueueOverride;
import dev.orderly.job.settings.QueueSettings;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.path.PathTemplate;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.problem.Refusal;
import dev.orderly.web.route.Endpoint;
import dev.orderly.web.route.Endpoint.BodyLimit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Queues: status, jobs, settings, pause, resume, redrive and forgetting. */
final class QueueEndpoints {
    static final int PAGE_MAX = 200;

    private static final int PAGE = 50;
    private static final BodyLimit REDRIVE_BODY = new BodyLimit(1 << 20, new Problem(ProblemType.TOO_LARGE,
            "The body of a redrive has more than 1 MiB: send fewer ids at once"));

    private static final BodyLimit SETTINGS_BODY = new BodyLimit(4 << 10, new Problem(ProblemType.TOO_LARGE,
            "The body of a change of settings has more than 4 KiB: send the members that change"));

    private final JobClient client;
    private final QueueSettings settings;
    private final Redaction redaction;
    private final String base;

    QueueEndpoints(JobClient client, QueueSettings settings, Redaction redaction, String base) {
        this.redaction = redaction;
        this.client = client;
        this.settings = settings;
        this.base = base + "/queues";
    }

    List<ApiEndpoint> endpoints() {
        return List.of(view("queues", "", this::all), view("queue", "/{queue}", this::single),
                view("jobs", "/{queue}/jobs", this::jobs),
                operate("queueSettings", new Endpoint("PATCH", PathTemplate.parse(base + "/{queue}"),
                        _ -> SETTINGS_BODY, Map.of(), this::set)),
                operate("forgetQueue", Endpoint.bodiless("DELETE", base + "/{queue}", this::forget)),
                operate("pause", Endpoint.bodiless("POST", base + "/{queue}/pause", call -> pause(call, true))),
                operate("resume", Endpoint.bodiless("POST", base + "/{queue}/resume", call -> pause(call, false))),
                operate("redrive", new Endpoint("POST", PathTemplate.parse(base + "/{queue}/redrive"),
                        _ -> REDRIVE_BODY, Map.of(), this::redrive)));
    }

    private ApiEndpoint view(String operation, String path, Endpoint.Action action) {
        return ApiEndpoint.view(operation, LeastRole.VIEWER, Endpoint.bodiless("GET", base + path, action));
    }

    private static ApiEndpoint operate(String operation, Endpoint endpoint) {
        return ApiEndpoint.change(operation, LeastRole.OPERATOR, endpoint);
    }

    private Response all(Request call) {
        QueryParameters.of(call.head());
        ObjectNode json = JsonText.object();
        ArrayNode queues = json.putArray("queues");
        client.queues().forEach(status -> queues.add(QueueJson.of(status)));
        return Response.json(200, JsonText.of(json));
    }

    private Response single(Request call) {
        QueryParameters.of(call.head());
        return Response.json(200, JsonText.of(QueueJson.of(status(call.head()))));
    }

    private Response jobs(Request call) {
        QueryParameters query = QueryParameters.of(call.head(), "state", "after", "limit");
        String state = query.text("state");
        JobState wanted = state == null ? JobState.WAITING : state(state);
        int limit = query.number("limit", 1, PAGE_MAX, PAGE);
        JobId after = after(query.text("after"));
        List<JobView> jobs = client.list(known(call.head()), wanted, after, limit);
        ObjectNode json = JsonText.object();
        ArrayNode page = json.putArray("jobs");
        jobs.forEach(job -> page.add(JobJson.brief(job, redaction)));
        json.put("next", jobs.size() < limit ? null : jobs.getLast().id().toString());
        return Response.json(200, JsonText.of(json));
    }

    private Response pause(Request call, boolean paused) {
        QueryParameters.of(call.head());
        QueueName queue = known(call.head());
        String before = client.queues().stream().filter(status -> status.view().queue().equals(queue)).findFirst()
                .map(status -> paused(status.view().paused())).orElse(null);
        ApiCall.current().change("queue " + queue, before, () -> {
            client.pause(queue, paused);
            return paused;
        }, QueueEndpoints::paused);
        return Response.json(200, JsonText.of(JsonText.object().put("queue", queue.value()).put("paused", paused)));
    }

    private Response set(Request call) {
        QueryParameters.of(call.head());
        QueueName queue = known(call.head());
        QueueSettingsRequest request = QueueSettingsRequest.of(call);
        String who = ApiCall.current().caller().identity().toString();
        try {
            ApiCall.current().change("queue " + queue, settings.of(queue).text(),
                    () -> settings.change(queue, request, who), QueueOverride::text);
        } catch (IllegalArgumentException e) {
            throw new Refusal(ProblemType.BOUNDS, String.valueOf(e.getMessage()));
        }
        return Response.json(200, JsonText.of(QueueJson.of(status(call.head()))));
    }

    private Response forget(Request call) {
        QueryParameters.of(call.head());
        QueueName queue = known(call.head());
        ApiCall.current().change("queue " + queue, null, () -> forgotten(queue), _ -> "forgotten");
        return Response.json(200, JsonText.of(JsonText.object().put("queue", queue.value()).put("forgotten", true)));
    }

    private QueueName forgotten(QueueName queue) {
        return switch (client.forget(queue)) {
            case ForgetQueueResult.Forgotten _ -> queue;
            case ForgetQueueResult.Unknown _ -> throw unknown(queue);
            case ForgetQueueResult.InUse inUse -> throw new Refusal(ProblemType.QUEUE_IN_USE, inUse.text());
        };
    }

    private Response redrive(Request call) {
        RedriveRequest request = RedriveRequest.of(call);
        QueueName queue = known(call.head());
        List<JobId> ids = request.ids();
        String asked = ids == null ? "all dead letters" : ids.size() + " named jobs";
        int redriven = ApiCall.current().change("queue " + queue, asked + ", at most " + request.limit(),
                () -> ids == null
                        ? client.redriveAll(queue, request.limit())
                        : client.redrive(queue, ids, request.limit()),
                count -> "redriven " + count);
        return Response.json(200, JsonText.of(JsonText.object().put("queue", queue.value()).put("redriven", redriven)));
    }

    private static String paused(boolean paused) {
        return paused ? "paused" : "running";
    }

    /** The queue, if this node declares it, which needs no store trip, or if the store knows it. */
    private QueueName known(RequestHead head) {
        QueueName name = name(head);
        return client.options(name).isPresent() ? name : status(head).view().queue();
    }

    private QueueStatus status(RequestHead head) {
        QueueName name = name(head);
        return client.queues().stream().filter(status -> status.view().queue().equals(name)).findFirst()
                .orElseThrow(() -> unknown(name));
    }

    private Refusal unknown(QueueName name) {
        return new Refusal(ProblemType.UNKNOWN_QUEUE,
                "Queue " + name + " does not exist: declare it first, or find the right name at " + base);
    }

    private static QueueName name(RequestHead head) {
        try {
            return new QueueName(head.param("queue"));
        } catch (IllegalArgumentException e) {
            throw new Refusal(ProblemType.UNKNOWN_QUEUE, String.valueOf(e.getMessage()));
        }
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
