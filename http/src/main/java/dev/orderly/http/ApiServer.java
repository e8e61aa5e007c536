package dev.orderly.http;

import dev.orderly.Orderly;
import dev.orderly.http.api.ApiEndpoints;
import dev.orderly.http.api.LoopbackGuard;
import dev.orderly.http.listener.Bind;
import dev.orderly.http.listener.ClientKeys;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.listener.HttpListener;
import dev.orderly.http.listener.RouteTable;
import dev.orderly.room.RoomEngine;

/**
 * The API for programs and operators of this machine: pushes to any queue, looks at jobs, queues, rooms and schedules, operates
 * them. Its contract is the OpenAPI document it serves at {@code /api/v1/openapi.json}.
 *
 * <p>Whoever can connect may do everything, so it listens on the loopback address only, answers only to loopback names
 * (a page cannot reach it by rebinding its own name), and refuses changes that a browser sends for another site.
 * Thread-safe; started once.
 */
public final class ApiServer implements AutoCloseable {
    private final HttpListener listener;

    /** @throws IllegalArgumentException if the host is not a loopback address */
    public ApiServer(Bind bind, HttpLimits limits, Orderly orderly, RoomEngine rooms) {
        if (!bind.isLoopback()) {
            throw new IllegalArgumentException("The API cannot listen on " + bind.host()
                    + ": it has no authentication yet, so use 127.0.0.1, ::1 or localhost, and a tunnel from elsewhere");
        }
        LoopbackGuard guard = new LoopbackGuard(new RouteTable(ApiEndpoints.all(orderly, rooms)));
        this.listener = new HttpListener("api", bind, limits, ClientKeys.PEERS, _ -> guard);
    }

    /** As {@link EdgeServer#start}. */
    public void start() {
        listener.start();
    }

    /** As {@link EdgeServer#port}. */
    public int port() {
        return listener.port();
    }

    /** As {@link EdgeServer#close}. */
    @Override
    public void close() {
        listener.close();
    }
}
