package dev.orderly.config.reader;

import dev.orderly.config.BackupConfig;
import dev.orderly.config.Config;
import dev.orderly.config.ConfigProblem;
import dev.orderly.config.ListenAddress;
import dev.orderly.config.LogFormat;
import dev.orderly.config.QueueConfig;
import dev.orderly.config.RoomConfig;
import dev.orderly.config.RouteConfig;
import dev.orderly.config.ScheduleConfig;
import dev.orderly.config.StoreConfig;
import dev.orderly.config.StoreUrl;
import dev.orderly.config.WorkerReports;
import dev.orderly.config.schema.AlertSchema;
import dev.orderly.config.schema.Amounts;
import dev.orderly.config.schema.BackupSchema;
import dev.orderly.config.schema.ConfigSchema;
import dev.orderly.config.schema.KeySpec;
import dev.orderly.config.schema.LimitSchema;
import dev.orderly.config.schema.RoomSchema;
import dev.orderly.config.schema.ScheduleSchema;
import dev.orderly.config.schema.StoreValueTypes;
import dev.orderly.config.schema.TlsSchema;
import dev.orderly.config.schema.UserSchema;
import dev.orderly.config.source.YamlNode;
import dev.orderly.http.acme.AcmeChallenge;
import dev.orderly.http.intake.Route;
import dev.orderly.job.OnDead;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.present.Redaction;
import dev.orderly.job.store.UpkeepRequest.Retention;
import dev.orderly.text.NearestName;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.header.Authority;
import dev.orderly.web.path.PathTemplate;
import dev.orderly.web.user.PageOrigins;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link Config} from settings whose single values were checked, and checks the rules between several values.
 * A wrong value is replaced by a default so that the rest can be checked; the result is not used then.
 */
final class ConfigReader {
    private static final int HTTP = 80;
    private static final int HTTPS = 443;

    private final Path folder;
    private final Map<String, String> environment;
    private final List<ConfigProblem> problems;

    /** @param environment variables of the process, some of which hold secrets */
    ConfigReader(Path folder, Map<String, String> environment, List<ConfigProblem> problems) {
        this.folder = folder;
        this.environment = environment;
        this.problems = problems;
    }

    Config read(CheckedSection file) {
        CheckedSection front = file.below(ConfigSchema.EDGE);
        ListenAddress edge = listener(front, ConfigSchema.EDGE_HOST, ConfigSchema.EDGE_PORT);
        ListenAddress admin = listener(file.below(ConfigSchema.ADMIN), ConfigSchema.ADMIN_HOST,
                ConfigSchema.ADMIN_PORT);
        if (edge.port() == admin.port() && edge.port() != 0) {
            problems.add(file.below(ConfigSchema.ADMIN).problem(ConfigSchema.ADMIN_PORT,
                    "Both listeners have port " + edge.port(),
                    "give edge.port and admin.port two different values"));
        }
        ListenAddress metrics = metrics(file, List.of(edge, admin));
        checkReceivers(file, admin);
        Config.Https https = https(front, edge, admin);
        List<QueueConfig> queues = queues(file.below(ConfigSchema.QUEUES));
        Set<QueueName> names = queues.stream().map(QueueConfig::name).collect(Collectors.toSet());
        Config.Jobs jobs = new Config.Jobs(queues, routes(file, names), schedules(file, queues),
                keep(file.below(ConfigSchema.KEEP)),
                file.value(ConfigSchema.STOP_GRACE).orElse(Duration.ZERO),
                file.value(ConfigSchema.CLAIM_BYTES).orElse(EngineOptions.CLAIM_BYTES),
                front.value(ConfigSchema.WORKER_REPORTS).orElse(WorkerReports.REFUSED),
                new Redaction(file.values(ConfigSchema.REDACT)));
        OriginReader origins = new OriginReader(problems);
        Config.Site site = new Config.Site(origins.read(front), new TrustedProxies(front.values(RoomSchema.TRUSTED)),
                rooms(file, front, names), new LimitReader(problems).read(front.below(LimitSchema.LIMITS)),
                front.value(ConfigSchema.EVENT_LOOPS).map(Math::toIntExact).orElse(null), https, proxyProtocol(front),
                front.value(ConfigSchema.DRAIN).orElse(Duration.ZERO),
                front.value(ConfigSchema.WARM_UP).orElse(Duration.ZERO));
        origins.checkHosts(front, file, site.rooms());
        return new Config(store(file), resolved(file.value(ConfigSchema.SECRET_FILE).orElse(Path.of("secret"))), edge,
                admin, metrics,
                new AccessReader(folder, problems).read(file, admin), jobs, site,
                new UserReader(folder, problems).read(file),
                new LiveReader(names, problems).read(file), file.value(ConfigSchema.LOG).orElse(LogFormat.TEXT),
                new TelemetryReader(folder, environment, problems).read(file),
                problems.isEmpty() ? ConfigListing.of(file.node()) : List.of());
    }

