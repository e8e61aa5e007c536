package dev.orderly.server;

import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.about.About;
import dev.orderly.access.TokenSecret;
import dev.orderly.access.control.AccessControl;
import dev.orderly.access.control.AccessOptions;
import dev.orderly.access.control.LocalCredential;
import dev.orderly.boxoffice.BoxOffice;
import dev.orderly.boxoffice.web.ServerInFront;
import dev.orderly.boxoffice.web.Sessions;
import dev.orderly.config.Config;
import dev.orderly.config.EdgeLimits;
import dev.orderly.config.RoomConfig;
import dev.orderly.dashboard.Dashboard;
import dev.orderly.http.ApiServer;
import dev.orderly.http.EdgeServer;
import dev.orderly.http.Routes;
import dev.orderly.http.access.AccessPolicy;
import dev.orderly.http.gateway.Origin;
import dev.orderly.http.health.HealthChecks;
import dev.orderly.http.health.Readiness;
import dev.orderly.http.intake.MultipartReader;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.user.JwtAuthenticator;
import dev.orderly.http.user.TokenSource;
import dev.orderly.http.user.UserOptions;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.present.JobPresentation;
import dev.orderly.room.AddressLimits;
import dev.orderly.room.Limits;
import dev.orderly.room.Openings;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.TokenLifetimes;
import dev.orderly.store.StoreException;
import dev.orderly.store.StoreObserver;
import dev.orderly.store.sqlite.SqliteStore;
import dev.orderly.text.LocalizedText;
import dev.orderly.time.Time;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.live.LiveAccess;
import dev.orderly.web.room.RoomMatch;
import dev.orderly.web.room.log.VisitorLog;
import dev.orderly.web.room.page.HelpLink;
import dev.orderly.web.room.page.PageLook;
import dev.orderly.web.room.page.PageTemplate;
import dev.orderly.web.room.page.WaitingPage;
import dev.orderly.web.user.Authenticator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The box office behind a waiting room, with the API beside it, all on loopback. Its store is in a temporary folder
 * that is deleted at the stop: the shop keeps its seats in memory, so jobs of an earlier demo would mean nothing to it.
 */
public final class DemoServer implements AutoCloseable {
    /** The room in front of the shop's ticket pages. */
    public static final String ROOM = "sale";

    private static final Logger LOG = LoggerFactory.getLogger(DemoServer.class);
    private static final Duration GRACE = Duration.ofSeconds(2);
    /** The life of the link that the guide prints. */
    private static final Duration LINK = Duration.ofDays(1);
    private static final Limits LIMITS = new Limits(120, new Rate(30, Duration.ofSeconds(5)));

    private final Path folder;
    private final Path localAccess;
    private final Kept kept;
    private final Orderly orderly;
    private final BoxOffice shop;
    private final EdgeRooms gate;
    private final TokenSecret token = TokenSecret.random(new SecureRandom());
    private final LocalCredential local;
    private final AccessControl access;
    private final Dashboard dashboard;
    private final ApiServer api;
    private final EdgeUsers forCustomers;
    private final EdgeServer edge;
    private final DemoVisitors crowd;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * The ports.
     *
     * @param shop the public port; 0 for any free port
     * @param admin the API's port; 0 for any free port
     */
    public record Ports(int shop, int admin) {}

    /** The folder of the store, and the folder of the user. */
    private record Folders(Path store, Path home) {}

    /** The store, and the record of its figures. */
    private record Kept(Store store, ConfiguredHistory history) {
        void start(Orderly orderly, EdgeRooms gate) {
            history.start(store, orderly, gate.rooms());
        }
    }

