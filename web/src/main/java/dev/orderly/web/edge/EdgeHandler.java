package dev.orderly.web.edge;

import dev.orderly.Internal;
import dev.orderly.web.route.RequestRouter;
import dev.orderly.web.route.RequestRouter.Match;
import java.util.List;

/**
 * A step of the public edge: serves a request, or leaves it to the next handler. Runs on event loops: answers from
 * memory, never blocks. Thread-safe.
 */
@Internal(to = "dev.orderly")
@FunctionalInterface
public interface EdgeHandler {
    /** Leaves every request to the next handler. */
    EdgeHandler NONE = (request, next) -> next.match(request);

    /** Refuses a path that has no normal forms, so that rules over paths see every path. */
    EdgeHandler WELL_FORMED = (request, next) -> {
        if (request.malformed() != null) {
            throw request.malformed();
        }
        return next.match(request);
    };

    /** @throws dev.orderly.web.problem.ProblemException if the request may not be served */
    Match match(EdgeRequest request, Next next);

    /** The handlers after this one. */
    @FunctionalInterface
    interface Next {
        Match match(EdgeRequest request);
    }

    /**
     * Several handlers as a site.
     *
     * @param trusted proxies in front of the edge
     * @param handlers in the order in which a request meets them; the last one serves every request
     */
    static RequestRouter inOrder(TrustedProxies trusted, List<EdgeHandler> handlers) {
        Next chain = request -> {
            throw new IllegalStateException("No handler of the edge serves " + request.path().wire());
        };
        for (EdgeHandler handler : handlers.reversed()) {
            Next behind = chain;
            chain = handler.equals(NONE) ? behind : request -> handler.match(request, behind);
        }
        Next first = chain;
        return head -> first.match(EdgeRequest.of(head, trusted));
    }
}
