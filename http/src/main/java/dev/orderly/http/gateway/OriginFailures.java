package dev.orderly.http.gateway;

import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.problem.Problems;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Problems for a client whose origin did not answer. */
final class OriginFailures {
    private static final Logger LOG = LoggerFactory.getLogger(OriginFailures.class);

    private OriginFailures() {}

    /** @param cause null if the origin's answer was not valid HTTP */
    static Problem problem(Forwarder to, @Nullable Throwable cause) {
        Origin origin = to.origin();
        if (cause instanceof ConnectionPoolTooBusyException || cause instanceof TimeoutException) {
            LOG.debug("Origin {} is busy: {}", origin.uri(), cause.getMessage());
            return busy();
        }
        to.log().warn("Origin {} gave no answer: {}", origin.uri(), cause == null ? "not HTTP" : cause.toString());
        return new Problem(ProblemType.BAD_GATEWAY, "The site behind this address gave no usable answer.");
    }

    static Problem busy() {
        return new Problem(ProblemType.ORIGIN_BUSY,
                "No connection to the site became free in time: the limit of its requests is reached."
                        + " Nothing was done: try again.")
                .withHeader(Problems.RETRY_AFTER, "2");
    }
}
