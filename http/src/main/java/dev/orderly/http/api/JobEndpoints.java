package dev.orderly.http.api;

import dev.orderly.Orderly;
import dev.orderly.http.access.ApiCall;
import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.message.QueryParameters;
import dev.orderly.http.message.Request;
import dev.orderly.http.message.RequestHead;
import dev.orderly.http.message.Response;
import dev.orderly.http.problem.ProblemType;
import dev.orderly.http.problem.Refusal;
import dev.orderly.http.route.Endpoint;
import dev.orderly.job.CancelResult;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRequest;
import dev.orderly.job.PushResult;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.store.JobView;
import java.util.List;
import java.util.Locale;

/** Single jobs: show, explain, cancel and push again. */
final class JobEndpoints {
    private final Orderly orderly;
    private final JobClient client;
    private final String base;

    JobEndpoints(Orderly orderly, String base) {
        this.orderly = orderly;
        this.client = orderly.jobs();
        this.base = base;
    }

    List<ApiEndpoint> endpoints() {
        String path = base + "/jobs/{id}";
        return List.of(ApiEndpoint.view("job", LeastRole.VIEWER, Endpoint.bodiless("GET", path, this::show)),
                ApiEndpoint.change("cancel", LeastRole.OPERATOR, Endpoint.bodiless("DELETE", path, this::cancel)),
                ApiEndpoint.view("whyJob", LeastRole.VIEWER, Endpoint.bodiless("GET", path + "/why", this::why)),
                ApiEndpoint.work("pushAgain", LeastRole.OPERATOR,
                        Endpoint.bodiless("POST", path + "/push-again", this::pushAgain)));
    }

    private Response why(Request call) {
        QueryParameters.of(call.head());
        return Response.json(200, JsonText.of(WhyJson.of(orderly.why(id(call.head())))));
    }

    /**
     * Pushes the content of a dead letter as a new job. A repeated request within the dedupe window is the same push.
     */
    private Response pushAgain(Request call) {
        QueryParameters.of(call.head());
        JobId id = id(call.head());
        JobView job = client.find(id).orElseThrow(() -> unknown(id.toString()));
        Payload payload = job.payload();
        if (job.state() != JobState.DEAD || payload == null) {
            throw new Refusal(ProblemType.NOT_DEAD, "Job " + id + " is " + job.state().text() + ": only a dead letter"
                    + " has failed for good and still has its payload. Push the content of another job anew");
        }
        PushRequest request = PushRequest.of(job.queue().value(), payload).withGroup(job.group())
                .withParams(job.params()).withUser(job.user()).withDedupeId("push-again " + id)
                .withPriority(job.queue().isFifo() ? null : job.priority());
        PushResult result = client.push(request);
        String pushed = result.id().toString();
        return Response.json(202, JsonText.of(JsonText.object().put("id", pushed).put("queue", job.queue().value())
                .put("duplicate", result instanceof PushResult.Duplicate))).withHeader("X-Job-Id", pushed)
                .withHeader("Location", base + "/jobs/" + pushed);
    }

    private Response show(Request call) {
        QueryParameters.of(call.head());
        JobId id = id(call.head());
        JobView job = client.find(id).orElseThrow(() -> unknown(id.toString()));
        return Response.json(200, JsonText.of(JobJson.whole(job)));
    }

    private Response cancel(Request call) {
        QueryParameters.of(call.head());
        JobId id = id(call.head());
        String before = client.find(id).map(job -> "queue " + job.queue() + ", state " + job.state().text())
                .orElse(null);
        CancelResult result = ApiCall.current().change("job " + id, before, () -> cancelled(id),
                end -> end.name().toLowerCase(Locale.ROOT));
        return Response.json(200, JsonText.of(JsonText.object().put("id", id.toString())
                .put("result", result.name().toLowerCase(Locale.ROOT))));
    }

    private CancelResult cancelled(JobId id) {
        CancelResult result = client.cancel(id);
        return switch (result) {
            case CANCELLED, SIGNALLED -> result;
            case ENDED -> throw new Refusal(ProblemType.JOB_ENDED,
                    "Job " + id + " has ended already, so it cannot be cancelled: GET it to see its state");
            case UNKNOWN -> throw unknown(id.toString());
        };
    }

    private static JobId id(RequestHead head) {
        String text = head.param("id");
        try {
            return JobId.parse(text);
        } catch (IllegalArgumentException _) {
            throw unknown(text.length() <= 40 ? text : text.substring(0, 40) + "...");
        }
    }

    private static Refusal unknown(String id) {
        return new Refusal(ProblemType.UNKNOWN_JOB,
                "Job " + id + " does not exist or is no longer kept: check the id, a UUIDv7 that the push returned");
    }
}
