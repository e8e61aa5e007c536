package dev.orderly.config;

import dev.orderly.http.api.LocalUsers;
import dev.orderly.http.gateway.TrustedProxies;
import dev.orderly.http.listener.PathPattern;
import dev.orderly.job.EngineOptions;
import dev.orderly.job.OnDead;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.UpkeepRequest.Retention;
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

/**
 * Builds a {@link Config} from settings whose single values were checked, and checks the rules between several values.
 * A wrong value is replaced by a default so that the rest can be checked; the result is not used then.
 */
final class ConfigReader {
    private final Path folder;
    private final List<Problem> problems;

    ConfigReader(Path folder, List<Problem> problems) {
        this.folder = folder;
        this.problems = problems;
    }

    Config read(Settings file) {
        Settings front = file.below(Table.EDGE);
        Listener edge = listener(front, Table.EDGE_HOST, Table.EDGE_PORT);
        Listener admin = listener(file.below(Table.ADMIN), Table.ADMIN_HOST, Table.ADMIN_PORT);
        if (edge.port() == admin.port() && edge.port() != 0) {
            problems.add(file.below(Table.ADMIN).problem(Table.ADMIN_PORT, "Both listeners have port " + edge.port(),
                    "give edge.port and admin.port two different values"));
        }
        List<QueueConfig> queues = queues(file.below(Table.QUEUES));
        Set<QueueName> names = queues.stream().map(QueueConfig::name).collect(Collectors.toSet());
        Config.Jobs jobs = new Config.Jobs(queues, routes(file, names), schedules(file, queues),
                keep(file.below(Table.KEEP)),
                file.value(Table.STOP_GRACE).orElse(Duration.ZERO),
                file.value(Table.CLAIM_BYTES).orElse(EngineOptions.CLAIM_BYTES));
        OriginReader origins = new OriginReader(problems);
        Config.Site site = new Config.Site(origins.read(front), new TrustedProxies(front.values(RoomTable.TRUSTED)),
                rooms(file, front, names), new LimitReader(problems).read(front.below(LimitTable.LIMITS)));
        origins.checkHosts(front, file, site.rooms());
        return new Config(store(file), resolved(file.value(Table.SECRET_FILE).orElse(Path.of("secret"))), edge, admin,
                file.below(Table.ADMIN).value(Table.ADMIN_USERS).orElse(LocalUsers.OWN), jobs, site,
                new UserReader(folder, problems).read(file),
                new LiveReader(names, problems).read(file), file.value(Table.LOG).orElse(LogFormat.TEXT));
    }

    private List<ScheduleConfig> schedules(Settings file, List<QueueConfig> queues) {
        Map<QueueName, QueueConfig> byName = queues.stream()
                .collect(Collectors.toMap(QueueConfig::name, Function.identity()));
        return new ScheduleReader(byName, problems).read(file.below(ScheduleTable.SCHEDULES));
    }

    private List<RoomConfig> rooms(Settings file, Settings front, Set<QueueName> queues) {
        Settings at = file.below(RoomTable.ROOMS);
        if (!at.node().entries().isEmpty() && !front.has(RoomTable.ORIGIN) && !file.has(Table.ROUTES)) {
            problems.add(file.problem(RoomTable.ROOMS, "The rooms have neither an origin nor a route to protect",
                    "set edge.origin to the protected site, such as http://127.0.0.1:9000"));
        }
        return new RoomReader(new PageReader(folder, problems), queues, problems).read(at);
    }

