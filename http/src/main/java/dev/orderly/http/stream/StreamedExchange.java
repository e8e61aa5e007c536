package dev.orderly.http.stream;

import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.route.ExchangeContext;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;

/**
 * An unread request and its unwritten answer, handled by a {@link StreamHandler}. It ends by {@link #answer} or {@link
 * #refuse} in place of a streamed answer, by {@link #finished}, {@link #upgraded} or {@link #cut}, or because the
 * client goes away. Used on the connection's event loop only.
 */
public interface StreamedExchange {
    /**
     * The request, paused: set its handlers, then resume it. The close handler of its response is in use: use {@link
     * #onLost}.
     */
    HttpServerRequest request();

    RequestHead head();

    /** The key by which the client's shares are counted. */
    String client();

    /**
     * Additions of earlier handlers. The stream has to write the headers for the client, unless it ends by {@link
     * #answer}.
     */
    ExchangeContext additions();

    /**
     * Sets the action that runs once if the client goes away, or breaks off its request, before the exchange has ended.
     */
    void onLost(Runnable action);

    /**
     * Adds an action that runs once, after those added before, when the exchange has ended in any way; of an upgraded
     * exchange, when its connection is closed. For resources that the exchange holds.
     */
    void onEnd(Runnable action);

    /** Runs an action on the event loop after a delay, unless the exchange ends first; replaces the previous timer. */
    void startTimer(Duration wait, Runnable action);

    void stopTimer();

    /** Declares the exchange long-lived: it no longer counts as a pending request, and its handler must bound it. */
    void lasts();

    /** Reserves bytes for this exchange until it ends; false, with nothing reserved, if there is no capacity. */
    boolean takeBytes(int bytes);

    /** Gives back reserved bytes. */
    void giveBytes(int bytes);

    /** Whether the exchange has ended, or the client is gone. */
    boolean isOver();

    /**
     * Reports that the head of an origin's answer is ready, or that there is none, before it is passed on or answered
     * in place of the origin.
     *
     * @param status of the answer that the client gets
     * @param nanos time at the origin
     */
    void answering(int status, long nanos);

    /** Answers from memory. Allowed only before any part of an answer is written. The rest of the body is dropped. */
    void answer(Response answer);

    /** As {@link #answer}, with a problem. */
    void refuse(Problem problem);

    /** Ends the exchange after a complete answer. The connection is closed if the request was not read to its end. */
    void finished();

    /**
     * Ends the exchange because the connection continues with another protocol; only the number of connections bounds
     * it from now on.
     *
     * @return action to run when the connection is closed
     */
    Runnable upgraded();

    /** Closes the connection at once, so that a partial answer cannot pass for a complete one. */
    void cut();
}
