package dev.orderly.web.route;

import dev.orderly.web.message.EventStream;
import dev.orderly.web.message.Header;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.Problem;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The router of a listener: decides how a request is served. Runs on event loops: answers from memory, never blocks.
 * Thread-safe.
 */
@FunctionalInterface
public interface RequestRouter {
    /** @throws dev.orderly.web.problem.ProblemException if the path or method is unknown, or the request is refused */
    Match match(RequestHead head);

    /**
     * The answer to a request that was refused or failed; a JSON problem unless a router answers otherwise.
     *
     * @param refused the request, whose head may break every rule
     */
    default Response refusal(Problem problem, Refused refused) {
        return Response.problem(problem, refused.path());
    }

    /**
     * What is known of a refused request, unchecked.
     *
     * @param host the name that the client asked, without a port; empty if unknown
     * @param headers the values of the header with a name; empty for none
     */
    record Refused(String method, String host, String path, Function<String, List<String>> headers) {}

    /** The way in which a request is served. */
    sealed interface Match {
        /** This match with additions. */
        default Match with(ExchangeContext additions) {
            return new Added(this, additions);
        }

        /**
         * The body is collected within the endpoint's limit, then the endpoint answers on a virtual thread.
         *
         * @param head with the params of the endpoint's path
         */
        record Collected(Endpoint endpoint, RequestHead head) implements Match {}

        /** A way of serving that only the router's own transport has. */
        non-sealed interface ByTransport extends Match {}

        /**
         * Answers at once from memory, on the event loop. The cheapest kind. A body that still arrives is dropped, and
         * its connection closed.
         */
        record Immediate(Response answer) implements Match {}

        /**
         * As {@link Immediate}, with an answer that is made on the thread that writes it: of a decision that another
         * thread makes. An exception becomes a problem.
         */
        record Composed(Supplier<Response> answer) implements Match {}

        /**
         * A match that is decided later. The request waits unread for a limited time, and then gets 503; a failure of
         * the stage becomes a problem. The stage may complete on any thread; it is not cancelled if the client goes
         * away.
         *
         * @param meanwhile supplies what a transport may serve at once if it has no room for a request that waits; null
         *     for nothing
         */
        record Deferred(CompletionStage<? extends Match> later, Supplier<@Nullable Match> meanwhile) implements Match {
            public Deferred(CompletionStage<? extends Match> later) {
                this(later, () -> null);
            }
        }

        /**
         * Answers 200 with an event stream that stays open. A request with a body is refused, {@code HEAD} gets the
         * head only.
         *
         * @param headers besides {@code Content-Type} and {@code Cache-Control}
         * @param opened called with the stream before the answer begins, on the event loop; must not block. A {@link
         *     dev.orderly.web.problem.ProblemException} that it throws is the answer, and closes the stream
         */
        record Opened(List<Header> headers, Consumer<EventStream> opened) implements Match {
            public Opened {
                headers = List.copyOf(headers);
            }
        }

        /** A match with additions. */
        record Added(Match match, ExchangeContext additions) implements Match {}
    }
}