    /** Nothing that this server sends may come back to its own API: it would act with the rights of its own caller. */
    private void checkReceivers(CheckedSection file, ListenAddress admin) {
        CheckedSection queues = file.below(ConfigSchema.QUEUES);
        queues.node().entries().keySet()
                .forEach(name -> checkReceiver(queues.below(name), ConfigSchema.HANDLER, admin));
        checkReceiver(file.below(AlertSchema.ALERTS), AlertSchema.URL, admin);
    }

    private void checkReceiver(CheckedSection at, KeySpec.Key<URI> key, ListenAddress admin) {
        at.value(key).filter(url -> isApi(url, admin)).ifPresent(_ -> problems.add(at.problem(key,
                "This is the address of the server's own API, which takes no such requests",
                "name the program that is to receive them")));
    }

    private static boolean isApi(URI url, ListenAddress admin) {
        String host = url.getHost();
        int port = url.getPort() >= 0 ? url.getPort() : "https".equals(url.getScheme()) ? HTTPS : HTTP;
        return host != null && admin.port() != 0 && port == admin.port()
                && (Authority.isLoopback(host) || host.equalsIgnoreCase(admin.host()));
    }

    private List<ScheduleConfig> schedules(CheckedSection file, List<QueueConfig> queues) {
        Map<QueueName, QueueConfig> byName = queues.stream()
                .collect(Collectors.toMap(QueueConfig::name, Function.identity()));
        return new ScheduleReader(byName, problems).read(file.below(ScheduleSchema.SCHEDULES));
    }

    private List<RoomConfig> rooms(CheckedSection file, CheckedSection front, Set<QueueName> queues) {
        CheckedSection at = file.below(RoomSchema.ROOMS);
        if (!at.node().entries().isEmpty() && !front.has(RoomSchema.ORIGIN) && !file.has(ConfigSchema.ROUTES)) {
            problems.add(file.problem(RoomSchema.ROOMS, "The rooms have neither an origin nor a route to protect",
                    "set edge.origin to the protected site, such as http://127.0.0.1:9000"));
        }
        return new RoomReader(new PageReader(folder, problems), queues, problems).read(at);
    }

    private StoreConfig store(CheckedSection file) {
        CheckedSection parts = file.below(ConfigSchema.STORES);
        Optional<StoreUrl> whole = file.value(ConfigSchema.STORE);
        Optional<StoreUrl> rooms = whole.or(() -> parts.value(ConfigSchema.STORE_ROOMS));
        Optional<StoreUrl> jobs = whole.or(() -> parts.value(ConfigSchema.STORE_JOBS)).or(() -> rooms);
        if (jobs.isPresent() && jobs.get() instanceof StoreUrl.Redis) {
            problems.add(parts.problem(ConfigSchema.STORE_JOBS, "Redis keeps rooms, but neither jobs nor schedules",
                    "name a store for jobs, for instance jobs: " + StoreValueTypes.everything().example()));
        } else if (file.node().entries().get(ConfigSchema.STORES.name()) instanceof YamlNode.Section named
                && named.entries().isEmpty()) {
            problems.add(file.problem(ConfigSchema.STORES, "Neither jobs nor rooms are named",
                    "write one address, or both keys"));
        }
        StoreUrl nowhere = new StoreUrl.Sqlite(folder);
        return new StoreConfig(resolved(jobs.orElse(nowhere)), resolved(rooms.or(() -> jobs).orElse(nowhere)),
                backup(file, jobs.orElse(nowhere)));
    }

