package dev.orderly.server;

import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.config.Config;
import dev.orderly.config.ListenAddress;
import dev.orderly.config.QueueConfig;
import dev.orderly.config.RouteConfig;
import dev.orderly.config.ScheduleConfig;
import dev.orderly.config.UserConfig;
import dev.orderly.http.ApiServer;
import dev.orderly.http.EdgeServer;
import dev.orderly.http.Routes;
import dev.orderly.http.health.HealthChecks;
import dev.orderly.http.health.Readiness;
import dev.orderly.http.intake.Route;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.live.LiveAccess;
import dev.orderly.http.user.Authenticator;
import dev.orderly.http.user.PageOrigins;
import dev.orderly.http.webhook.Webhook;
import dev.orderly.http.webhook.WebhookHandler;
import dev.orderly.http.webhook.WebhookSecret;
import dev.orderly.job.JobQueue;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRequest;
import dev.orderly.job.QueueName;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server: a store, its queues with their webhooks, its schedules, the API, and the edge with the rooms in front.
 * Every part gets its dependencies by its constructor, here.
 *
 * <p>Started once, stopped once; {@link #close} may be called from any thread, any number of times.
 */
public final class OrderlyServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OrderlyServer.class);

    private final Orderly orderly;
    private final HttpClient webhooks = WebhookHandler.newClient();
    private final EdgeRooms gate;
    private final ApiServer api;
    private final EdgeUsers forUsers;
    private final EdgeServer edge;
    private final WarmUp warmUp;
    private final AtomicBoolean closed = new AtomicBoolean();

    private OrderlyServer(Config config, Store store, Orderly orderly, Trust trust, EdgeCapacity capacity) {
        this.orderly = orderly;
        config.jobs().queues().forEach(queue -> declare(queue, trust.secrets.webhooks()));
        config.jobs().schedules().forEach(this::declare);
        this.gate = new EdgeRooms(config.site(), capacity, store, trust.secrets.rooms(), orderly.jobs());
        List<Route> routes = config.jobs().routes().stream().map(RouteConfig::route).toList();
        UserConfig known = config.users();
        this.forUsers = new EdgeUsers(orderly, new LiveAccess(trust.users,
                known == null ? PageOrigins.OWN : known.pages()), capacity.live());
        QueueName messages = config.live().queue();
        if (messages != null) {
            orderly.users().onMessage(new LiveQueue(orderly.jobs(), messages));
        }
        this.edge = new EdgeServer(bind(config.edge()), new Routes(routes, orderly.jobs(), trust.users),
                capacity.edge(), gate.gateway(), forUsers.with(gate.handlers()));
        Readiness readiness = new Readiness(
                List.of(HealthChecks.store(orderly), HealthChecks.edge(bind(config.edge()), edge::port),
                        HealthChecks.rooms(gate.rooms()), HealthChecks.loops(orderly), HealthChecks.heap()),
                Time.system());
        this.api = new ApiServer(new ApiServer.Access(bind(config.admin()), capacity.api(), config.apiUsers()), orderly,
                gate.rooms(), readiness);
        this.warmUp = new WarmUp(orderly.jobs(), capacity.edge().capacity().eventLoops(), Time.system());
    }

    /**
     * Opens the store, listens and starts the engines. Blocks until requests are accepted.
     *
     * @param environment variables of the process, some of which hold secrets
     * @throws StartFailed if it cannot start; every part that had started is stopped again
     */
    public static OrderlyServer start(Config config, Map<String, String> environment) {
        Authenticator users = Authenticators.of(config.users(), environment);
        boolean signs = config.jobs().queues().stream().anyMatch(queue -> queue.handler() != null);
        Secrets secrets = signs || !config.site().rooms().isEmpty()
                ? Secrets.read(environment.get(Secrets.VARIABLE), config.secretFile(), !config.site().rooms().isEmpty())
                : Secrets.unused();
        try {
            Store store = StoreOpener.open(config.store());
            Preload.classes();
            EdgeCapacity capacity = new EdgeCapacity(config.site().limits(),
                    ProcessLimits.ofThisProcess(config.site().eventLoops()));
            capacity.log();
            return started(config, store, Orderly.open(store, options(config), config.live().options()
                    .withConnections(capacity.live())), new Trust(secrets, users), capacity);
        } catch (StoreException | UncheckedIOException e) {
            throw new StartFailed(String.valueOf(e.getMessage()), e);
        }
    }

    /** The secrets and keys that sign and verify tokens and webhooks. */
    private record Trust(Secrets secrets, Authenticator users) {}

    /** The public port. */
    public int edgePort() {
        return edge.port();
    }

    /** The API's port. */
    public int adminPort() {
        return api.port();
    }

    /**
     * Stops in order: closes the edge, stops the rooms, waits up to {@code stop-grace} for running jobs, closes the
     * API, then the store. Blocks. A part that fails to stop does not keep the other parts from stopping.
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            stop("warm-up", warmUp::close);
            stop("edge", edge::close);
            stop("streams and live connections", forUsers::close);
            stop("rooms", gate::close);
            stop("schedules and jobs", orderly::stop);
            stop("API", api::close);
            stop("webhook client", () -> {
                webhooks.shutdownNow();
                webhooks.close();
            });
            stop("store", orderly::close);
        }
    }

    private static OrderlyServer started(Config config, Store store, Orderly orderly, Trust trust,
            EdgeCapacity capacity) {
        OrderlyServer server;
        try {
            server = new OrderlyServer(config, store, orderly, trust, capacity);
        } catch (RuntimeException | Error e) {
            orderly.close();
            throw e;
        }
        try {
            server.api.start();
            server.gate.start();
            server.forUsers.start();
            server.edge.start();
            if (!config.site().rooms().isEmpty() && capacity.isAmple()) {
                server.warmUp.start();
            }
            orderly.start();
            return server;
        } catch (RuntimeException | Error e) {
            server.close();
            throw e;
        }
    }

    private static EngineOptions options(Config config) {
        return EngineOptions.defaults().withStopGrace(config.jobs().stopGrace())
                .withClaimBytes(config.jobs().claimBytes()).withKeep(config.jobs().keep());
    }

    private void declare(QueueConfig config, List<WebhookSecret> secrets) {
        String name = config.name().value();
        JobQueue<Payload> queue = config.name().isFifo()
                ? orderly.fifo(name, Payload.class, config.options())
                : orderly.queue(name, Payload.class, config.options());
        if (config.handler() == null) {
            LOG.warn("Queue {} has no handler: its jobs wait until one is configured", name);
        } else {
            Webhook webhook = new Webhook(config.handler(), secrets);
            orderly.handle(queue, new WebhookHandler(webhook, webhooks, Time.system()));
        }
    }

    private void declare(ScheduleConfig config) {
        PushRequest job = PushRequest.of(config.queue().value(), config.payload()).withGroup(config.group());
        orderly.schedules().declare(config.name(), config.timing(), job);
    }

    private static BindAddress bind(ListenAddress listener) {
        return new BindAddress(listener.host(), listener.port());
    }

    private static void stop(String part, Runnable stop) {
        try {
            stop.run();
        } catch (RuntimeException e) {
            LOG.error("The {} did not stop in order", part, e);
        }
    }
}
