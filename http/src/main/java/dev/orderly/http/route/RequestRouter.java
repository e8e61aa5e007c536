package dev.orderly.http.route;

import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.message.EventStream;
import dev.orderly.http.message.Header;
import dev.orderly.http.message.RequestHead;
import dev.orderly.http.message.Response;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** What a listener serves. Runs on event loops: answers from memory, never blocks. Thread-safe. */
@FunctionalInterface
public interface RequestRouter {
    /** @throws dev.orderly.http.problem.Refusal if nothing serves this head, or it may not be served */
    Match match(RequestHead head);

    /** Who serves a request, and how. */
    sealed interface Match {
        /** This match, with additions to whatever comes of it. */
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
         * Answered at once from memory, on the event loop. The cheapest kind. A body that still comes is dropped, and
         * the connection with it.
         */
        record Immediate(Response answer) implements Match {}

        /**
         * Not known yet. The request waits unread, at most as long as {@link HttpLimits#answer}, and then gets 503;
         * what the stage fails with becomes a problem. The stage may be completed on any thread; it is not cancelled if
         * the client goes away.
         */
        record Deferred(CompletionStage<? extends Match> later) implements Match {}

        /**
         * Answered 200 with an event stream that stays open. A request with a body is refused, {@code HEAD} gets the
         * head only.
         *
         * @param headers besides {@code Content-Type} and {@code Cache-Control}
         * @param opened is handed the stream, on the event loop; must not block
         */
        record Opened(List<Header> headers, Consumer<EventStream> opened) implements Match {
            public Opened {
                headers = List.copyOf(headers);
            }
        }

        /** Another match, with additions. */
        record Added(Match match, ExchangeAdditions additions) implements Match {}
    }
}
