package dev.orderly.http.route;

import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.message.EventStream;
import dev.orderly.http.message.Header;
import dev.orderly.http.message.RequestHead;
import dev.orderly.http.message.Response;
import dev.orderly.http.problem.Problem;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The router of a listener: decides how a request is served. Runs on event loops: answers from memory, never blocks.
 * Thread-safe.
 */
@FunctionalInterface
public interface RequestRouter {
    /** @throws dev.orderly.http.problem.Refusal if the path or method is unknown, or the request is refused */
    Match match(RequestHead head);

    /**
     * The answer to a request that was refused or failed; a JSON problem unless a router answers otherwise.
     *
     * @param path of the request
     * @param headers the values of the request's header with a name; empty for none
     */
    default Response refusal(Problem problem, String path, Function<String, List<String>> headers) {
        return Response.problem(problem, path);
    }

    /** The way in which a request is served. */
    sealed interface Match {
        /** This match with additions. */
        default Match with(ExchangeAdditions additions) {
            return new Added(this, additions);
        }

        /**
         * The body is collected within the endpoint's limit, then the endpoint answers on a virtual thread.
         *
         * @param head with the params of the endpoint's path
         */
        record Collected(Endpoint endpoint, RequestHead head) implements Match {}

        /** The stream reads the request and answers it by itself, on the event loop. */
        record Streamed(StreamHandler stream, RequestHead head) implements Match {}

        /**
         * Answers at once from memory, on the event loop. The cheapest kind. A body that still arrives is dropped, and
         * its connection closed.
         */
        record Immediate(Response answer) implements Match {}

        /**
         * A match that is decided later. The request waits unread, at most for {@link HttpLimits#answer}, and then gets
         * 503; a failure of the stage becomes a problem. The stage may complete on any thread; it is not cancelled if
         * the client goes away.
         */
        record Deferred(CompletionStage<? extends Match> later) implements Match {}

        /**
         * Answers 200 with an event stream that stays open. A request with a body is refused, {@code HEAD} gets the
         * head only.
         *
         * @param headers besides {@code Content-Type} and {@code Cache-Control}
         * @param opened called with the stream on the event loop; must not block
         */
        record Opened(List<Header> headers, Consumer<EventStream> opened) implements Match {
            public Opened {
                headers = List.copyOf(headers);
            }
        }

        /** A match with additions. */
        record Added(Match match, ExchangeAdditions additions) implements Match {}
    }
}
