package dev.orderly.http.live;

import dev.orderly.flow.Quota;
import dev.orderly.http.stream.Streamed;
import dev.orderly.http.stream.StreamedExchange;
import dev.orderly.web.live.LiveHandler;
import dev.orderly.web.live.LiveUpgrade;
import dev.orderly.web.message.Header;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.route.RequestRouter.Match;
import dev.orderly.web.user.Authentication;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.ServerWebSocket;
import org.jspecify.annotations.Nullable;

/** A request that becomes a WebSocket. Runs on the connection's event loop. */
public final class SocketUpgrade {
    private final LiveHandler door;
    private final StreamedExchange exchange;
    private final String address;
    private boolean left;

    /** For an address that has entered; it leaves when the connection ends, or cannot be opened. */
    private SocketUpgrade(LiveHandler door, StreamedExchange exchange, String address) {
        this.door = door;
        this.exchange = exchange;
        this.address = address;
    }

    /** The upgrade of a request on a listener: see {@link LiveUpgrade}. */
    public static Match of(LiveHandler door, RequestHead head, String address, Authentication.@Nullable Known known) {
        return new Streamed(exchange -> {
            Quota.Taken taken = door.engine().enter(address);
            if (taken == Quota.Taken.TAKEN) {
                new SocketUpgrade(door, exchange, address).begin(known);
            } else {
                exchange.refuse(door.full(taken));
            }
        }, head);
    }

    private void begin(Authentication.@Nullable Known known) {
        exchange.onLost(this::leave);
        HttpServerRequest request = exchange.request();
        HttpServerResponse response = request.response();
        response.putHeader("Cache-Control", "no-store");
        for (Header header : exchange.additions().answered()) {
            response.headers().add(header.name(), header.value());
        }
        request.toWebSocket().onComplete((socket, _) -> {
            if (socket != null) {
                open(socket, known);
                return;
            }
            request.endHandler(null); // Vert.x would go on with a handshake whose client is gone
            leave();
            if (response.ended()) {
                exchange.finished(); // Vert.x has refused the handshake
            } else {
                exchange.cut();
            }
        });
        request.resume();
    }

    private void open(ServerWebSocket socket, Authentication.@Nullable Known known) {
        Runnable gone = exchange.upgraded();
        new LiveWebSocket(door, socket, address, () -> {
            gone.run();
            leave();
        }).begin(known);
    }

    private void leave() {
        if (!left) {
            left = true;
            door.engine().leave(address);
        }
    }
}
