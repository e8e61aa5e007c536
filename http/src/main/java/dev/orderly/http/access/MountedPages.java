package dev.orderly.http.access;

import dev.orderly.operate.Caller;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.route.RequestRouter.Match;
import java.util.List;

/**
 * Pages that another module serves on the listener of the API.
 *
 * @param endpoints pages and their actions; these keep the audit log themselves
 * @param streams event streams of the pages
 */
public record MountedPages(List<ApiEndpoint> endpoints, List<Stream> streams, Refusals refusals) {
    /** No pages. */
    public static final MountedPages NONE = new MountedPages(List.of(), List.of(),
            (problem, path, _) -> Response.problem(problem, path));

    public MountedPages {
        endpoints = List.copyOf(endpoints);
        streams = List.copyOf(streams);
    }

    /**
     * An event stream at one path.
     *
     * @param least the identities that may open it
     */
    public record Stream(String path, LeastRole least, Opening opening) {}

    /** Opens a stream. Runs on an event loop or a virtual thread; must not block. */
    @FunctionalInterface
    public interface Opening {
        /** @throws dev.orderly.web.problem.ProblemException if it is not served */
        Match open(RequestHead head, Caller caller);
    }

    /** The answers to refused requests of browsers. */
    @FunctionalInterface
    public interface Refusals {
        /** @param fragment whether a page's script asked, which shows a part of a page */
        Response answer(Problem problem, String path, boolean fragment);
    }
}
