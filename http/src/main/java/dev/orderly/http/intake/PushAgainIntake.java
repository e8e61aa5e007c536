package dev.orderly.http.intake;

import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.OperationEndpoints;
import dev.orderly.http.openapi.OperationDoc;
import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobView;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRequest;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.present.PushAgain;
import dev.orderly.job.present.Redaction;
import dev.orderly.operate.JobControl;
import dev.orderly.operate.JobControl.Pushed;
import dev.orderly.operate.OperationSpec;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.route.Endpoint.BodyLimit;

/** Pushes the content of a dead letter, or a changed payload in its place, as a new job that names its origin. */
public final class PushAgainIntake {
    private static final BodyLimit LIMIT = new BodyLimit(QueueOptions.PAYLOAD_LIMIT, new Problem(ProblemType.TOO_LARGE,
            "The body has more than the " + QueueOptions.PAYLOAD_LIMIT
                    + " bytes that any queue takes: store the content"
                    + " elsewhere and push a reference"));

    private final OperationEndpoints operations;
    private final Redaction redaction;
    private final ContentCheck content = new ContentCheck();

    public PushAgainIntake(OperationEndpoints operations, Redaction redaction) {
        this.operations = operations;
        this.redaction = redaction;
    }

    public ApiEndpoint endpoint() {
        return operations.of(OperationSpec.PUSH_AGAIN, LIMIT,
                call -> JobControl.pushAgain(OperationEndpoints.param(call, "id"), dead -> request(dead, call)),
                (_, pushed) -> answer(pushed), PushedJson.in(OperationDoc.of("jobs", OperationSpec.PUSH_AGAIN)
                        .body(ApiIntake.payload().optional()
                                .saying("A payload in place of the dead letter's. No content type means JSON."))));
    }

    /** A repeated request with the same payload within the dedupe window is the same push. */
    private PushRequest request(JobView dead, Request call) {
        if (call.body().length == 0) {
            return PushAgain.unchanged(dead).withTrace(call.head().trace());
        }
        MediaType type = ContentTypes.of(call.head(), ContentTypes.ALL);
        DedupeKey form = content.check(type, call.body());
        Payload payload = new Payload(type.text(), call.body());
        return PushAgain.changed(dead, payload, form, redaction).withTrace(call.head().trace());
    }

    private Response answer(Pushed pushed) {
        return PushedJson.of(pushed.result(), pushed.queue().value()).answer(operations.base() + "/jobs/");
    }
}