    private @Nullable BackupConfig backup(CheckedSection file, StoreUrl jobs) {
        if (file.has(BackupSchema.BACKUP) && !(jobs instanceof StoreUrl.Sqlite)) {
            problems.add(file.problem(BackupSchema.BACKUP, "The server writes backups of a SQLite store only",
                    "remove backup, and back up PostgreSQL with pg_dump or by its provider"));
        }
        CheckedSection at = file.below(BackupSchema.BACKUP);
        return at.value(BackupSchema.TO).map(to -> new BackupConfig(resolved(to),
                at.value(BackupSchema.EVERY).orElse(Duration.ZERO),
                Math.toIntExact(at.value(BackupSchema.KEEP).orElse(1L)))).orElse(null);
    }

    private StoreUrl resolved(StoreUrl url) {
        return switch (url) {
            case StoreUrl.Sqlite sqlite -> new StoreUrl.Sqlite(resolved(sqlite.file()));
            case StoreUrl.Postgres _,StoreUrl.Redis _ -> url;
        };
    }

    private Path resolved(Path path) {
        return folder.resolve(path).normalize();
    }

    private ListenAddress listener(CheckedSection at, KeySpec.Key<String> host, KeySpec.Key<Integer> port) {
        return new ListenAddress(at.value(host).orElse("localhost"), at.value(port).orElse(0),
                new TlsReader(folder, environment, problems).read(at));
    }

    private @Nullable ListenAddress metrics(CheckedSection file, List<ListenAddress> others) {
        if (!file.has(ConfigSchema.METRICS)) {
            return null;
        }
        CheckedSection at = file.below(ConfigSchema.METRICS);
        ListenAddress metrics = new ListenAddress(at.value(ConfigSchema.METRICS_HOST).orElse("localhost"),
                at.value(ConfigSchema.METRICS_PORT).orElse(0));
        if (metrics.port() != 0 && others.stream().anyMatch(other -> other.port() == metrics.port())) {
            problems.add(at.problem(ConfigSchema.METRICS_PORT, "Another listener has port " + metrics.port(),
                    "give each listener a port of its own"));
        }
        return metrics;
    }

    private boolean proxyProtocol(CheckedSection front) {
        boolean used = front.value(TlsSchema.PROXY_PROTOCOL).orElse(false);
        if (used && !front.has(RoomSchema.TRUSTED)) {
            problems.add(front.problem(TlsSchema.PROXY_PROTOCOL, "No proxy may connect, since none is trusted",
                    "name the addresses of the proxy: trusted-proxies: [10.0.0.2]"));
        }
        return used;
    }

    private Config.Https https(CheckedSection front, ListenAddress edge, ListenAddress admin) {
        Integer redirect = front.value(TlsSchema.REDIRECT_PORT).orElse(null);
        Duration hsts = front.value(TlsSchema.HSTS).orElse(null);
        if (redirect == null && edge.tls() != null && edge.tls().acme() != null
                && edge.tls().acme().challenge() == AcmeChallenge.HTTP_01) {
            problems.add(front.problem(TlsSchema.REDIRECT_PORT,
                    "The challenge http-01 of edge.tls.acme needs port 80 of each domain, and nothing listens there",
                    "set redirect-port: 80, or to the port that port 80 is mapped to; or remove challenge"));
        }
        if (redirect != null && edge.tls() == null) {
            problems.add(front.problem(TlsSchema.REDIRECT_PORT, "The edge has no TLS to redirect to",
                    "set edge.tls, or remove redirect-port"));
        }
        if (redirect != null && redirect != 0 && (redirect == edge.port() || redirect == admin.port())) {
            problems.add(front.problem(TlsSchema.REDIRECT_PORT, "Another listener has port " + redirect,
                    "give each listener a port of its own"));
        }
        return new Config.Https(redirect, hsts);
    }