    private DemoServer(Folders folders, Kept kept, Orderly orderly, Ports ports, Openings openings)
            throws IOException {
        Store store = kept.store;
        this.folder = folders.store;
        this.localAccess = LocalAccessFile.beside(folders.home.resolve(Path.of("data", "secret")));
        this.kept = kept;
        this.orderly = orderly;
        byte[] secret = new byte[TokenSource.Secret.MIN];
        new SecureRandom().nextBytes(secret);
        Authenticator customers = JwtAuthenticator.of(UserOptions.of(new TokenSource.Secret(secret))
                .withCookie(Sessions.COOKIE), Time.system());
        EdgeCapacity capacity = new EdgeCapacity(EdgeLimits.DEFAULT, ProcessLimits.ofThisProcess(null));
        this.forCustomers = new EdgeUsers(orderly, LiveAccess.of(customers), capacity.live());
        this.shop = BoxOffice.start(orderly, 0, Time.system(), new Sessions(secret, Time.system()));
        try {
            this.gate = new EdgeRooms(capacity, store, Secrets.unused(), orderly.engines().jobs(),
                    new EdgeRooms.Watch(kept.history.rooms(), VisitorLog.NONE, customers));
            Config.Site site = site(shop.port(), openings);
            this.local = LocalCredential.of(List.of(token));
            this.access = new AccessControl(store.credentials(), store.audit(), store.clock(Time.system()),
                    AccessOptions.DEFAULT, local);
            this.dashboard = new Dashboard(new Dashboard.Mount("", "/login"),
                    new Dashboard.Sources(orderly, gate.rooms(), access.audit(),
                            new Dashboard.ServerSide(facts(store), List::of,
                                    gate.previews(), JobPresentation.PLAIN)),
                    Time.system());
            this.api = new ApiServer(new ApiServer.Access(AccessPolicy.loopback(BindAddress.loopback(ports.admin())),
                    HttpLimits.DEFAULT, access), orderly, gate.rooms(),
                    ApiServer.Management.of(orderly, new DashboardMount(dashboard).pages()));
            this.edge = new EdgeServer(BindAddress.loopback(ports.shop()),
                    Routes.of(List.of(), orderly.engines().jobs()),
                    HttpLimits.DEFAULT, gate.gateway(site), forCustomers.with(gate.declare(site.rooms())));
        } catch (RuntimeException e) {
            shop.close();
            throw e;
        }
        this.crowd = new DemoVisitors(Time.system(), new SecureRandom());
    }

    /**
     * Opens the shop. Blocks until it accepts requests.
     *
     * @param visitors size of a simulated crowd, 0 for none
     * @param home the folder from which commands are given: below it they find the credential of the API
     * @throws StartFailedException if it cannot start; every part that had started is stopped again
     */
    public static DemoServer start(Ports ports, int visitors, Path home) {
        return start(ports, visitors, Openings.NONE, home);
    }

    /**
     * Opens the shop at its times.
     *
     * @param openings of the room in front of it
     */
    public static DemoServer start(Ports ports, int visitors, Openings openings, Path home) {
        try {
            Path folder = TemporaryFolder.make("orderly-demo");
            try {
                ConfiguredHistory history = new ConfiguredHistory(ConfiguredHistory.KEPT);
                Store store = Store.observed(SqliteStore.at(folder.resolve("demo.db")), StoreObserver.NONE,
                        history.jobs());
                Orderly orderly = Orderly.open(store, EngineOptions.defaults().withStopGrace(GRACE)
                        .withReaders(List.of(new MultipartReader())).withObserver(history.jobs()));
                return started(made(new Folders(folder, home), new Kept(store, history), orderly, ports, openings),
                        visitors);
            } catch (IOException | RuntimeException e) {
                TemporaryFolder.delete(folder);
                throw e;
            }
        } catch (IOException | UncheckedIOException | StoreException e) {
            throw new StartFailedException(String.valueOf(e.getMessage()), e);
        }
    }

    private static DemoServer made(Folders folders, Kept kept, Orderly orderly, Ports ports, Openings openings)
            throws IOException {
        try {
            return new DemoServer(folders, kept, orderly, ports, openings);
        } catch (IOException | RuntimeException e) {
            orderly.close();
            throw e;
        }
    }

