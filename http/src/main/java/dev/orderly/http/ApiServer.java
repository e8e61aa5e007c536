package dev.orderly.http;

import dev.orderly.Orderly;
import dev.orderly.http.api.ApiEndpoints;
import dev.orderly.http.api.ConfigReload;
import dev.orderly.http.api.LocalUsers;
import dev.orderly.http.api.LoopbackGuard;
import dev.orderly.http.health.HealthChecks;
import dev.orderly.http.health.Readiness;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.ClientKeys;
import dev.orderly.http.listener.Clients;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.listener.HttpListener;
import dev.orderly.http.route.RouteTable;
import dev.orderly.http.webhook.AttemptTokens;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.time.Time;
import java.util.List;

/**
 * The API for programs and operators of this machine: pushes to all queues; views and operations of jobs, queues, rooms
 * and schedules. Its contract is the OpenAPI document that it serves at {@code /api/v1/openapi.json}.
 *
 * <p>Every client that is served may do everything. Therefore the API listens on the loopback address only, serves its
 * own user and root unless configured otherwise, answers only to loopback names (so that a page cannot reach it by
 * rebinding its own name), and refuses changes that a browser sends for another site. Thread-safe; started once.
 */
public final class ApiServer implements AutoCloseable {
    private final HttpListener listener;

    /**
     * The way in which the API is reached.
     *
     * @param users users of this machine that are served
     */
    public record Access(BindAddress bind, HttpLimits limits, LocalUsers users) {}

    /**
     * The parts of the server behind the API, beside its engines.
     *
     * @param readiness the checks behind {@code /health/ready}
     * @param config takes over a changed configuration
     */
    public record Management(Readiness readiness, ConfigReload config, AttemptTokens tokens) {
        /** With attempt tokens that only this process knows. */
        public Management(Readiness readiness, ConfigReload config) {
            this(readiness, config, new AttemptTokens(List.of()));
        }
    }

    /**
     * An API that is ready while the store can be written, the loops run and there is heap; it serves its own user and
     * root. Otherwise as {@link #ApiServer(Access, Orderly, RoomEngine, Management)}.
     */
    public ApiServer(BindAddress bind, HttpLimits limits, Orderly orderly, RoomEngine rooms) {
        this(new Access(bind, limits, LocalUsers.OWN), orderly, rooms,
                new Management(new Readiness(
                        List.of(HealthChecks.store(orderly), HealthChecks.loops(orderly), HealthChecks.heap()),
                        Time.system()), ConfigReload.NONE));
    }

    /**
     * Creates an API that does not listen yet.
     *
     * @throws IllegalArgumentException if the host is not a loopback address
     */
    public ApiServer(Access door, Orderly orderly, RoomEngine rooms, Management management) {
        if (!door.bind().isLoopback()) {
            throw new IllegalArgumentException("The API cannot listen on " + door.bind().host()
                    + ": it has no authentication yet, so use 127.0.0.1, ::1 or localhost, "
                    + "and a tunnel from elsewhere");
        }
        LoopbackGuard guard = new LoopbackGuard(new RouteTable(ApiEndpoints.all(orderly, rooms, management.readiness(),
                management.config(), management.tokens())));
        this.listener = new HttpListener("api", door.bind(), door.limits(),
                new Clients(ClientKeys.PEERS, door.users().guard()), _ -> guard);
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
