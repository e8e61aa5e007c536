package dev.orderly.http.intake;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobId;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRequest;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.engine.JobClient;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.route.Endpoint.BodyLimit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns a request into a job, in the same way for every entry point. */
final class JobIntake {
    private final JobClient client;
    private final ContentCheck content = new ContentCheck();

    JobIntake(JobClient client) {
        this.client = client;
    }

    /**
     * The settings of a queue.
     *
     * @throws ProblemException 404 if it is not declared
     */
    QueueOptions options(String queue) {
        try {
            return client.options(new QueueName(queue)).orElseThrow(() -> unknown(
                    "Queue " + queue + " does not exist: declare it first, or correct the name"));
        } catch (IllegalArgumentException e) {
            throw unknown(String.valueOf(e.getMessage()));
        }
    }

    /** Checks everything that is known before the body is read. */
    BodyLimit before(RequestHead head, String queue, List<String> accepts) {
        int max = options(queue).maxPayload();
        ContentTypes.of(head, accepts);
        IdempotencyHeader.read(head);
        return new BodyLimit(max, new Problem(ProblemType.TOO_LARGE, "The body has more than the " + max
                + " bytes that queue " + queue + " takes: store the content elsewhere and push a reference, or raise"
                + " the queue's max-payload (hard limit " + QueueOptions.PAYLOAD_LIMIT + ")"));
    }

    /**
     * A push with the body of a request as its payload, whose syntax is checked.
     *
     * @throws ProblemException if the body does not match its content type
     */
    PushRequest withPayload(PushRequest push, Request call, List<String> accepts) {
        MediaType type = ContentTypes.of(call.head(), accepts);
        DedupeKey form = content.check(type, call.body());
        return push.withPayload(new Payload(type.text(), call.body())).withFormFingerprint(form);
    }

    /**
     * Stores one job. Blocks until it is durable.
     *
     * @param route the name of the entry point, for the idempotency key
     * @param jobs the path below which the sender can see the job, with a trailing slash; null for none
     * @return 202
     */
    Response push(PushRequest request, RequestHead head, String route, @Nullable String jobs) {
        PushRequest keyed = IdempotencyHeader.read(head)
                .map(key -> IdempotencyHeader.apply(request, route, key)).orElse(request);
        PushResult result = client.push(keyed.withTrace(head.trace()));
        return PushedJson.of(result, request.queue()).answer(jobs);
    }

    /**
     * The job that answers a push.
     *
     * @throws ProblemException 409 if the idempotency key, dedupe id or debounce key was used for another request
     */
    static JobId accepted(PushResult result) {
        return switch (result) {
            case PushResult.Accepted accepted -> accepted.id();
            case PushResult.Duplicate duplicate -> duplicate.id();
            case PushResult.Replaced replaced -> replaced.id();
            case PushResult.DebounceReused reused -> throw new ProblemException(new Problem(ProblemType.DEDUPE_REUSED,
                    "Under this debounce key job " + reused.id() + " waits, which belongs to another user. Nothing was"
                            + " changed: use a key of each user's own")
                    .withMember("job", reused.id().toString()));
            case PushResult.DedupeReused reused -> throw new ProblemException(new Problem(ProblemType.DEDUPE_REUSED,
                    "This dedupe id was used a short time ago for job " + reused.id()
                            + ", which has another body, content type, other params or another user. Nothing was"
                            + " stored: use a new id for a new job, or repeat the request unchanged")
                    .withMember("job", reused.id().toString()));
            case PushResult.KeyReused reused -> throw new ProblemException(new Problem(ProblemType.KEY_REUSED,
                    "This Idempotency-Key was used within the last 24 hours for another request, which became job "
                            + reused.id() + ": use a new key for a new request")
                    .withMember("job", reused.id().toString()));
        };
    }

    private static ProblemException unknown(String detail) {
        return new ProblemException(ProblemType.UNKNOWN_QUEUE, detail);
    }
}
