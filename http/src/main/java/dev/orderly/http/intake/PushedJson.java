package dev.orderly.http.intake;

import static dev.orderly.http.openapi.ErrorAnswer.QUEUE_FULL;
import static dev.orderly.http.openapi.ErrorAnswer.UNPROCESSABLE;
import static dev.orderly.http.openapi.ErrorAnswer.UNSUPPORTED_CONTENT;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.orderly.http.openapi.Doc;
import dev.orderly.http.openapi.OperationDoc;
import dev.orderly.http.openapi.Parameter;
import dev.orderly.http.openapi.RecordJson;
import dev.orderly.job.JobId;
import dev.orderly.job.PushResult;
import dev.orderly.web.message.Response;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answer to a push. */
@Doc(name = "Pushed")
public record PushedJson(JobId id, String queue,
        @Doc("Whether the id belongs to an earlier, equal push.") boolean duplicate,
        @Doc("Whether the push has replaced the payload of a job that waits.") boolean replaced) {
    static final String JOB_ID = "X-Job-Id";
    static final String REPLACED = "Orderly-Replaced";
    static final String DUPLICATE = "Orderly-Duplicate";

    /** A line of the answer to several lines. */
    record Line(JobId id, boolean duplicate, boolean replaced) {}

    /** The answers to several lines. */
    @Doc(name = "PushedLines", value = "In the order of the lines.", facets = "minItems: 1, maxItems: 1000")
    record Lines(@JsonValue List<Line> lines) {}

    /**
     * The answer 202.
     *
     * @param jobs the path below which the sender can see the job, with a trailing slash; null for none
     */
    public Response answer(@Nullable String jobs) {
        Response answer = RecordJson.answer(202, this).withHeader(JOB_ID, id.toString());
        Response located = jobs == null ? answer : answer.withHeader("Location", jobs + id);
        return duplicate
                ? located.withHeader(DUPLICATE, "true")
                : replaced ? located.withHeader(REPLACED, "true") : located;
    }

    /** The answer to a push with this result. */
    public static PushedJson of(PushResult result, String queue) {
        return new PushedJson(JobIntake.accepted(result), queue, result instanceof PushResult.Duplicate,
                result instanceof PushResult.Replaced);
    }

    /** The documentation of an operation that answers with a push. */
    public static OperationDoc in(OperationDoc doc) {
        return doc.answers("202", "The job is durable.", Map.of(Response.JSON, PushedJson.class),
                Parameter.header(JOB_ID, "The id of the job; for a duplicate, of the first job.").of(JobId.class),
                Parameter.header("Location", "The address of the job."),
                Parameter.header(DUPLICATE, "`true` if an earlier, equal push created the job.").with("const: 'true'"),
                Parameter.header(REPLACED, "`true` if the push has replaced the payload of a job that waits under its"
                        + " debounce key.").with("const: 'true'"))
                .refuses(UNSUPPORTED_CONTENT, UNPROCESSABLE, QUEUE_FULL);
    }
}
