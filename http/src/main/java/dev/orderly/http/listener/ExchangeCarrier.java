package dev.orderly.http.listener;

import io.vertx.core.Future;
import io.vertx.core.http.HttpVersion;
import org.jspecify.annotations.Nullable;

/**
 * The part of a connection that carries one exchange: the whole connection with HTTP/1, a stream of it with HTTP/2.
 * Used on the connection's event loop.
 */
sealed interface ExchangeCarrier permits ConnectionCarrier, StreamCarrier {
    /** The reaction to a client that goes away, or breaks off its request. */
    @FunctionalInterface
    interface OnLoss {
        /** @param cause null if the client went away */
        void lost(@Nullable Throwable cause);
    }

    static ExchangeCarrier of(Exchange exchange, ListenerConnection connection) {
        return exchange.request().version() == HttpVersion.HTTP_2
                ? new StreamCarrier(exchange, connection)
                : new ConnectionCarrier(exchange, connection);
    }

    /** The deadline of the exchange's present step. */
    ConnectionTimer timer();

    /** Sets the reaction to a loss. */
    void watch(OnLoss loss);

    /** Ends the reaction to a loss: a running endpoint continues without its client. */
    void unwatch();

    /**
     * Prepares the end of an exchange whose answer is about to be written.
     *
     * @param unread whether a part of the request's body is not read
     * @param understood whether the head of the request was
     */
    void answering(boolean unread, boolean understood);

    /**
     * Ends the exchange when its complete answer is written.
     *
     * @param bytes of the answer that are in memory until the client reads them
     */
    void answered(Future<Void> written, int bytes, boolean unread, boolean understood);

    /** Ends the exchange after a complete answer that others have written. */
    void finished(boolean unread, boolean understood);

    /** Cuts the exchange at once, so that a partial answer cannot pass for a complete one. */
    void cut();

    /** Ends what a lost client leaves. */
    void lost();
}
