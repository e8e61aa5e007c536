package dev.orderly.http.route;

import dev.orderly.http.message.RequestHead;
import dev.orderly.http.message.Response;
import dev.orderly.http.problem.Problem;
import io.vertx.core.http.HttpServerRequest;

/**
 * A request still unread, and its answer still unwritten, in the hands of a {@link StreamHandler}. It ends in one of these ways:
 * {@link #answer} or {@link #refuse} instead of an answer of the stream's own, {@link #finished}, {@link #upgraded},
 * {@link #cut}, or the client goes away. Use it on the connection's event loop only.
 */
public interface StreamedExchange {
    /** Paused. Set its handlers, then resume it. Of its response's handlers the close handler is taken: use {@link #onLost}. */
    HttpServerRequest request();

    RequestHead head();

    /** What the shares of its client are counted by. */
    String client();

    /** What sites before add; those to the answer are the stream's to write, unless it ends by {@link #answer}. */
    ExchangeAdditions additions();

    /** Is run once if the client goes away, or breaks off its request, before the exchange has ended. */
    void onLost(Runnable action);

    /**
     * Is run once, behind those set before, when the exchange has ended in any way; of an exchange that was upgraded when
     * its connection is closed. For what is held for an exchange and has to be given back.
     */
    void onEnd(Runnable action);

    /** The exchange stays for long and no longer counts among the requests under way: what serves it bounds it. */
    void lasts();

    /** Counts bytes that are held for this exchange until it ends; false, and nothing counted, if there is no room. */
    boolean takeBytes(int bytes);

    /** Bytes that were counted are no longer held. */
    void giveBytes(int bytes);

    /** Whether it has ended, or the client is gone. */
    boolean isOver();

    /** Answers from memory. Only while no part of an answer is out. What still comes of the body is dropped. */
    void answer(Response answer);

    /** As {@link #answer}, with a problem. */
    void refuse(Problem problem);

    /** The answer has been written whole. A request not read to its end by now ends the connection. */
    void finished();

    /**
     * The connection carries another protocol from now on, and nothing here bounds it any more but the number of
     * connections there may be.
     *
     * @return to be run when the connection is closed
     */
    Runnable upgraded();

    /** Ends the connection at once, so that what has been sent of an answer cannot pass for a whole one. */
    void cut();
}