    private static Retention keep(CheckedSection at) {
        return new Retention(at.value(ConfigSchema.KEEP_DONE).orElse(Duration.ZERO),
                at.value(ConfigSchema.KEEP_DONE_MAX).orElse(0L),
                at.value(ConfigSchema.KEEP_DEAD).orElse(Duration.ZERO));
    }

    private List<QueueConfig> queues(CheckedSection at) {
        List<QueueConfig> queues = new ArrayList<>();
        for (String name : at.node().entries().keySet()) {
            ConfigSchema.QUEUE.kind().read().apply(name).ifPresent(queue -> queues.add(queue(queue, at.below(name))));
        }
        return queues;
    }

    private QueueConfig queue(QueueName name, CheckedSection at) {
        QueueOptions defaults = QueueOptions.defaultsFor(name);
        if (at.has(ConfigSchema.ON_DEAD) && !name.isFifo()) {
            problems.add(at.problem(ConfigSchema.ON_DEAD, "A standard queue has no groups to halt",
                    "remove it, or end the queue's name in .fifo"));
        }
        if (at.has(ConfigSchema.CONTENT_DEDUPE) && !name.isFifo()) {
            problems.add(at.problem(ConfigSchema.CONTENT_DEDUPE, "A standard queue compares no content",
                    "remove it, or end the queue's name in .fifo"));
        }
        QueueOptions options = defaults
                .withConcurrency(
                        at.value(ConfigSchema.CONCURRENCY).map(Math::toIntExact).orElse(defaults.concurrency()))
                .withTimeout(at.value(ConfigSchema.TIMEOUT).orElse(defaults.timeout()))
                .withRetry(retry(at.below(ConfigSchema.RETRY), defaults.retry()))
                .withOnDead(at.value(ConfigSchema.ON_DEAD).orElse(OnDead.CONTINUE))
                .withContentDedupe(at.value(ConfigSchema.CONTENT_DEDUPE).orElse(defaults.contentDedupe()))
                .withMaxPayload(at.value(ConfigSchema.MAX_PAYLOAD).map(Math::toIntExact).orElse(defaults.maxPayload()))
                .withMaxPending(at.value(ConfigSchema.MAX_PENDING).orElse(defaults.maxPending()))
                .withMaxLeased(at.value(ConfigSchema.MAX_LEASED).orElse(defaults.maxLeased()));
        return new QueueConfig(name, at.value(ConfigSchema.HANDLER).orElse(null), options);
    }

    private RetryPolicy retry(CheckedSection at, RetryPolicy defaults) {
        Duration base = given(at, ConfigSchema.BASE, defaults.base());
        Duration max = given(at, ConfigSchema.MAX, defaults.max());
        if (base.compareTo(max) > 0) {
            boolean readable = (!at.has(ConfigSchema.BASE) || at.value(ConfigSchema.BASE).isPresent())
                    && (!at.has(ConfigSchema.MAX) || at.value(ConfigSchema.MAX).isPresent());
            if (readable) {
                problems.add(at.problem(ConfigSchema.BASE, "The first wait, " + Amounts.text(base)
                        + ", is longer than the longest, " + Amounts.text(max)
                        + (at.has(ConfigSchema.MAX) ? "" : " by default"),
                        "make base shorter or max longer"));
            }
            return defaults;
        }
        return new RetryPolicy(at.value(ConfigSchema.ATTEMPTS).map(Math::toIntExact).orElse(defaults.attempts()), base,
                at.value(ConfigSchema.FACTOR).orElse(defaults.factor()), max,
                at.value(ConfigSchema.JITTER).orElse(defaults.jitter()));
    }

    private static Duration given(CheckedSection at, KeySpec.Key<Duration> key, Duration otherwise) {
        return at.value(key).orElse(otherwise);
    }

