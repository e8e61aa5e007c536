package dev.orderly.http;

import dev.orderly.Orderly;
import dev.orderly.access.control.AccessControl;
import dev.orderly.http.access.AccessGate;
import dev.orderly.http.access.AccessPolicy;
import dev.orderly.http.access.AccessRouter;
import dev.orderly.http.access.LoginLinks;
import dev.orderly.http.access.MountedPages;
import dev.orderly.http.api.ApiEndpoints;
import dev.orderly.http.api.ConfigReload;
import dev.orderly.http.health.HealthChecks;
import dev.orderly.http.health.Readiness;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.listener.HttpListener;
import dev.orderly.http.listener.ListenerTransport;
import dev.orderly.http.tls.ListenerTls;
import dev.orderly.http.tls.TlsChallenges;
import dev.orderly.http.webhook.AttemptTokens;
import dev.orderly.job.present.JobPresentation;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.time.Time;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The API for programs and operators: pushes to all queues; views and operations of jobs, queues, rooms and schedules;
 * access tokens and the audit log. Its contract is the OpenAPI document that it serves at {@code /api/v1/openapi.json}.
 *
 * <p>Every operation has a least role. Requests are identified by {@link AccessGate}. Beyond loopback the API listens
 * only with TLS or behind named proxies; without TLS it serves nobody but this machine and these proxies. Thread-safe;
 * started once.
 */
public final class ApiServer implements AutoCloseable {
    private final HttpListener listener;
    private final LoginLinks links;

    /**
     * The way in which the API is reached.
     *
     * @param tls null without TLS; then {@link AccessPolicy#tls} is false
     */
    public record Access(AccessPolicy policy, @Nullable ListenerTls tls, HttpLimits limits, AccessControl control) {
        /** Without TLS. */
        public Access(AccessPolicy policy, HttpLimits limits, AccessControl control) {
            this(policy, null, limits, control);
        }
    }

    /**
     * The parts of the server behind the API, beside its engines.
     *
     * @param readiness the checks behind {@code /health/ready}
     * @param config takes over a changed configuration, and tells the one in force
     * @param pages further pages on the listener
     * @param presentation what jobs show
     */
    public record Management(Readiness readiness, ConfigReload config, AttemptTokens tokens, MountedPages pages,
            JobPresentation presentation) {
        /** Without pages, and with attempt tokens that only this process knows. */
        public Management(Readiness readiness, ConfigReload config) {
            this(readiness, config, new AttemptTokens(List.of()), MountedPages.NONE, JobPresentation.PLAIN);
        }

        /** Ready while the store can be written, the loops run and there is heap; nothing to read anew. */
        public static Management of(Orderly orderly, MountedPages pages) {
            return new Management(new Readiness(
                    List.of(HealthChecks.store(orderly), HealthChecks.loops(orderly), HealthChecks.heap()),
                    orderly::warnings, Time.system()), ConfigReload.NONE, new AttemptTokens(List.of()), pages,
                    JobPresentation.PLAIN);
        }
    }

    /**
     * An API that is ready while the store can be written, the loops run and there is heap; on loopback.
     * Otherwise as {@link #ApiServer(Access, Orderly, RoomEngine, Management)}.
     */
    public ApiServer(BindAddress bind, HttpLimits limits, AccessControl control, Orderly orderly, RoomEngine rooms) {
        this(new Access(AccessPolicy.loopback(bind), limits, control), orderly, rooms,
                Management.of(orderly, MountedPages.NONE));
    }

    /**
     * Creates an API that does not listen yet.
     *
     * @throws IllegalArgumentException if it would show tokens to the network, see {@link AccessPolicy#flaw}
     */
    public ApiServer(Access access, Orderly orderly, RoomEngine rooms, Management management) {
        AccessPolicy policy = access.policy();
        String flaw = policy.flaw();
        if (flaw != null) {
            throw new IllegalArgumentException(flaw);
        }
        AccessGate gate = new AccessGate(access.control(), policy, Time.system());
        this.links = gate.links();
        AccessRouter router = new AccessRouter(ApiEndpoints.all(orderly, rooms, management.readiness(),
                management.config(), management.tokens(), management.presentation(), gate), gate, management.pages());
        this.listener = new HttpListener("api",
                new ListenerTransport(policy.bind(), access.tls(), null, TlsChallenges.NONE),
                access.limits(),
                policy.clients(), _ -> router);
    }

    /** The links that sign browsers in. */
    public LoginLinks links() {
        return links;
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
