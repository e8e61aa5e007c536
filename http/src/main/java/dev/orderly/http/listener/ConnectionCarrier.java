package dev.orderly.http.listener;

import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;

/**
 * A connection of HTTP/1, which carries its exchanges one after the other: a request that cannot be read to its end,
 * and an answer that cannot be completed, end the connection.
 */
final class ConnectionCarrier implements ExchangeCarrier {
    /** An unwanted body is read for this long, so that its sender sees the answer before the connection ends. */
    private static final long LINGER_MILLIS = 2_000;
    private static final long LINGER_BYTES = 8 << 20;

    private final Exchange exchange;
    private final ListenerConnection connection;
    private final HttpServerRequest request;
    private long drained;

    ConnectionCarrier(Exchange exchange, ListenerConnection connection) {
        this.exchange = exchange;
        this.connection = connection;
        this.request = exchange.request();
    }

    @Override
    public ConnectionTimer timer() {
        return connection.timer;
    }

    @Override
    public void watch(OnLoss loss) {
        request.exceptionHandler(loss::lost);
        request.response().closeHandler(_ -> loss.lost(null));
    }

    @Override
    public void unwatch() {
        request.response().closeHandler(_ -> {});
    }

    @Override
    public void answering(boolean unread, boolean understood) {
        if (unread) {
            drain();
        }
        if (unread || !understood) {
            request.response().putHeader("Connection", "close");
        }
    }

    @Override
    public void answered(Future<Void> written, int bytes, boolean unread, boolean understood) {
        written.onComplete(_ -> next(unread, understood));
    }

    @Override
    public void finished(boolean unread, boolean understood) {
        if (unread) {
            drain();
        }
        next(unread, understood);
    }

    private void next(boolean unread, boolean understood) {
        if (unread) {
            exchange.context.vertx.setTimer(LINGER_MILLIS, _ -> cut());
        } else if (understood) {
            exchange.context.connections.answered(connection);
        } else {
            cut(); // the bytes after a malformed head cannot be trusted
        }
    }

    /** Reads and drops the rest of the body for a while, then closes the connection. */
    private void drain() {
        request.handler(chunk -> {
            drained += chunk.length();
            if (drained > LINGER_BYTES) {
                cut();
            }
        });
        request.endHandler(_ -> cut());
        request.exceptionHandler(_ -> cut());
        request.resume();
    }

    @Override
    public void cut() {
        request.connection().close();
    }

    @Override
    public void lost() {
        cut();
    }
}
