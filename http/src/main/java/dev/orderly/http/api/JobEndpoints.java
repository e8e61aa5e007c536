package dev.orderly.http.api;

import static dev.orderly.http.openapi.ErrorAnswer.NOT_FOUND;

import dev.orderly.Orderly;
import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.OperationEndpoints;
import dev.orderly.http.intake.EventIntake;
import dev.orderly.http.intake.PushAgainIntake;
import dev.orderly.http.openapi.OperationDoc;
import dev.orderly.http.openapi.RecordJson;
import dev.orderly.job.JobId;
import dev.orderly.job.JobView;
import dev.orderly.job.present.JobPresentation;
import dev.orderly.operate.JobControl;
import dev.orderly.operate.OperationSpec;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.Response;
import java.util.List;

/** Single jobs: show, explain, cancel, run now and push again. */
final class JobEndpoints {
    private static final String TAG = "jobs";

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
        return List.of(
                ApiEndpoint.view("job", path, this::show,
                        OperationDoc.of(TAG, "One job").answers(JobJson.class, "The job.").refuses(NOT_FOUND)),
                operations.bodiless(OperationSpec.CANCEL,
                        call -> JobControl.cancel(OperationEndpoints.param(call, "id")),
                        (call, end) -> RecordJson.ok(new JobJson.Cancelled(id(call), end)),
                        OperationDoc.of(TAG, OperationSpec.CANCEL).answers(JobJson.Cancelled.class, "The job will not"
                                + " run, or its holder was asked to end it. The request is durable: a job that its"
                                + " holder does not complete ends as cancelled.")),
                ApiEndpoint.view("whyJob", path + "/why", this::why,
                        OperationDoc.of(TAG, "What keeps a job from running")
                                .answers(WhyJson.class, "The cause, as this node sees it. Also of a job that ended or"
                                        + " does not exist.")
                                .refuses(NOT_FOUND)),
                ApiEndpoint.view("attempts", path + "/attempts", this::attempts,
                        OperationDoc.of(TAG, "The attempts of a job, and its course over time")
                                .answers(AttemptsJson.class, "The attempts.").refuses(NOT_FOUND)),
                operations.bodiless(OperationSpec.REVEAL,
                        call -> JobControl.reveal(OperationEndpoints.param(call, "id")),
                        (_, job) -> RecordJson.ok(JobJson.whole(job, presentation)),
                        OperationDoc.of(TAG, OperationSpec.REVEAL)
                                .answers(JobJson.class, "The job.")),
                operations.bodiless(OperationSpec.RUN_NOW,
                        call -> JobControl.runNow(OperationEndpoints.param(call, "id")),
                        (call, _) -> RecordJson.ok(new JobJson.Due(id(call), "due")),
                        OperationDoc.of(TAG, OperationSpec.RUN_NOW)
                                .answers(JobJson.Due.class, "The job is due.")),
                operations.bodiless(OperationSpec.REDRIVE_JOB,
                        call -> JobControl.redrive(OperationEndpoints.param(call, "id")),
                        (call, _) -> RecordJson.ok(new JobJson.WaitsAgain(id(call), "waiting")),
                        OperationDoc.of(TAG, OperationSpec.REDRIVE_JOB)
                                .answers(JobJson.WaitsAgain.class, "The job waits.")),
                new EventIntake(operations).endpoint(),
                new PushAgainIntake(operations, presentation.redaction()).endpoint());
    }

    private Response why(Request call) {
        JobId id = operations.targets().jobId(OperationEndpoints.param(call, "id"));
        return RecordJson.ok(WhyJson.of(orderly.why(id)));
    }

    private Response show(Request call) {
        return RecordJson.ok(JobJson.masked(find(call), presentation));
    }

    private Response attempts(Request call) {
        JobView job = find(call);
        return RecordJson.ok(AttemptsJson.of(job, orderly.engines().jobs().attempts(job)));
    }

    private JobView find(Request call) {
        return operations.targets().job(OperationEndpoints.param(call, "id"));
    }

    private static JobId id(Request call) {
        return JobId.parse(call.head().param("id"));
    }
}