    private static DemoServer started(DemoServer demo, int visitors) {
        try {
            demo.access.start();
            demo.api.start();
            LocalAccessFile.write(demo.localAccess, demo.token);
            demo.gate.start();
            demo.forCustomers.start();
            demo.edge.start();
            demo.orderly.start();
            demo.shop.behind(new ServerInFront(demo.gate.rooms(), new RoomName(ROOM), "http://127.0.0.1:"
                    + demo.api.port()));
            demo.shop.openBackOffice();
            demo.kept.start(demo.orderly, demo.gate);
            demo.crowd.come(visitors, URI.create("http://127.0.0.1:" + demo.edge.port()));
            return demo;
        } catch (RuntimeException e) {
            demo.close();
            throw e;
        }
    }

    /** Facts for the dashboard; the demo has no file of configuration. */
    private RunningServerFacts facts(Store store) {
        Readiness readiness = new Readiness(
                List.of(HealthChecks.store(orderly), HealthChecks.loops(orderly), HealthChecks.heap()), Time.system());
        return new RunningServerFacts(List::of, orderly.engines().settings(), gate.rooms(), store,
                new RunningServerFacts.Server(Time.system().now(), readiness,
                        () -> List.of(new About.Listener("edge", BindAddress.LOOPBACK, port(), List.of()),
                                new About.Listener("admin", BindAddress.LOOPBACK, adminPort(), List.of())),
                        Map.of()));
    }

    /** Ticket pages and purchases are behind the room, other pages are not. */
    private static Config.Site site(int port, Openings openings) {
        RoomName name = new RoomName(ROOM);
        RoomOptions options = RoomOptions.of(LIMITS).withMove(true).withOpenings(openings)
                .withAddresses(AddressLimits.NONE) // the crowd has one address
                .withStay(new TokenLifetimes(Duration.ofMinutes(2), null, Duration.ofHours(1)));
        PageLook look = new PageLook(LocalizedText.of("The Box Office"), LocalizedText.of(Map.of(
                "en", "Everyone wants to be at the harbour tonight. Your place is kept: no need to reload.",
                "de", "Heute Abend wollen alle an den Hafen. Ihr Platz ist Ihnen sicher: Sie müssen nichts tun.")),
                null, "", new HelpLink(LocalizedText.of(Map.of("en", "Back to the shows", "de", "Zurück zum Programm")),
                        LocalizedText.of("/")));
        return new Config.Site(List.of(Origin.all(URI.create("http://127.0.0.1:" + port))), TrustedProxies.NONE,
                List.of(new RoomConfig(name, RoomMatch.of("/tickets/**"), options, null,
                        new WaitingPage(name, look, PageTemplate.standard()), 503, null, null)),
                EdgeLimits.DEFAULT, null, Config.Https.NONE, false, Duration.ZERO, Duration.ZERO);
    }

    /** The shop's public port. */
    public int port() {
        return edge.port();
    }

    public int adminPort() {
        return api.port();
    }

    /** The file with the credential of the API. */
    public Path localAccess() {
        return localAccess;
    }

    /** Addresses to open, and steps to try. */
    public String guide() {
        return BoxOffice.guide(edge.port(), api.port(), api.links().create(local.identity(), LINK));
    }

    /** As {@link OrderlyServer#close}. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            for (Runnable stop : List.<Runnable>of(crowd::close, edge::close, forCustomers::close,
                    gate::close, shop::close, orderly::stop, kept.history::close, dashboard::close, api::close,
                    access::close, orderly::close, () -> LocalAccessFile.delete(localAccess, token),
                    () -> TemporaryFolder.delete(folder))) {
                try {
                    stop.run();
                } catch (RuntimeException e) {
                    LOG.error("A part of the demo did not stop in order", e);
                }
            }
        }
    }
}