    private List<RouteConfig> routes(CheckedSection file, Set<QueueName> queues) {
        List<RouteConfig> routes = new ArrayList<>();
        Map<PathTemplate, String> seen = new TreeMap<>();
        for (CheckedSection at : file.items(ConfigSchema.ROUTES)) {
            Optional<PathTemplate> post = at.value(ConfigSchema.POST);
            Optional<QueueName> queue = at.value(ConfigSchema.QUEUE);
            post.ifPresent(path -> {
                String before = seen.putIfAbsent(path, at.path());
                if (before != null) {
                    problems.add(at.problem(ConfigSchema.POST, before + " takes the same requests",
                            "remove one of the two routes"));
                }
            });
            queue.filter(name -> !queues.contains(name)).ifPresent(
                    name -> problems.add(undeclared(at, ConfigSchema.QUEUE, name, queues)));
            if (post.isPresent() && queue.isPresent()) {
                RouteConfig route = new RouteConfig(post.get(), queue.get(), at.values(ConfigSchema.ACCEPTS),
                        at.value(ConfigSchema.ROUTE_USERS).orElse(Route.Users.OPTIONAL),
                        at.value(ConfigSchema.ROUTE_GROUP).orElse(Route.Group.PATH), limits(at),
                        new PageOrigins(at.values(ConfigSchema.ROUTE_ORIGINS)));
                group(at, route);
                users(at, route, file.has(UserSchema.USERS));
                routes.add(route);
            }
        }
        return routes;
    }

    private static Route.Limits limits(CheckedSection route) {
        CheckedSection at = route.below(ConfigSchema.ROUTE_LIMITS);
        return new Route.Limits(at.value(ConfigSchema.PER_USER).orElse(null),
                at.value(ConfigSchema.PER_ADDRESS).orElse(null));
    }

    static ConfigProblem undeclared(CheckedSection at, KeySpec key, QueueName name, Set<QueueName> queues) {
        List<String> names = queues.stream().map(QueueName::value).sorted().toList();
        String remedy = NearestName.of(name.value(), names).map(near -> "did you mean " + near + "?")
                .orElse("declare it: queues: { " + name + ": {} }");
        return at.problem(key, "No such queue is declared under queues", remedy);
    }

    private void users(CheckedSection at, RouteConfig route, boolean known) {
        if (route.users() == Route.Users.REQUIRED && !known) {
            problems.add(at.problem(ConfigSchema.ROUTE_USERS, "The route requires users, and no keys verify their "
                    + "tokens",
                    "configure users.jwt, see docs/users.md"));
        }
        if (route.limits().perUser() != null && route.users() == Route.Users.NONE) {
            problems.add(at.below(ConfigSchema.ROUTE_LIMITS).problem(ConfigSchema.PER_USER,
                    "The route looks at no user", "remove the key, or set users: optional or required"));
        }
        if (route.group() == Route.Group.USER && route.users() != Route.Users.REQUIRED) {
            problems.add(at.problem(ConfigSchema.ROUTE_GROUP, "The user is the group, so every request needs a user",
                    "set users: required"));
        }
        if (route.group() == Route.Group.USER && route.post().names().contains("group")) {
            problems.add(at.problem(ConfigSchema.POST, "The user is the group, and the path names another",
                    "drop {group} from the path, or the key group"));
        }
    }

    private void group(CheckedSection at, RouteConfig route) {
        PathTemplate post = route.post();
        QueueName queue = route.queue();
        if (queue.isFifo() && !post.names().contains("group") && route.group() == Route.Group.PATH) {
            problems.add(at.problem(ConfigSchema.POST,
                    "Queue " + queue + " is FIFO, so the path must contain the job's group",
                    "put {group} into the path, such as " + post.text() + "/{group}, or set group: user"));
        } else if (!queue.isFifo() && route.group() == Route.Group.USER) {
            problems.add(at.problem(ConfigSchema.ROUTE_GROUP,
                    "Queue " + queue + " is a standard queue, which has no groups",
                    "remove the key, or use a queue whose name ends in .fifo"));
        } else if (!queue.isFifo() && post.names().contains("group")) {
            problems.add(at.problem(ConfigSchema.POST, "Queue " + queue + " is a standard queue, which has no groups",
                    "use a name other than {group}, or a queue whose name ends in .fifo"));
        }
    }
}
