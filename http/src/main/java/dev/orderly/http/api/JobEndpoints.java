package dev.orderly.http.api;

import dev.orderly.Orderly;
import dev.orderly.http.access.ApiCall;
import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.api.json.JsonText;
import dev.orderly.http.intake.PushAgainIntake;
import dev.orderly.job.CancelResult;
import dev.orderly.job.JobId;
import dev.orderly.job.JobView;
import dev.orderly.job.RunNowResult;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.present.JobPresentation;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.problem.Refusal;
import dev.orderly.web.route.Endpoint;
import java.util.List;
import java.util.Locale;

/** Single jobs: show, explain, cancel, run now and push again. */
final class JobEndpoints {
    private final Orderly orderly;
    private final JobClient client;
    private final JobPresentation presentation;
    private final String base;

    JobEndpoints(Orderly orderly, JobPresentation presentation, String base) {
        this.presentation = presentation;
        this.orderly = orderly;
        this.client = orderly.jobs();
        this.base = base;
    }

    List<ApiEndpoint> endpoints() {
        String path = base + "/jobs/{id}";
        return List.of(ApiEndpoint.view("job", LeastRole.VIEWER, Endpoint.bodiless("GET", path, this::show)),
                ApiEndpoint.change("cancel", LeastRole.OPERATOR, Endpoint.bodiless("DELETE", path, this::cancel)),
                ApiEndpoint.view("whyJob", LeastRole.VIEWER, Endpoint.bodiless("GET", path + "/why", this::why)),
                ApiEndpoint.view("attempts", LeastRole.VIEWER,
                        Endpoint.bodiless("GET", path + "/attempts", this::attempts)),
                ApiEndpoint.change("reveal", LeastRole.OPERATOR,
                        Endpoint.bodiless("POST", path + "/reveal", this::reveal)),
                ApiEndpoint.change("runNow", LeastRole.OPERATOR,
                        Endpoint.bodiless("POST", path + "/run-now", this::runNow)),
                new PushAgainIntake(client, presentation.redaction(), base).endpoint());
    }

    private Response why(Request call) {
        QueryParameters.of(call.head());
        return Response.json(200, JsonText.of(WhyJson.of(orderly.why(id(call.head())))));
    }

    private Response show(Request call) {
        QueryParameters.of(call.head());
        return Response.json(200, JsonText.of(JobJson.masked(find(id(call.head())), presentation)));
    }

    /** Shows the job with the values that are masked elsewhere. */
    private Response reveal(Request call) {
        QueryParameters.of(call.head());
        JobView job = find(id(call.head()));
        return ApiCall.current().change("job " + job.id(), "queue " + job.queue(),
                () -> Response.json(200, JsonText.of(JobJson.whole(job, presentation))), _ -> "revealed");
    }

    private Response attempts(Request call) {
        QueryParameters.of(call.head());
        JobView job = find(id(call.head()));
        return Response.json(200, JsonText.of(JobJson.attempts(job, client.attempts(job))));
    }

    private Response runNow(Request call) {
        QueryParameters.of(call.head());
        JobView job = find(id(call.head()));
        ApiCall.current().change("job " + job.id(), "queue " + job.queue() + ", due at " + job.dueAt(),
                () -> dueNow(job), _ -> "due now");
        return Response.json(200, JsonText.of(JsonText.object().put("id", job.id().toString()).put("result", "due")));
    }

    private RunNowResult dueNow(JobView job) {
        RunNowResult result = client.runNow(job.id());
        return switch (result) {
            case DUE -> result;
            case UNKNOWN -> throw unknown(job.id().toString());
            case NOT_DELAYED -> throw new Refusal(ProblemType.NOT_DELAYED, "Job " + job.id() + " is "
                    + find(job.id()).state().text() + ", so it has no delay to end: ask GET " + base + "/jobs/"
                    + job.id() + "/why what keeps it");
        };
    }

    private JobView find(JobId id) {
        return client.find(id).orElseThrow(() -> unknown(id.toString()));
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
            case CANCELLED, SIGNALLED, REQUESTED -> result;
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
