package dev.orderly.web.route;

import dev.orderly.web.message.Request;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.path.PathTemplate;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemType;
import java.util.Map;

/**
 * An endpoint: one method on one path.
 *
 * @param options headers of the {@code OPTIONS} answer of the path besides {@code Allow}
 */
public record Endpoint(String method, PathTemplate path, BodyRule body, Map<String, String> options, Action action) {
    public Endpoint {
        options = Map.copyOf(options);
    }

    /** An endpoint whose requests have no body; a body is refused with 413. */
    public static Endpoint bodiless(String method, String path, Action action) {
        BodyLimit none = new BodyLimit(0, noBody(method, path));
        return new Endpoint(method, PathTemplate.parse(path), _ -> none, Map.of(), action);
    }

    /** The problem for a request whose body is refused. */
    public static Problem noBody(String method, String path) {
        return new Problem(ProblemType.TOO_LARGE, method + " " + path + " takes no body: leave it out");
    }

    /**
     * Decides by the head how large a body may be. Runs on an event loop: answers from memory, never blocks. Throws a
     * {@link dev.orderly.web.problem.ProblemException} to end the exchange before the body is read.
     */
    @FunctionalInterface
    public interface BodyRule {
        BodyLimit limit(RequestHead head);
    }

    /**
     * The limit of a body.
     *
     * @param tooLarge the answer to a larger body
     */
    public record BodyLimit(int bytes, Problem tooLarge) {}

    /** Answers a complete request on a virtual thread; may block. An exception becomes a problem. */
    @FunctionalInterface
    public interface Action {
        Response answer(Request call);
    }
}
