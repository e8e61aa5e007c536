package dev.orderly.http.intake;

import dev.orderly.http.access.ApiCall;
import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRequest;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.present.PushAgain;
import dev.orderly.job.present.Redaction;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.Response;
import dev.orderly.web.path.PathTemplate;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.problem.Refusal;
import dev.orderly.web.route.Endpoint;
import dev.orderly.web.route.Endpoint.BodyLimit;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Pushes the content of a dead letter, or a changed payload in its place, as a new job that names its origin. */
public final class PushAgainIntake {
    private static final BodyLimit LIMIT = new BodyLimit(QueueOptions.PAYLOAD_LIMIT, new Problem(ProblemType.TOO_LARGE,
            "The body has more than the " + QueueOptions.PAYLOAD_LIMIT
                    + " bytes that any queue takes: store the content"
                    + " elsewhere and push a reference"));

    private final JobClient client;
    private final Redaction redaction;
    private final ContentCheck content = new ContentCheck();
    private final String jobs;

    /** @param base the path of the API, without a trailing slash */
    public PushAgainIntake(JobClient client, Redaction redaction, String base) {
        this.client = client;
        this.redaction = redaction;
        this.jobs = base + "/jobs/";
    }

    public ApiEndpoint endpoint() {
        return ApiEndpoint.change("pushAgain", LeastRole.OPERATOR,
                new Endpoint("POST", PathTemplate.parse(jobs + "{id}/push-again"), _ -> LIMIT, Map.of(),
                        this::pushAgain));
    }

    private Response pushAgain(Request call) {
        QueryParameters.of(call.head());
        JobView dead = deadLetter(call.head().param("id"));
        boolean edited = call.body().length > 0;
        PushRequest request = edited ? edited(dead, call) : PushAgain.unchanged(dead);
        String before = "queue " + dead.queue() + (edited ? ", with a changed payload" : "");
        PushResult result = ApiCall.current().change("job " + dead.id(), before,
                () -> client.push(request.withTrace(call.head().trace())), pushed -> "pushed job " + pushed.id());
        JobId id = JobIntake.accepted(result);
        boolean duplicate = result instanceof PushResult.Duplicate;
        byte[] body = JsonMapper.shared().writeValueAsBytes(JsonMapper.shared().createObjectNode()
                .put("id", id.toString()).put("queue", dead.queue().value()).put("duplicate", duplicate));
        Response answer = Response.json(202, body).withHeader(JobIntake.JOB_ID, id.toString())
                .withHeader("Location", jobs + id);
        return duplicate ? answer.withHeader(JobIntake.DUPLICATE, "true") : answer;
    }

    private JobView deadLetter(String text) {
        JobView job = find(text);
        if (job == null) {
            throw new Refusal(ProblemType.UNKNOWN_JOB, "Job " + (text.length() <= 40
                    ? text
                    : text.substring(0, 40)
                            + "...")
                    + " does not exist or is no longer kept: check the id, a UUIDv7 that the push returned");
        }
        if (job.state() != JobState.DEAD || job.payload() == null) {
            throw new Refusal(ProblemType.NOT_DEAD, "Job " + job.id() + " is " + job.state().text()
                    + ": only a dead letter has failed for good and still has its payload. Push the content of another"
                    + " job anew");
        }
        return job;
    }

    private @Nullable JobView find(String text) {
        try {
            return client.find(JobId.parse(text)).orElse(null);
        } catch (IllegalArgumentException _) {
            return null;
        }
    }

    /** A repeated request with the same payload within the dedupe window is the same push. */
    private PushRequest edited(JobView dead, Request call) {
        MediaType type = ContentTypes.of(call.head(), ContentTypes.ALL);
        DedupeKey form = content.check(type, call.body());
        Payload payload = new Payload(type.text(), call.body());
        return PushAgain.changed(dead, payload, form, redaction);
    }
}
