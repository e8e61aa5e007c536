package dev.orderly.servlet.exchange;

import dev.orderly.web.message.Request;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.route.Endpoint.BodyLimit;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Duration;

/** The body of a request, within a limit. */
final class RequestBody {
    /** The most that a body and its answer may take. */
    static final Duration LONGEST = Duration.ofMinutes(1);

    private final HttpServletRequest request;
    private final BodyLimit limit;

    /** @throws ProblemException if the announced length is above the limit */
    RequestBody(HttpServletRequest request, BodyLimit limit) {
        this.request = request;
        this.limit = limit;
        if (request.getContentLengthLong() > limit.bytes()) {
            throw new ProblemException(limit.tooLarge());
        }
    }

    /**
     * Reads it. Blocks as long as the container allows.
     *
     * @throws ProblemException if it is above the limit
     */
    Request read(RequestHead head) throws IOException {
        byte[] body = request.getInputStream().readNBytes(limit.bytes() + 1);
        if (body.length > limit.bytes()) {
            throw new ProblemException(limit.tooLarge());
        }
        return new Request(head, body);
    }
}
