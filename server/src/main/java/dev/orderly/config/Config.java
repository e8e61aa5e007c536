package dev.orderly.config;

import dev.orderly.about.ConfigValue;
import dev.orderly.config.schema.CheckedSection;
import dev.orderly.config.schema.KeySpec;
import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.KeySpec.Group;
import dev.orderly.config.schema.KeySpec.Many;
import dev.orderly.config.schema.RoomValueTypes;
import dev.orderly.config.schema.UnitText;
import dev.orderly.config.schema.ValueType;
import dev.orderly.config.schema.ValueTypes;
import dev.orderly.http.acme.AcmeChallenge;
import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.present.JobPresentation;
import dev.orderly.job.present.Redaction;
import dev.orderly.job.store.UpkeepRequest.Retention;
import dev.orderly.web.edge.CidrBlock;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.header.Authority;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A valid configuration: every rule that can be checked without a start holds. Paths are absolute.
 *
 * @param jobs queues, routes, schedules and their limits
 * @param site origins and rooms behind the edge
 * @param metrics the listener of metrics and health checks; null for none
 * @param access access to the API
 * @param users null if no users are configured
 * @param live without effect if no users are configured
 * @param values every key with the value from which all this was read
 */
public record Config(StoreConfig store, Path secretFile, ListenAddress edge, ListenAddress admin,
        @Nullable ListenAddress metrics, AccessConfig access, Jobs jobs, Site site,
        @Nullable UserConfig users, LiveConfig live, LogFormat log, Telemetry telemetry, List<ConfigValue> values) {
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    static final KeySpec.Key<Path> SECRET_FILE = new KeySpec.Key<>("secret-file", ValueTypes.path("data/secret"),
            new Absent.Means("data/secret"),
            "The secrets of this server, one a line: base64 of 24 to 64 random bytes. The first one signs tickets; all"
                    + " secrets sign webhooks and verify tickets, so that an old secret can be replaced by a new one."
                    + " If the file is missing and a queue has a handler or there is a room, it is created with one"
                    + " secret, readable by its owner only. Give it to nobody: `orderly config webhook-secret` prints"
                    + " what receivers of webhooks need, and `ORDERLY_SECRET` (secrets separated by spaces) replaces"
                    + " the file. Rooms need secrets of 32 bytes or more.");
    static final KeySpec.Key<LogFormat> LOG = new KeySpec.Key<>("log", ValueTypes.choice(LogFormat.class),
            new Absent.Means("text"),
            "The format of log lines: text for people, or one JSON object a line.");
    static final KeySpec.Key<Duration> STOP_GRACE = new KeySpec.Key<>("stop-grace",
            ValueTypes.duration("0s", "1h", "25s"),
            new Absent.Means("25s"),
            "How long a stop waits for running jobs before it interrupts them and gives them back.");
    static final KeySpec.Key<Long> CLAIM_BYTES = new KeySpec.Key<>("claim-bytes",
            ValueTypes.size(UnitText.sizeText(QueueOptions.PAYLOAD_LIMIT), "1GiB", "32MiB"),
            new Absent.Means(UnitText.sizeText(EngineOptions.CLAIM_BYTES)),
            "Upper bound for the payload of running jobs in this node's memory. At the bound no further job starts"
                    + " here; one job may exceed it.");

    static final Many<String> REDACT = new Many<>("redact", RoomValueTypes.text(200, "password"),
            new Absent.Depends("none"),
            "Keys whose values the API and the dashboard mask, in the payload, result and params of jobs: in JSON at"
                    + " any depth, and in fields of forms. Upper and lower case are the same. Masked too: these values"
                    + " of a job in the error and the progress of its worker. No search compares them. Revealing a job"
                    + " needs the role operator and is in the audit log. Text and bytes have no keys, so that nothing"
                    + " in them is masked. Handlers get everything.");

    static final KeySpec.Key<Integer> EDGE_PORT = new KeySpec.Key<>("port", ValueTypes.port("8080"),
            new Absent.Means("8080"),
            "The public port.");
    static final KeySpec.Key<String> EDGE_HOST = new KeySpec.Key<>("host", ValueTypes.host(),
            new Absent.Means("0.0.0.0"),
            "The address of the public listener; all addresses by default.");
    static final KeySpec.Key<Long> EVENT_LOOPS = new KeySpec.Key<>("event-loops", ValueTypes.count(1, 256, "4"),
            new Absent.Depends("as many as cores"),
            "Threads that serve the public connections; each connection belongs to one of them. Fewer leave cores to"
                    + " what else runs on the machine; more than cores gain nothing.");
    static final KeySpec.Key<WorkerReports> WORKER_REPORTS = new KeySpec.Key<>("worker-reports",
            ValueTypes.choice(WorkerReports.class), new Absent.Means("refused"),
            "Whether workers may report about their attempts at the public listener too, below `/.orderly/jobs/ID`;"
                    + " the attempt's token is their whole authority.");
    static final KeySpec.Key<URI> PUBLIC_URL = new KeySpec.Key<>("public-url",
            new ValueType<>("an absolute http or https address without query and fragment",
                    text -> ValueTypes.uri(text).filter(Config::isPublic), "https://jobs.example.com"),
            new Absent.Means("none"),
            "The address by which the world reaches the public listener. With it, the listener takes the links of"
                    + " `job.eventUrl`, below `/.orderly/events`: each sends one event that a job awaits, and needs no"
                    + " key.");
    static final KeySpec.Key<Duration> DRAIN = new KeySpec.Key<>("drain", ValueTypes.duration("0s", "10m", "5s"),
            new Absent.Means("5s"),
            "How long the edge goes on after SIGTERM while `/health/ready` is 503, so that balancers send new requests"
                    + " elsewhere before connections are refused. Longer than a balancer takes to notice.");
    static final KeySpec.Key<Duration> WARM_UP = new KeySpec.Key<>("warm-up",
            ValueTypes.duration("0s", "1m", "15s"), new Absent.Means("15s"),
            "How long at most a node with rooms asks a gateway of its own at its start, so that compiled code serves"
                    + " the first rush. Beside other nodes it is not ready until then. `0s` leaves it out: for a start"
                    + " that should cost little, such as on a laptop.");
    static final KeySpec.Key<Integer> METRICS_PORT = new KeySpec.Key<>("port", ValueTypes.port("9464"),
            new Absent.Means("9464"), "The port of the metrics.");
    static final KeySpec.Key<String> METRICS_HOST = new KeySpec.Key<>("host", ValueTypes.host(),
            new Absent.Means("127.0.0.1"),
            "The address of the metrics' listener. It asks for no token: on another address than 127.0.0.1, let a"
                    + " firewall or a network policy decide who reaches it.");

    static final KeySpec.Key<Duration> KEEP_DONE = new KeySpec.Key<>("done",
            ValueTypes.duration("1s", "3650d", "24h"),
            new Absent.Means(UnitText.text(Retention.DEFAULT.done())), "How long done and cancelled jobs are kept.");
    static final KeySpec.Key<Long> KEEP_DONE_MAX = new KeySpec.Key<>("done-max",
            ValueTypes.count(0, 1_000_000_000, "100000"),
            new Absent.Means(Long.toString(Retention.DEFAULT.doneMax())),
            "About how many of them are kept; the oldest are deleted first.");
    static final KeySpec.Key<Duration> KEEP_DEAD = new KeySpec.Key<>("dead",
            ValueTypes.duration("1s", "3650d", "14d"),
            new Absent.Means(UnitText.text(Retention.DEFAULT.dead())), "How long dead letters are kept.");

    static final KeySpec.Key<Duration> KEEP_HISTORY = new KeySpec.Key<>("history",
            ValueTypes.duration("0s", "3650d", "90d"), new Absent.Means("90d"),
            "How long the figures of queues and rooms are kept by the hour; by the minute they are kept for a day."
                    + " `0s` records none. See [Operations](operations.md#history).");
    static final KeySpec.Key<Boolean> PROXY_PROTOCOL = new KeySpec.Key<>("proxy-protocol", ValueTypes.flag(),
            new Absent.Means("false"),
            "Whether every connection begins with the header of the PROXY protocol (version 1 or 2), which names the"
                    + " client's address. Only `trusted-proxies` may connect then.");
    static final KeySpec.Key<Integer> REDIRECT_PORT = new KeySpec.Key<>("redirect-port",
            ValueTypes.port("80"), new Absent.Depends("none"),
            "A port without TLS that sends every request to the same address over https (308).");
    static final KeySpec.Key<Duration> HSTS = new KeySpec.Key<>("hsts",
            ValueTypes.duration("0s", "730d", "180d"), new Absent.Depends("none"),
            "For how long browsers use this host over https only (`Strict-Transport-Security`). Begin with an hour:"
                    + " browsers keep to it even if TLS is switched off. `0s` ends it.");
    static final Many<CidrBlock> TRUSTED = new Many<>("trusted-proxies", RoomValueTypes.addresses(),
            new Absent.Depends("none: the peer is the client"),
            "The proxies in front of the edge whose `X-Forwarded-…` headers are trusted.");
    static final Group EDGE = new Group("edge",
            List.of(EDGE_PORT, EDGE_HOST, EVENT_LOOPS, DRAIN, WARM_UP, WORKER_REPORTS, PUBLIC_URL, OriginReader.ORIGIN,
                    TRUSTED, PROXY_PROTOCOL, TlsConfig.TLS,
                    REDIRECT_PORT, HSTS, EdgeLimits.LIMITS),
            "The public listener. It answers the declared routes, and forwards every other request to the site behind"
                    + " it.");
    static final Group METRICS = new Group("metrics", List.of(METRICS_PORT, METRICS_HOST),
            "A listener for Prometheus and for health checks: `/metrics`, `/health/live`, `/health/ready` and nothing"
                    + " else. Nothing is measured without this key; `metrics: {}` takes the defaults. See"
                    + " [Monitoring](monitoring.md).",
            true);
    static final Group KEEP = new Group("keep",
            List.of(KEEP_DONE, KEEP_DONE_MAX, KEEP_DEAD, AccessConfig.KEEP_AUDIT,
                    KEEP_HISTORY),
            "How long ended jobs, the audit log and figures over time are kept.");

    /** The whole file. A key that is not here is refused; {@code docs/configuration.md} describes every key. */
    public static final Group FILE = new Group("",
            List.of(StoreConfig.STORES, BackupConfig.BACKUP, SECRET_FILE, EDGE, AccessConfig.ADMIN, METRICS,
                    LimitConfig.LIMITS, QueueConfig.QUEUES, RouteConfig.ROUTES, RoomConfig.ROOMS,
                    ScheduleConfig.SCHEDULES,
                    UserConfig.USERS, LiveConfig.LIVE, KEEP, STOP_GRACE,
                    CLAIM_BYTES, REDACT, LOG, VisitorLogConfig.VISITOR_LOG,
                    TraceConfig.TRACES, AlertConfig.ALERTS),
            "");

    public Config {
        values = List.copyOf(values);
    }

    /**
     * What the server tells about itself.
     *
     * @param traces null for none
     * @param alerts null for none
     * @param history how long the figures of hours are kept; zero for no history
     */
    public record Telemetry(VisitorLogConfig visitorLog, @Nullable TraceConfig traces,
            @Nullable AlertConfig alerts, Duration history) {}

    /**
     * The settings of jobs.
     *
     * @param stopGrace wait of a stop for running jobs
     * @param claimBytes upper bound for the payload of running jobs
     * @param reports whether the public listener takes reports of workers
     * @param publicUrl the address of the public listener for links of events; null for none
     * @param redaction the masked keys of payloads, results and params
     */
    public record Jobs(Map<LimitName, Limit> limits, List<QueueConfig> queues, List<RouteConfig> routes,
            List<ScheduleConfig> schedules,
            Retention keep, Duration stopGrace, long claimBytes, WorkerReports reports, @Nullable URI publicUrl,
            Redaction redaction) {
        public Jobs {
            limits = Map.copyOf(limits);
            queues = List.copyOf(queues);
            routes = List.copyOf(routes);
            schedules = List.copyOf(schedules);
        }
    }

    /**
     * The sites behind the edge, and the rooms that protect them.
     *
     * @param origins empty if there are only routes
     * @param limits upper bounds for clients of the edge
     * @param eventLoops threads that serve the connections of the edge; null for as many as cores
     * @param https beside the TLS of the edge
     * @param drain time from SIGTERM until the edge closes, in which it serves and is not ready
     * @param warmUp longest time of the requests that a node with rooms makes to itself at its start; zero for none
     * @param proxyProtocol whether the connections of trusted proxies begin with a header that names the client
     */
    public record Site(List<dev.orderly.http.gateway.Origin> origins, TrustedProxies trusted,
            List<RoomConfig> rooms, EdgeLimits limits, @Nullable Integer eventLoops, Https https,
            boolean proxyProtocol, Duration drain, Duration warmUp) {
        public Site {
            origins = List.copyOf(origins);
            rooms = List.copyOf(rooms);
        }

        /** The hosts that origins and rooms name. */
        public Set<String> hosts() {
            Set<String> hosts = new TreeSet<>();
            origins.forEach(origin -> hosts.addAll(origin.hosts()));
            rooms.forEach(room -> hosts.addAll(room.match().hosts()));
            return hosts;
        }
    }

    /**
     * The way from plain HTTP to TLS.
     *
     * @param redirectPort a listener that sends clients to the edge; null for none
     * @param hsts for which browsers use TLS only; null for no such demand
     */
    public record Https(@Nullable Integer redirectPort, @Nullable Duration hsts) {
        public static final Https NONE = new Https(null, null);
    }

    /** The settings by which jobs are shown to operators. */
    public JobPresentation presentation() {
        return new JobPresentation(jobs.redaction, telemetry.traces == null ? null : telemetry.traces.link());
    }

    /** Lines for an operator about settings that are valid and have a fault. Blocks on the files of certificates. */
    public List<String> warnings(Instant now) {
        List<String> warnings = new ArrayList<>();
        if (edge.tls() != null) {
            warnings.addAll(edge.tls().warnings(site.hosts(), now));
        }
        if (admin.tls() != null) {
            warnings.addAll(admin.tls().warnings(access.hosts(), now));
        }
        return warnings;
    }

    /** The configuration in force, defaults included, for the log: one line a part, without secrets. */
    public String inForce() {
        StringJoiner text = new StringJoiner("\n");
        text.add("store: " + store);
        if (store.backup() != null) {
            text.add("backup: " + store.backup().inForce());
        }
        text.add("secret-file: " + secretFile);
        text.add("edge: " + edge.inForce() + "  admin: " + admin.inForce());
        text.add("metrics: " + (metrics == null ? "none" : metrics.inForce()) + "  drain: "
                + UnitText.text(site.drain()) + "  warm-up: " + UnitText.text(site.warmUp()));
        if (site.proxyProtocol()) {
            text.add("proxy-protocol: true");
        }
        Https https = site.https();
        if (https.redirectPort() != null) {
            text.add("redirect-port: " + https.redirectPort());
        }
        if (https.hsts() != null) {
            text.add("hsts: " + UnitText.text(https.hsts()));
        }
        text.add("access: " + access.inForce());
        site.origins().forEach(origin -> text.add("origin " + origin.uri() + " gets " + origin.match().text()
                + (origin.hosts().isEmpty() ? "" : " of " + String.join(" ", origin.hosts())) + " with host "
                + ValueTypes.lower(origin.host())));
        if (!site.trusted().blocks().isEmpty()) {
            text.add("trusted-proxies: " + site.trusted().blocks().stream()
                    .map(block -> block.network().getHostAddress() + "/" + block.bits())
                    .collect(Collectors.joining(", ")));
        }
        site.rooms().forEach(room -> text.add("room " + room.name() + ": " + room.inForce()));
        jobs.limits().entrySet().stream().sorted(Map.Entry.comparingByKey())
                .forEach(limit -> text.add("limit " + limit.getKey() + ": " + limit.getValue()));
        jobs.queues().forEach(queue -> text.add("queue " + queue.name() + ": " + queue.inForce()));
        jobs.routes().forEach(route -> text.add("route POST " + route.inForce()));
        jobs.schedules().forEach(schedule -> text.add("schedule " + schedule.name() + ": " + schedule.inForce()));
        if (users != null) {
            text.add("users: " + users.inForce());
            text.add("live: " + live.inForce());
        }
        Retention keep = jobs.keep();
        text.add("keep: done " + UnitText.text(keep.done()) + " at most " + keep.doneMax() + ", dead "
                + UnitText.text(keep.dead()) + ", audit " + UnitText.text(access.options().keepAudit())
                + ", history " + UnitText.text(telemetry.history())
                + "  stop-grace: " + UnitText.text(jobs.stopGrace())
                + "  claim-bytes: " + UnitText.sizeText(jobs.claimBytes()) + "  log: "
                + ValueTypes.lower(log));
        if (telemetry.visitorLog().share() > 0) {
            text.add("visitor-log: " + telemetry.visitorLog().inForce());
        }
        if (telemetry.traces() != null) {
            text.add("traces: " + telemetry.traces().inForce());
        }
        if (telemetry.alerts() != null) {
            text.add("alerts: " + telemetry.alerts().inForce());
        }
        return text.toString();
    }

    /**
     * Reads settings whose single values were checked, and checks the rules between several values. A wrong value is
     * replaced by a default so that the rest can be checked; the result is not used then.
     *
     * @param values every key with its value
     */
    public static Config read(CheckedSection file, List<ConfigValue> values) {
        CheckedSection front = file.below(EDGE);
        CheckedSection api = file.below(AccessConfig.ADMIN);
        ListenAddress edge = ListenAddress.read(front, EDGE_HOST, EDGE_PORT);
        ListenAddress admin = ListenAddress.read(api, AccessConfig.ADMIN_HOST, AccessConfig.ADMIN_PORT);
        if (edge.port() == admin.port() && edge.port() != 0) {
            api.report(AccessConfig.ADMIN_PORT, "Both listeners have port " + edge.port(),
                    "give edge.port and admin.port two different values");
        }
        ListenAddress metrics = metrics(file, List.of(edge, admin));
        checkReceivers(file, admin);
        Jobs jobs = jobs(file, front);
        Set<QueueName> names = jobs.queues().stream().map(QueueConfig::name).collect(Collectors.toSet());
        Site site = site(file, front, https(front, edge, admin), names);
        UserConfig users = UserConfig.read(file);
        if (users == null) {
            refuseUsers(file.below(RoomConfig.ROOMS), site.rooms());
        }
        return new Config(StoreConfig.read(file), file.path(SECRET_FILE).orElse(Path.of("secret")), edge, admin,
                metrics,
                AccessConfig.read(file, admin), jobs, site,
                users, LiveConfig.read(file, names), file.value(LOG).orElse(LogFormat.TEXT),
                new Telemetry(VisitorLogConfig.read(file.below(VisitorLogConfig.VISITOR_LOG)), TraceConfig.read(file),
                        AlertConfig.read(file), file.below(KEEP).value(KEEP_HISTORY).orElse(Duration.ZERO)),
                values);
    }

    private static boolean isPublic(URI uri) {
        return ValueTypes.isWebhook(uri) && uri.getRawQuery() == null;
    }

    private static Jobs jobs(CheckedSection file, CheckedSection front) {
        Map<LimitName, Limit> limits = LimitConfig.read(file.below(LimitConfig.LIMITS));
        List<QueueConfig> queues = QueueConfig.read(file.below(QueueConfig.QUEUES), limits);
        Map<QueueName, QueueConfig> byName = queues.stream()
                .collect(Collectors.toMap(QueueConfig::name, Function.identity()));
        return new Jobs(limits, queues, RouteConfig.read(file, byName.keySet()),
                ScheduleConfig.read(file.below(ScheduleConfig.SCHEDULES), byName), keep(file.below(KEEP)),
                file.value(STOP_GRACE).orElse(Duration.ZERO), file.value(CLAIM_BYTES).orElse(EngineOptions.CLAIM_BYTES),
                front.value(WORKER_REPORTS).orElse(WorkerReports.REFUSED),
                front.value(PUBLIC_URL).orElse(null), new Redaction(file.values(REDACT)));
    }

    private static Site site(CheckedSection file, CheckedSection front, Https https, Set<QueueName> queues) {
        CheckedSection rooms = file.below(RoomConfig.ROOMS);
        if (!rooms.node().entries().isEmpty() && !front.has(OriginReader.ORIGIN) && !file.has(RouteConfig.ROUTES)) {
            file.report(RoomConfig.ROOMS, "The rooms have neither an origin nor a route to protect",
                    "set edge.origin to the protected site, such as http://127.0.0.1:9000");
        }
        Site site = new Site(OriginReader.read(front), new TrustedProxies(front.values(TRUSTED)),
                RoomConfig.read(rooms, queues), EdgeLimits.read(front.below(EdgeLimits.LIMITS)),
                front.value(EVENT_LOOPS).map(Math::toIntExact).orElse(null), https, proxyProtocol(front),
                front.value(DRAIN).orElse(Duration.ZERO), front.value(WARM_UP).orElse(Duration.ZERO));
        OriginReader.checkHosts(front, file, site.rooms());
        return site;
    }

    /** A user or a claim counts only in a token that this server verifies. */
    private static void refuseUsers(CheckedSection rooms, List<RoomConfig> all) {
        all.stream().filter(room -> room.options().onePerUser())
                .forEach(room -> rooms.below(room.name().value()).report(OnePerConfig.ONE_PER,
                        "Users are known by their tokens, and no users are configured",
                        "set users.jwt, or remove one-per"));
        all.stream().filter(room -> room.options().tiers().haveClaims())
                .forEach(room -> rooms.below(room.name().value()).report(TierConfig.TIERS,
                        "The claims of its tiers are in the tokens of users, and no users are configured",
                        "set users.jwt, or remove the claims"));
    }

    /** Nothing that this server sends may come back to its own API: it would act with the rights of its own caller. */
    private static void checkReceivers(CheckedSection file, ListenAddress admin) {
        CheckedSection queues = file.below(QueueConfig.QUEUES);
        queues.node().entries().keySet()
                .forEach(name -> checkReceiver(queues.below(name), QueueConfig.HANDLER, admin));
        checkReceiver(file.below(AlertConfig.ALERTS), AlertConfig.URL, admin);
    }

    private static void checkReceiver(CheckedSection at, KeySpec.Key<URI> key, ListenAddress admin) {
        at.value(key).filter(url -> isApi(url, admin)).ifPresent(_ -> at.report(key,
                "This is the address of the server's own API, which takes no such requests",
                "name the program that is to receive them"));
    }

    private static boolean isApi(URI url, ListenAddress admin) {
        String host = url.getHost();
        int port = url.getPort() >= 0 ? url.getPort() : "https".equals(url.getScheme()) ? HTTPS_PORT : HTTP_PORT;
        return host != null && admin.port() != 0 && port == admin.port()
                && (Authority.isLoopback(host) || host.equalsIgnoreCase(admin.host()));
    }

    private static @Nullable ListenAddress metrics(CheckedSection file, List<ListenAddress> others) {
        if (!file.has(METRICS)) {
            return null;
        }
        CheckedSection at = file.below(METRICS);
        ListenAddress metrics = new ListenAddress(at.value(METRICS_HOST).orElse("localhost"),
                at.value(METRICS_PORT).orElse(0));
        if (metrics.port() != 0 && others.stream().anyMatch(other -> other.port() == metrics.port())) {
            at.report(METRICS_PORT, "Another listener has port " + metrics.port(),
                    "give each listener a port of its own");
        }
        return metrics;
    }

    private static boolean proxyProtocol(CheckedSection front) {
        boolean used = front.value(PROXY_PROTOCOL).orElse(false);
        if (used && !front.has(TRUSTED)) {
            front.report(PROXY_PROTOCOL, "No proxy may connect, since none is trusted",
                    "name the addresses of the proxy: trusted-proxies: [10.0.0.2]");
        }
        return used;
    }

    private static Https https(CheckedSection front, ListenAddress edge, ListenAddress admin) {
        Integer redirect = front.value(REDIRECT_PORT).orElse(null);
        Duration hsts = front.value(HSTS).orElse(null);
        if (redirect == null && edge.tls() != null && edge.tls().acme() != null
                && edge.tls().acme().challenge() == AcmeChallenge.HTTP_01) {
            front.report(REDIRECT_PORT,
                    "The challenge http-01 of edge.tls.acme needs port 80 of each domain, and nothing listens there",
                    "set redirect-port: 80, or to the port that port 80 is mapped to; or remove challenge");
        }
        if (redirect != null && edge.tls() == null) {
            front.report(REDIRECT_PORT, "The edge has no TLS to redirect to",
                    "set edge.tls, or remove redirect-port");
        }
        if (redirect != null && redirect != 0 && (redirect == edge.port() || redirect == admin.port())) {
            front.report(REDIRECT_PORT, "Another listener has port " + redirect,
                    "give each listener a port of its own");
        }
        return new Https(redirect, hsts);
    }

    private static Retention keep(CheckedSection at) {
        return new Retention(at.value(KEEP_DONE).orElse(Duration.ZERO),
                at.value(KEEP_DONE_MAX).orElse(0L),
                at.value(KEEP_DEAD).orElse(Duration.ZERO));
    }
}