    private StoreConfig store(Settings file) {
        Settings parts = file.below(Table.STORES);
        Optional<StoreUrl> whole = file.value(Table.STORE);
        Optional<StoreUrl> rooms = whole.or(() -> parts.value(Table.STORE_ROOMS));
        Optional<StoreUrl> jobs = whole.or(() -> parts.value(Table.STORE_JOBS)).or(() -> rooms);
        if (jobs.isPresent() && jobs.get() instanceof StoreUrl.Redis) {
            problems.add(parts.problem(Table.STORE_JOBS, "Redis keeps rooms, but neither jobs nor schedules",
                    "name a store for jobs, for instance jobs: " + StoreKinds.everything().example()));
        } else if (file.node().entries().get(Table.STORES.name()) instanceof Node.Section named
                && named.entries().isEmpty()) {
            problems.add(file.problem(Table.STORES, "Neither jobs nor rooms are named",
                    "write one address, or both keys"));
        }
        StoreUrl nowhere = new StoreUrl.Sqlite(folder);
        return new StoreConfig(resolved(jobs.orElse(nowhere)), resolved(rooms.or(() -> jobs).orElse(nowhere)));
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

    private static Listener listener(Settings at, Entry.Key<String> host, Entry.Key<Integer> port) {
        return new Listener(at.value(host).orElse("localhost"), at.value(port).orElse(0));
    }

    private static Retention keep(Settings at) {
        return new Retention(at.value(Table.KEEP_DONE).orElse(Duration.ZERO), at.value(Table.KEEP_DONE_MAX).orElse(0L),
                at.value(Table.KEEP_DEAD).orElse(Duration.ZERO));
    }

    private List<QueueConfig> queues(Settings at) {
        List<QueueConfig> queues = new ArrayList<>();
        for (String name : at.node().entries().keySet()) {
            Table.QUEUE.kind().read().apply(name).ifPresent(queue -> queues.add(queue(queue, at.below(name))));
        }
        return queues;
    }

    private QueueConfig queue(QueueName name, Settings at) {
        QueueOptions defaults = QueueOptions.defaultsFor(name);
        if (at.has(Table.ON_DEAD) && !name.isFifo()) {
            problems.add(at.problem(Table.ON_DEAD, "A standard queue has no groups to halt",
                    "remove it, or end the queue's name in .fifo"));
        }
        QueueOptions options = defaults
                .withConcurrency(at.value(Table.CONCURRENCY).map(Math::toIntExact).orElse(defaults.concurrency()))
                .withTimeout(at.value(Table.TIMEOUT).orElse(defaults.timeout()))
                .withRetry(retry(at.below(Table.RETRY), defaults.retry()))
                .withOnDead(at.value(Table.ON_DEAD).orElse(OnDead.CONTINUE))
                .withMaxPayload(at.value(Table.MAX_PAYLOAD).map(Math::toIntExact).orElse(defaults.maxPayload()))
                .withMaxPending(at.value(Table.MAX_PENDING).orElse(defaults.maxPending()));
        return new QueueConfig(name, at.value(Table.HANDLER).orElse(null), options);
    }

    private RetryPolicy retry(Settings at, RetryPolicy defaults) {
        Duration base = given(at, Table.BASE, defaults.base());
        Duration max = given(at, Table.MAX, defaults.max());
        if (base.compareTo(max) > 0) {
            boolean readable = (!at.has(Table.BASE) || at.value(Table.BASE).isPresent())
                    && (!at.has(Table.MAX) || at.value(Table.MAX).isPresent());
            if (readable) {
                problems.add(at.problem(Table.BASE, "The first wait, " + Amounts.text(base)
                        + ", is longer than the longest, " + Amounts.text(max)
                        + (at.has(Table.MAX) ? "" : " by default"),
                        "make base shorter or max longer"));
            }
            return defaults;
        }
        return new RetryPolicy(at.value(Table.ATTEMPTS).map(Math::toIntExact).orElse(defaults.attempts()), base,
                at.value(Table.FACTOR).orElse(defaults.factor()), max,
                at.value(Table.JITTER).orElse(defaults.jitter()));
    }

    private static Duration given(Settings at, Entry.Key<Duration> key, Duration otherwise) {
        return at.value(key).orElse(otherwise);
    }

    private List<RouteConfig> routes(Settings file, Set<QueueName> queues) {
        List<RouteConfig> routes = new ArrayList<>();
        Map<PathPattern, String> seen = new TreeMap<>();
        for (Settings at : file.items(Table.ROUTES)) {
            Optional<PathPattern> post = at.value(Table.POST);
            Optional<QueueName> queue = at.value(Table.QUEUE);
            post.ifPresent(path -> {
                String before = seen.putIfAbsent(path, at.path());
                if (before != null) {
                    problems.add(at.problem(Table.POST, before + " takes the same requests",
                            "remove one of the two routes"));
                }
            });
            queue.filter(name -> !queues.contains(name)).ifPresent(
                    name -> problems.add(undeclared(at, Table.QUEUE, name, queues)));
            if (post.isPresent() && queue.isPresent()) {
                group(at, post.get(), queue.get());
                routes.add(new RouteConfig(post.get(), queue.get(), at.values(Table.ACCEPTS)));
            }
        }
        return routes;
    }

    static Problem undeclared(Settings at, Entry key, QueueName name, Set<QueueName> queues) {
        List<String> names = queues.stream().map(QueueName::value).sorted().toList();
        String remedy = Paths.nearest(name.value(), names).map(near -> "did you mean " + near + "?")
                .orElse("declare it: queues: { " + name + ": {} }");
        return at.problem(key, "No such queue is declared under queues", remedy);
    }

    private void group(Settings at, PathPattern post, QueueName queue) {
        if (queue.isFifo() && !post.names().contains("group")) {
            problems.add(at.problem(Table.POST, "Queue " + queue + " is FIFO, so the path must contain the job's group",
                    "put {group} into the path, such as " + post.text() + "/{group}"));
        } else if (!queue.isFifo() && post.names().contains("group")) {
            problems.add(at.problem(Table.POST, "Queue " + queue + " is a standard queue, which has no groups",
                    "use a name other than {group}, or a queue whose name ends in .fifo"));
        }
    }
}
