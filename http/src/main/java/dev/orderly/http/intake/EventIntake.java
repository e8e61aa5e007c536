package dev.orderly.http.intake;

import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.OperationEndpoints;
import dev.orderly.http.openapi.Doc;
import dev.orderly.http.openapi.ErrorAnswer;
import dev.orderly.http.openapi.OperationDoc;
import dev.orderly.http.openapi.Parameter;
import dev.orderly.http.openapi.RecordJson;
import dev.orderly.job.EventResult;
import dev.orderly.job.JobId;
import dev.orderly.job.JobStep;
import dev.orderly.job.Payload;
import dev.orderly.operate.JobControl;
import dev.orderly.operate.Operation;
import dev.orderly.operate.OperationSpec;
import dev.orderly.text.StoredText;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.route.Endpoint.BodyLimit;

/** Takes events for jobs. */
public final class EventIntake {
    private static final int NOTE_MAX = 150;
    private static final BodyLimit LIMIT = new BodyLimit(JobStep.VALUE_MAX, new Problem(ProblemType.TOO_LARGE,
            "The body has more than the " + JobStep.VALUE_MAX + " bytes that an event takes: store the content"
                    + " elsewhere and send a reference"));

    private final OperationEndpoints operations;
    private final ContentCheck content = new ContentCheck();

    public EventIntake(OperationEndpoints operations) {
        this.operations = operations;
    }

    /** The answer to an event. */
    @Doc(name = "EventSent")
    record Sent(JobId id, String event,
            @Doc("`repeated`: an event of this name has come before, and counts; this one changed"
                    + " nothing.") EventResult result) {}

    public ApiEndpoint endpoint() {
        return operations.of(OperationSpec.SEND_EVENT, LIMIT, this::read,
                (call, result) -> RecordJson.ok(new Sent(JobId.parse(call.head().param("id")),
                        call.head().param("event"), result)),
                OperationDoc.of("jobs", OperationSpec.SEND_EVENT)
                        .takes(Parameter.query("note", "What the sender says of it, for people.")
                                .with("maxLength: " + NOTE_MAX))
                        .body(ApiIntake.payload()
                                .saying("The value, at most 64 KiB. No content type means JSON."))
                        .answers(Sent.class, "The event is kept.")
                        .refuses(ErrorAnswer.UNSUPPORTED_CONTENT));
    }

    private Operation<EventResult> read(Request call) {
        String note = QueryParameters.of(call.head(), "note").text("note");
        return JobControl.event(call.head().param("id"), call.head().param("event"), value(call),
                note == null ? "" : StoredText.repaired(note, NOTE_MAX));
    }

    /**
     * The value in the body of a request.
     *
     * @throws ProblemException if it is missing, or does not match its content type
     */
    private Payload value(Request call) {
        if (call.body().length == 0) {
            throw new ProblemException(ProblemType.EMPTY, "The event has no value: send one in the body, such as true");
        }
        MediaType type = ContentTypes.of(call.head(), ContentTypes.ALL);
        content.check(type, call.body());
        return new Payload(type.text(), call.body());
    }
}
