package dev.orderly.http.api;

import dev.orderly.Orderly;
import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.access.OperationEndpoints;
import dev.orderly.http.api.json.JsonText;
import dev.orderly.http.intake.PushAgainIntake;
import dev.orderly.job.JobId;
import dev.orderly.job.JobView;
import dev.orderly.job.present.JobPresentation;
import dev.orderly.operate.JobControl;
import dev.orderly.operate.OperationSpec;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.Response;
import dev.orderly.web.route.Endpoint;
import java.util.List;
import java.util.Locale;

/** Single jobs: show, explain, cancel, run now and push again. */
final class JobEndpoints {
    private final OperationEndpoints operations;
    private final Orderly orderly;
    private final JobPresentation presentation;

    JobEndpoints(OperationEndpoints operations, JobPresentation presentation) {
        this.operations = operations;
        this.orderly = operations.targets().orderly();
        this.presentation = presentation;
    }

    List<ApiEndpoint> endpoints() {
        String path = operations.base() + "/jobs/{id}";
        return List.of(new ApiEndpoint("job", LeastRole.VIEWER, Endpoint.bodiless("GET", path, this::show)),
                operations.bodiless(OperationSpec.CANCEL,
                        call -> JobControl.cancel(OperationEndpoints.param(call, "id")),
                        (call, end) -> result(call, end.name().toLowerCase(Locale.ROOT))),
                new ApiEndpoint("whyJob", LeastRole.VIEWER, Endpoint.bodiless("GET", path + "/why", this::why)),
                new ApiEndpoint("attempts", LeastRole.VIEWER,
                        Endpoint.bodiless("GET", path + "/attempts", this::attempts)),
                operations.bodiless(OperationSpec.REVEAL,
                        call -> JobControl.reveal(OperationEndpoints.param(call, "id")),
                        (_, job) -> Response.json(200, JsonText.of(JobJson.whole(job, presentation)))),
                operations.bodiless(OperationSpec.RUN_NOW,
                        call -> JobControl.runNow(OperationEndpoints.param(call, "id")),
                        (call, _) -> result(call, "due")),
                operations.bodiless(OperationSpec.REDRIVE_JOB,
                        call -> JobControl.redrive(OperationEndpoints.param(call, "id")),
                        (call, _) -> result(call, "waiting")),
                new PushAgainIntake(operations, presentation.redaction()).endpoint());
    }

    private Response why(Request call) {
        JobId id = operations.targets().jobId(OperationEndpoints.param(call, "id"));
        return Response.json(200, JsonText.of(WhyJson.of(orderly.why(id))));
    }

    private Response show(Request call) {
        return Response.json(200, JsonText.of(JobJson.masked(find(call), presentation)));
    }

    private Response attempts(Request call) {
        JobView job = find(call);
        return Response.json(200, JsonText.of(JobJson.attempts(job, orderly.jobs().attempts(job))));
    }

    private JobView find(Request call) {
        return operations.targets().job(OperationEndpoints.param(call, "id"));
    }

    private static Response result(Request call, String text) {
        String id = JobId.parse(call.head().param("id")).toString();
        return Response.json(200, JsonText.of(JsonText.object().put("id", id).put("result", text)));
    }
}
