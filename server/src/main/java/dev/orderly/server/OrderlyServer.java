package dev.orderly.server;

import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.about.About;
import dev.orderly.access.TokenSecret;
import dev.orderly.config.AlertConfig;
import dev.orderly.config.Config;
import dev.orderly.config.UserConfig;
import dev.orderly.config.reader.ConfigResult;
import dev.orderly.dashboard.Dashboard;
import dev.orderly.http.ApiServer;
import dev.orderly.http.EdgeServer;
import dev.orderly.http.RedirectServer;
import dev.orderly.http.access.AccessPolicy;
import dev.orderly.http.access.ProxyAccess;
import dev.orderly.http.api.ConfigReload;
import dev.orderly.http.health.HealthChecks;
import dev.orderly.http.health.Readiness;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.ListenerTransport;
import dev.orderly.http.observe.ListenerLoad;
import dev.orderly.job.QueueName;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.operate.OperationSpec;
import dev.orderly.operate.RoomControl;
import dev.orderly.operate.Targets;
import dev.orderly.room.gate.Room;
import dev.orderly.server.alert.AlertSource;
import dev.orderly.server.alert.ConfiguredAlerts;
import dev.orderly.server.draw.BeaconLoop;
import dev.orderly.server.log.ConfiguredVisitorLog;
import dev.orderly.store.StoreException;
import dev.orderly.telemetry.metrics.Watched;
import dev.orderly.time.Time;
import dev.orderly.web.live.LiveAccess;
import dev.orderly.web.user.Authenticator;
import dev.orderly.web.user.PageOrigins;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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
    private final ConfiguredJobs jobs;
    private final ConfiguredVisitorLog visitors;
    private final Tracing tracing;
    private final EdgeRooms gate;
    private final ApiAccess access;
    private final Path localAccess;
    private final AccessPolicy policy;
    private final Dashboard dashboard;
    private final ApiServer api;
    private final EdgeUsers forUsers;
    private final ListenerCertificates certificates;
    private final ListenerCertificates adminCertificates;
    private final EdgeServer edge;
    private final ServerReload reload;
    private final @Nullable RedirectServer redirect;
    private final @Nullable ConfiguredAlerts alerts;
    private final WarmUp warmUp;
    private final ServerMetrics metrics;
    private final ConfiguredHistory history;
    private final ScheduledBackups backups;
    private final BeaconLoop beacons;
    private final Readiness readiness;
    private final Duration drain;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final AtomicBoolean closed = new AtomicBoolean();

    /** A configuration, its source for a reload, and what observes the parts that are made of it. */
    private record Given(Config config, Supplier<ConfigResult> source, ServerMetrics metrics,
            ConfiguredHistory history) {}

    private OrderlyServer(Given given, Store store, Orderly orderly, Trust trust, EdgeCapacity capacity) {
        Config config = given.config;
        this.orderly = orderly;
        this.metrics = given.metrics;
        this.history = given.history;
        this.backups = new ScheduledBackups(config.store().backup(), orderly.backups(), Time.system());
        this.drain = config.site().drain();
        this.jobs = new ConfiguredJobs(orderly, config.jobs().redaction(), trust.signing);
        this.visitors = new ConfiguredVisitorLog(config.telemetry().visitorLog(), trust.secrets.addresses().bytes());
        this.gate = new EdgeRooms(capacity, store, trust.secrets, orderly.engines().jobs(),
                new EdgeRooms.Watch(metrics.rooms(history.rooms()), visitors.log(), trust.users));
        UserConfig known = config.users();
        this.forUsers = new EdgeUsers(orderly, new LiveAccess(trust.users,
                known == null ? PageOrigins.OWN : known.pages()), capacity.live());
        QueueName messages = config.live().queue();
        if (messages != null) {
            orderly.users().onMessage(new LiveQueue(orderly.engines().jobs(), messages));
        }
        jobs.declareQueues(config.jobs());
        jobs.declareSchedules(config.jobs().schedules());
        this.certificates = trust.certificates;
        ListenerTransport transport = config.site().proxyProtocol()
                ? certificates.transport().withProxies(config.site().trusted()::containPeer)
                : certificates.transport();
        this.tracing = trust.tracing;
        this.edge = new EdgeServer(transport, ServerReload.routes(config, orderly, trust.users), capacity.edge(),
                gate.gateway(config.site()),
                ServerReload.handlers(config,
                        jobs.withReports(config, forUsers.with(gate.declare(config.site().rooms()))), tracing));
        edge.observe(metrics.traffic());
        this.redirect = config.site().https().redirectPort() == null
                ? null
                : new RedirectServer(new BindAddress(config.edge().host(), config.site().https().redirectPort()),
                        capacity.redirect(), edge::port, certificates.challenges());
        this.reload = new ServerReload(config, given.source,
                new ServerReload.Parts(orderly, jobs, gate, forUsers, edge, trust.users, certificates, tracing));
        this.warmUp = new WarmUp(orderly.engines().jobs(), capacity.edge().capacity().eventLoops(), transport.tls(),
                config.site().warmUp(), Time.system());
        this.readiness = new Readiness(
                List.of(HealthChecks.store(orderly), HealthChecks.edge(transport, edge::port),
                        HealthChecks.governor(gate.rooms(), orderly), HealthChecks.loops(orderly), HealthChecks.heap(),
                        HealthChecks.warmUp(() -> warmUp.isOver() || orderly.engines().nodes().isAlone())),
                () -> Stream.of(certificates.faults(), trust.adminCertificates.faults(), backups.faults(),
                        orderly.warnings()).flatMap(List::stream).toList(),
                Time.system());
        this.access = new ApiAccess(config.access(), trust.proxy, trust.secrets.local(), store);
        this.beacons = beacons();
        this.localAccess = LocalAccessFile.beside(config.secretFile());
        this.adminCertificates = trust.adminCertificates;
        this.policy = access.policy(config.admin());
        RunningServerFacts facts = facts(config, store, capacity);
        this.dashboard = new Dashboard(new Dashboard.Mount("", "/login"), new Dashboard.Sources(orderly, gate.rooms(),
                access.control().audit(),
                new Dashboard.ServerSide(facts, () -> Stream.of(certificates, adminCertificates)
                        .map(ListenerCertificates::faults).flatMap(List::stream).toList(),
                        gate.previews(), config.presentation())),
                Time.system());
        this.api = new ApiServer(new ApiServer.Access(policy, adminCertificates.transport().tls(), capacity.api(),
                access.control()), orderly, gate.rooms(),
                new ApiServer.Management(readiness, new RunningConfig(this::reread, facts), jobs.tokens(),
                        new DashboardMount(dashboard).pages(), config.presentation()));
        orderly.engines().nodes().reportAlso(() -> gate.rooms().rooms().stream().filter(Room::governs)
                .map(room -> "governor of " + room.name()).toList(), () -> edge.load().connections());
        AlertConfig alerting = config.telemetry().alerts();
        this.alerts = alerting == null
                ? null
                : new ConfiguredAlerts(alerting, trust.secrets.webhooks(), store.keyValues(), orderly,
                        new AlertSource(alerting, orderly, gate.rooms(), () -> Map.of("edge", certificates.faults(),
                                "admin", adminCertificates.faults())));
    }

    private BeaconLoop beacons() {
        Targets targets = new Targets(orderly, gate.rooms());
        return new BeaconLoop(gate.rooms(), (room, value) -> access.run("beacon", RoomControl
                .change(OperationSpec.DRAW_VALUE, room.value(), found -> found.drawValue(value)), targets),
                jobs::client, Time.system());
    }

    /**
     * Opens the store, listens and starts the engines. Blocks until requests are accepted.
     *
     * @param environment variables of the process, some of which hold secrets
     * @throws StartFailedException if it cannot start; every part that had started is stopped again
     */
    public static OrderlyServer start(Config config, Map<String, String> environment) {
        return start(config, () -> new ConfigResult.Valid(config), environment);
    }

    /**
     * As {@link #start(Config, Map)}.
     *
     * @param source reads the configuration anew for {@link #reload}
     */
    public static OrderlyServer start(Config config, Supplier<ConfigResult> source, Map<String, String> environment) {
        CountDownLatch never = new CountDownLatch(1);
        return start(config, source, environment, wait -> {
            try {
                return !never.await(wait.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        });
    }

    /**
     * As {@link #start(Config, Map)}. While a shared store does not answer, the start waits for it.
     *
     * @param source reads the configuration anew for {@link #reload}
     * @param pause waits for that long; false if the start is to be given up
     */
    public static OrderlyServer start(Config config, Supplier<ConfigResult> source, Map<String, String> environment,
            Predicate<Duration> pause) {
        Authenticator users = Authenticators.of(config.users(), environment);
        ListenerCertificates admin = ListenerCertificates.ofFiles(config.admin(), config.access().hosts());
        boolean gates = !config.site().rooms().isEmpty();
        boolean signs = gates || config.telemetry().alerts() != null
                || config.jobs().queues().stream().anyMatch(queue -> queue.handler() != null);
        Supplier<Secrets> read = () -> Secrets.read(environment.get(Secrets.VARIABLE), config.secretFile(), gates);
        Secrets secrets = secrets(read, signs, config.access().local());
        ProxyAccess proxy = ApiAccess.proxy(config.access(), environment);
        // A queue with a handler may come with a reload.
        Supplier<Secrets> signing = signs ? () -> secrets : read;
        EdgeCapacity capacity = new EdgeCapacity(config.site().limits(),
                ProcessLimits.ofThisProcess(config.site().eventLoops()),
                config.site().https().redirectPort() != null);
        capacity.log();
        try (StoreWait wait = new StoreWait(config, capacity, admin.transport(), pause)) {
            return wait.until(() -> opened(config, source, environment, capacity, wait,
                    (store, tracing) -> new Trust(secrets, signing, users, proxy,
                            ListenerCertificates.of(config.edge(), config.site().hosts(), store,
                                    () -> signing.get().stored()),
                            ListenerCertificates.ofFiles(config.admin(), config.access().hosts()), tracing)));
        } catch (StoreException | UncheckedIOException e) {
            throw new StartFailedException(String.valueOf(e.getMessage()), e);
        }
    }

    /** One try of a start, which leaves nothing open when it fails. */
    private static OrderlyServer opened(Config config, Supplier<ConfigResult> source, Map<String, String> environment,
            EdgeCapacity capacity, StoreWait wait, BiFunction<Store, Tracing, Trust> trust) {
        Store store = StoreOpener.open(config.store());
        ServerMetrics metrics = new ServerMetrics(config.metrics(), config.access().hosts());
        EngineOptions options = options(config);
        Tracing tracing = Tracing.of(config.telemetry().traces(), environment, options.node().value());
        try {
            ConfiguredHistory history = new ConfiguredHistory(config.telemetry().history());
            Store observed = metrics.observed(store, history.jobs());
            Trust trusted = trust.apply(observed, tracing);
            Preload.classes();
            return started(new Given(config, source, metrics, history), observed,
                    Orderly.open(observed, metrics.observed(options.withTracer(tracing.tracer()), history.jobs()),
                            config.live().options().withConnections(capacity.live())),
                    trusted, capacity, wait);
        } catch (RuntimeException | Error e) {
            tracing.close();
            metrics.close();
            store.close();
            throw e;
        }
    }

    /** The secrets of a server that signs with them, or derives its local credential from them. */
    private static Secrets secrets(Supplier<Secrets> read, boolean signs, boolean local) {
        try {
            return signs || local ? read.get() : Secrets.unused();
        } catch (StartFailedException e) {
            if (signs) {
                throw e;
            }
            LOG.warn("The local credential counts until the next start only: {}", e.getMessage());
            return Secrets.unused();
        }
    }

    /** What is made before the parts: secrets, keys and certificates, and the tracer. */
    private record Trust(Secrets secrets, Supplier<Secrets> signing, Authenticator users,
            ProxyAccess proxy, ListenerCertificates certificates, ListenerCertificates adminCertificates,
            Tracing tracing) {}

    /**
     * Takes over the configuration that the source of {@link #start} reads now, and opens the visitor log anew, at the
     * signal SIGHUP, which has an entry in the audit log. Blocks on files and on the store.
     */
    public ConfigReload.Result reload() {
        return access.recorded("SIGHUP", this::reread, new Targets(orderly, gate.rooms()));
    }

    private ConfigReload.Result reread() {
        visitors.reopen();
        return reload.reload();
    }

    /** The public port. */
    public int edgePort() {
        return edge.port();
    }

    /**
     * The port that redirects to the edge.
     *
     * @throws IllegalStateException if none is configured
     */
    public int redirectPort() {
        if (redirect == null) {
            throw new IllegalStateException("No redirect-port is configured");
        }
        return redirect.port();
    }

    /**
     * The port of the metrics.
     *
     * @throws IllegalStateException if none is configured
     */
    public int metricsPort() {
        return metrics.port();
    }

    /** The address of the API's listener, which stays on loopback while there is no token. */
    public String adminHost() {
        return policy.bind().host();
    }

    /** The file with the credential of the server's own user, unless {@code admin.local-access} is false. */
    public Path localAccess() {
        return localAccess;
    }

    /** The API's port. */
    public int adminPort() {
        return api.port();
    }

    /**
     * Prepares for {@link #close}: the server is not ready any more, asks clients to leave, and serves all requests for
     * {@code edge.drain}, so that balancers send new ones elsewhere. Blocks for that time, or until it is closed.
     */
    public void drain() {
        readiness.stop();
        edge.drain(drain);
        try {
            var _ = closing.await(drain.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Stops in order: closes the edge, stops the rooms, waits up to {@code stop-grace} for running jobs, closes the
     * API, then the store. Blocks. A part that fails to stop does not keep the other parts from stopping.
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            readiness.stop();
            closing.countDown();
            stop("warm-up", warmUp::close);
            if (alerts != null) {
                stop("alerts", alerts::close);
            }
            if (redirect != null) {
                stop("redirect", redirect::close);
            }
            stop("edge", edge::close);
            stop("visitor log", visitors::close);
            stop("certificates", certificates::close);
            stop("certificates of the API", adminCertificates::close);
            stop("streams and live connections", forUsers::close);
            stop("beacons", beacons::close);
            stop("rooms", gate::close);
            stop("schedules and jobs", orderly::stop);
            stop("history", history::close);
            stop("backups", backups::close);
            stop("dashboard", dashboard::close);
            stop("API", api::close);
            stop("access", access::close);
            stop("webhook client", jobs::close);
            stop("metrics", metrics::close);
            stop("traces", tracing::close);
            stop("store", orderly::close);
        }
    }

    private static OrderlyServer started(Given given, Store store, Orderly orderly, Trust trust,
            EdgeCapacity capacity, StoreWait wait) {
        OrderlyServer server;
        try {
            server = new OrderlyServer(given, store, orderly, trust, capacity);
        } catch (RuntimeException | Error e) {
            orderly.close();
            throw e;
        }
        try {
            server.visitors.start();
            server.access.start();
            wait.release(StoreWait.Listener.ADMIN);
            server.api.start();
            server.writeLocalAccess(given.config.access().local(), trust.secrets.local().getFirst());
            server.gate.rooms().join(orderly.engines().nodes().questions());
            server.gate.start();
            server.forUsers.start();
            server.adminCertificates.start();
            wait.release(StoreWait.Listener.EDGE);
            server.edge.start();
            if (server.redirect != null) {
                server.redirect.start();
            }
            server.certificates.start();
            Config.Site site = given.config.site();
            if (!site.rooms().isEmpty() && site.warmUp().isPositive() && capacity.isAmple()) {
                server.warmUp.start();
            }
            orderly.start();
            server.history.start(store, orderly, server.gate.rooms());
            server.backups.start();
            server.beacons.start();
            wait.release(StoreWait.Listener.METRICS);
            server.metrics.start(server.watched(store), server.readiness);
            if (server.alerts != null) {
                server.alerts.start();
            }
            return server;
        } catch (RuntimeException | Error e) {
            server.close();
            throw e;
        }
    }

    private void writeLocalAccess(boolean wanted, TokenSecret local) {
        if (wanted) {
            LocalAccessFile.write(localAccess, local);
        } else {
            LocalAccessFile.remove(localAccess);
        }
    }

    /** The reading of the configuration anew, and the facts about what is in force. */
    private record RunningConfig(ConfigReload reading, RunningServerFacts facts) implements ConfigReload {
        @Override
        public Result reload() {
            return reading.reload();
        }
    }

    private RunningServerFacts facts(Config config, Store store, EdgeCapacity capacity) {
        return new RunningServerFacts(() -> reload.inForce().values(), orderly.engines().settings(), gate.rooms(),
                store,
                new RunningServerFacts.Server(Time.system().now(), readiness, () -> listeners(config),
                        capacity.byKey()));
    }

    private List<About.Listener> listeners(Config config) {
        List<About.Listener> listeners = new ArrayList<>();
        listeners.add(new About.Listener("edge", config.edge().host(), edge.port(), certificates.inUse()));
        listeners.add(new About.Listener("admin", adminHost(), adminPort(), adminCertificates.inUse()));
        if (config.metrics() != null) {
            listeners.add(new About.Listener("metrics", config.metrics().host(), metricsPort(), List.of()));
        }
        if (redirect != null) {
            listeners.add(new About.Listener("redirect", config.edge().host(), redirect.port(), List.of()));
        }
        return listeners;
    }

    private Watched watched(Store store) {
        return new Watched(orderly, gate.rooms(), store::load, () -> {
            ListenerLoad load = edge.load();
            return new Watched.EdgeReading(load.connections(), load.refused(), load.requests(), load.bodyBytes(),
                    gate.openStreams());
        });
    }

    private static EngineOptions options(Config config) {
        EngineOptions options = EngineOptions.defaults().withStopGrace(config.jobs().stopGrace())
                .withClaimBytes(config.jobs().claimBytes()).withKeep(config.jobs().keep());
        URI publicUrl = config.jobs().publicUrl();
        return publicUrl == null ? options : options.withPublicUrl(publicUrl);
    }

    private static void stop(String part, Runnable stop) {
        try {
            stop.run();
        } catch (RuntimeException e) {
            LOG.error("The {} did not stop in order", part, e);
        }
    }
}
