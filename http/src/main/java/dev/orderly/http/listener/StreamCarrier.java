package dev.orderly.http.listener;

import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/** A stream of HTTP/2: it ends alone, and the other streams of its connection go on. */
final class StreamCarrier implements ExchangeCarrier {
    /** Error codes of RFC 9113, section 7. */
    private static final long NO_ERROR = 0;
    private static final long INTERNAL_ERROR = 2;

    private final Exchange exchange;
    private final ListenerConnection connection;
    private final HttpServerRequest request;
    private @Nullable ConnectionTimer timer;
    private @Nullable OnLoss onLoss;
    private boolean ended;

    StreamCarrier(Exchange exchange, ListenerConnection connection) {
        this.exchange = exchange;
        this.connection = connection;
        this.request = exchange.request();
        request.response().closeHandler(_ -> closed());
    }

    /** The stream has ended, in whichever way. */
    private void closed() {
        ended = true;
        if (!request.response().ended()) { // the end of a complete answer closes the stream before it is reported
            lost(null);
        }
        if (timer != null) {
            timer.close();
        }
        exchange.context.connections.answered(connection);
    }

    private void lost(@Nullable Throwable cause) {
        OnLoss reaction = onLoss;
        onLoss = null;
        if (reaction != null) {
            reaction.lost(cause);
        }
    }

    @Override
    public ConnectionTimer timer() {
        ConnectionTimer known = timer;
        if (known == null) {
            known = exchange.context.connections.timer();
            timer = known;
        }
        return known;
    }

    @Override
    public void watch(OnLoss loss) {
        onLoss = loss;
        request.exceptionHandler(this::lost);
    }

    @Override
    public void unwatch() {
        onLoss = null;
    }

    @Override
    public void answering(boolean unread, boolean understood) {
        onLoss = null;
    }

    @Override
    public void answered(Future<Void> written, int bytes, boolean unread, boolean understood) {
        if (!written.isComplete()) {
            awaitReader(written, bytes);
        }
        boolean refused = connection.refusal != null;
        written.onComplete(_ -> {
            if (refused) {
                request.connection().close();
            } else if (unread) {
                request.response().reset(NO_ERROR); // the rest of the body is not wanted
            }
        });
    }

    /** A client that opens no window for an answer would keep it in memory: it loses the connection. */
    private void awaitReader(Future<Void> written, int bytes) {
        if (!exchange.context.capacity.takeUnread(connection, bytes)) {
            request.connection().close();
            return;
        }
        timer().start(exchange.context.limits.answer(), () -> request.connection().close());
        written.onComplete(_ -> {
            exchange.context.capacity.giveUnread(connection, bytes);
            timer().stop();
        });
    }

    @Override
    public void finished(boolean unread, boolean understood) {
        onLoss = null;
        if (unread) {
            request.response().reset(NO_ERROR);
        }
    }

    @Override
    public void cut() {
        request.response().reset(INTERNAL_ERROR).onFailure(_ -> {
            if (!ended && request.response().ended()) { // a complete answer that the client does not read
                request.connection().close();
            }
        });
    }

    @Override
    public void lost() {
        // the stream has ended already
    }
}
