package dev.orderly.config.schema;

import dev.orderly.config.LogFormat;
import dev.orderly.config.StoreUrl;
import dev.orderly.config.WorkerReports;
import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.KeySpec.Group;
import dev.orderly.config.schema.KeySpec.Listed;
import dev.orderly.config.schema.KeySpec.Many;
import dev.orderly.config.schema.KeySpec.Named;
import dev.orderly.config.schema.KeySpec.Split;
import dev.orderly.http.intake.Route;
import dev.orderly.job.OnDead;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.store.UpkeepRequest.Retention;
import dev.orderly.room.Rate;
import dev.orderly.web.path.PathTemplate;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Every key of the file. A key that is not in this table is refused; {@code docs/configuration.md} describes every key.
 */
public final class ConfigSchema {
    public static final KeySpec.Key<StoreUrl> STORE = new KeySpec.Key<>("store", StoreValueTypes.everything(),
            new Absent.Refused(),
            "The store. A file and its folder are created if missing, and used by one process at a time; a PostgreSQL"
                    + " database is shared by all nodes that name it.");
    public static final KeySpec.Key<StoreUrl> STORE_JOBS = new KeySpec.Key<>("jobs", StoreValueTypes.everything(),
            depends("the store of rooms, unless that is Redis"), "The store of jobs and schedules.");
    public static final KeySpec.Key<StoreUrl> STORE_ROOMS = new KeySpec.Key<>("rooms", StoreValueTypes.rooms(),
            depends("the store of jobs"), "The store of rooms, which also carries live messages between nodes.");
    public static final Split STORES = new Split(STORE, List.of(STORE_JOBS, STORE_ROOMS),
            "Two stores instead of one: `store: { jobs: \"postgres://…\", rooms: \"redis://…\" }`. Both take the values"
                    + " of `store`; `rooms` also takes `redis://`.");
    public static final KeySpec.Key<Path> SECRET_FILE = new KeySpec.Key<>("secret-file", ValueTypes.path("data/secret"),
            means("data/secret"),
            "The secrets of this server, one a line: base64 of 24 to 64 random bytes. The first one signs tickets; all"
                    + " secrets sign webhooks and verify tickets, so that an old secret can be replaced by a new one."
                    + " If the file is missing and a queue has a handler or there is a room, it is created with one"
                    + " secret, readable by its owner only. Give it to nobody: `orderly config webhook-secret` prints"
                    + " what receivers of webhooks need, and `ORDERLY_SECRET` (secrets separated by spaces) replaces"
                    + " the file. Rooms need secrets of 32 bytes or more.");
    public static final KeySpec.Key<LogFormat> LOG = new KeySpec.Key<>("log", ValueTypes.choice(LogFormat.class),
            means("text"),
            "The format of log lines: text for people, or one JSON object a line.");
    public static final KeySpec.Key<Duration> STOP_GRACE = new KeySpec.Key<>("stop-grace",
            ValueTypes.duration("0s", "1h", "25s"),
            means("25s"),
            "How long a stop waits for running jobs before it interrupts them and gives them back.");
    public static final KeySpec.Key<Long> CLAIM_BYTES = new KeySpec.Key<>("claim-bytes",
            ValueTypes.size(Amounts.sizeText(QueueOptions.PAYLOAD_LIMIT), "1GiB", "32MiB"),
            means(Amounts.sizeText(EngineOptions.CLAIM_BYTES)),
            "Upper bound for the payload of running jobs in this node's memory. At the bound no further job starts"
                    + " here; one job may exceed it.");

    public static final Many<String> REDACT = new Many<>("redact", RoomValueTypes.text(200, "password"),
            depends("none"),
            "Keys whose values the API and the dashboard mask, in the payload, result and params of jobs: in JSON at"
                    + " any depth, and in fields of forms. Upper and lower case are the same. Masked too: these values"
                    + " of a job in the error and the progress of its worker. No search compares them. Revealing a job"
                    + " needs the role operator and is in the audit log. Text and bytes have no keys, so that nothing"
                    + " in them is masked. Handlers get everything.");

    public static final KeySpec.Key<Integer> EDGE_PORT = new KeySpec.Key<>("port", ValueTypes.port("8080"),
            means("8080"),
            "The public port.");
    public static final KeySpec.Key<String> EDGE_HOST = new KeySpec.Key<>("host", ValueTypes.host(), means("0.0.0.0"),
            "The address of the public listener; all addresses by default.");
    public static final KeySpec.Key<Long> EVENT_LOOPS = new KeySpec.Key<>("event-loops", ValueTypes.count(1, 256, "4"),
            depends("as many as cores"),
            "Threads that serve the public connections; each connection belongs to one of them. Fewer leave cores to"
                    + " what else runs on the machine; more than cores gain nothing.");
    public static final KeySpec.Key<WorkerReports> WORKER_REPORTS = new KeySpec.Key<>("worker-reports",
            ValueTypes.choice(WorkerReports.class), means("refused"),
            "Whether workers may report about their attempts at the public listener too, below `/.orderly/jobs/ID`;"
                    + " the attempt's token is their whole authority.");
    public static final KeySpec.Key<Duration> DRAIN = new KeySpec.Key<>("drain", ValueTypes.duration("0s", "10m", "5s"),
            means("5s"),
            "How long the edge goes on after SIGTERM while `/health/ready` is 503, so that balancers send new requests"
                    + " elsewhere before connections are refused. Longer than a balancer takes to notice.");
    public static final KeySpec.Key<Duration> WARM_UP = new KeySpec.Key<>("warm-up",
            ValueTypes.duration("0s", "1m", "15s"), means("15s"),
            "How long at most a node with rooms asks a gateway of its own at its start, so that compiled code serves"
                    + " the first rush. Beside other nodes it is not ready until then. `0s` leaves it out: for a start"
                    + " that should cost little, such as on a laptop.");
    public static final KeySpec.Key<Integer> METRICS_PORT = new KeySpec.Key<>("port", ValueTypes.port("9464"),
            means("9464"), "The port of the metrics.");
    public static final KeySpec.Key<String> METRICS_HOST = new KeySpec.Key<>("host", ValueTypes.host(),
            means("127.0.0.1"),
            "The address of the metrics' listener. It asks for no token: on another address than 127.0.0.1, let a"
                    + " firewall or a network policy decide who reaches it.");
    public static final KeySpec.Key<Integer> ADMIN_PORT = new KeySpec.Key<>("port", ValueTypes.port("8081"),
            means("8081"),
            "The port of the API.");
    public static final KeySpec.Key<String> ADMIN_HOST = new KeySpec.Key<>("host", ValueTypes.host(),
            means("127.0.0.1"),
            "The address of the API's listener. Another than 127.0.0.1, ::1 or localhost needs `tls` or"
                    + " `trusted-proxies`, and is used once there is an access token or `proxy-user-header`; until then"
                    + " the API stays on 127.0.0.1.");

    public static final KeySpec.Key<URI> HANDLER = new KeySpec.Key<>("handler", ValueTypes.handler(),
            depends("none: jobs wait"),
            "The address to which jobs are POSTed; `user:password@` becomes Basic authentication. An answer of 2xx"
                    + " completes the job; 408, 409, 429 and 5xx retry it; any other 4xx makes it a dead letter."
                    + " `pull` leaves the jobs to workers that claim them over the API; see workers.md.");
    public static final KeySpec.Key<Long> CONCURRENCY = new KeySpec.Key<>("concurrency",
            ValueTypes.count(1, 100_000, "32"),
            means(Integer.toString(QueueOptions.STANDARD.concurrency())),
            "How many jobs run at once on this node; on a FIFO queue each of another group.");
    public static final KeySpec.Key<Duration> TIMEOUT = new KeySpec.Key<>("timeout",
            ValueTypes.duration("1ms", "7d", "5m"),
            means(Amounts.text(QueueOptions.STANDARD.timeout())), "The longest time of one attempt.");
    public static final KeySpec.Key<OnDead> ON_DEAD = new KeySpec.Key<>("on-dead", ValueTypes.choice(OnDead.class),
            means("continue"),
            "FIFO queues only: whether a group continues after a dead letter, or halts until the job is redriven or"
                    + " cancelled.");
    public static final KeySpec.Key<Boolean> CONTENT_DEDUPE = new KeySpec.Key<>("content-dedupe", ValueTypes.flag(),
            means("true"),
            "FIFO queues only: whether a push without a dedupe id is a duplicate if a job with the same content type,"
                    + " payload, params and user was pushed into its group within five minutes.");
    public static final KeySpec.Key<Long> MAX_PAYLOAD = new KeySpec.Key<>("max-payload", ValueTypes.size("1B",
            Amounts.sizeText(QueueOptions.PAYLOAD_LIMIT), "256KiB"),
            means(Amounts.sizeText(QueueOptions.STANDARD.maxPayload())), "The largest payload of a push.");
    public static final KeySpec.Key<Long> MAX_PENDING = new KeySpec.Key<>("max-pending",
            ValueTypes.count(1, 1_000_000_000_000L, "10000000"),
            means(Long.toString(QueueOptions.STANDARD.maxPending())),
            "How many jobs may wait or be delayed before pushes are refused.");

    public static final KeySpec.Key<Long> MAX_LEASED = new KeySpec.Key<>("max-leased",
            ValueTypes.count(1, 1_000_000_000L, "10000"),
            means(Long.toString(QueueOptions.STANDARD.maxLeased())),
            "How many jobs may run at workers elsewhere, after a 202 with `Orderly-Later` or a claim, before no"
                    + " further job of the queue starts. They take up none of `concurrency`.");

    public static final KeySpec.Key<Long> ATTEMPTS = new KeySpec.Key<>("attempts", ValueTypes.count(1, 1_000, "8"),
            perKind(RetryPolicy.STANDARD.attempts(), RetryPolicy.FIFO.attempts()),
            "Failed attempts until the job is a dead letter.");
    public static final KeySpec.Key<Duration> BASE = new KeySpec.Key<>("base", ValueTypes.duration("1ms", "30d", "2s"),
            perKind(Amounts.text(RetryPolicy.STANDARD.base()), Amounts.text(RetryPolicy.FIFO.base())),
            "The wait after the first failure; at most `max`.");
    public static final KeySpec.Key<Double> FACTOR = new KeySpec.Key<>("factor", ValueTypes.decimal(1, 100, "3"),
            perKind(3, 3),
            "The factor between one wait and the next.");
    public static final KeySpec.Key<Duration> MAX = new KeySpec.Key<>("max", ValueTypes.duration("1ms", "30d", "5m"),
            perKind(Amounts.text(RetryPolicy.STANDARD.max()), Amounts.text(RetryPolicy.FIFO.max())),
            "The longest wait.");
    public static final KeySpec.Key<Double> JITTER = new KeySpec.Key<>("jitter", ValueTypes.decimal(0, 1, "0.25"),
            perKind(0.25, 0.25),
            "The share by which each wait is made longer or shorter at random.");

    public static final KeySpec.Key<PathTemplate> POST = new KeySpec.Key<>("post", ValueTypes.routePath(),
            new Absent.Refused(),
            "The path that takes POST. `{group}` is the job's group, `{dedupe}` its dedupe id; other names become"
                    + " params of the job.");
    public static final KeySpec.Key<QueueName> QUEUE = new KeySpec.Key<>("queue", ValueTypes.queue(),
            new Absent.Refused(),
            "The queue of the jobs; one of `queues`.");
    public static final Many<String> ACCEPTS = new Many<>("accepts", ValueTypes.mediaType(), depends("all known types"),
            "The accepted content types.");
    public static final KeySpec.Key<Route.Users> ROUTE_USERS = new KeySpec.Key<>("users",
            ValueTypes.choice(Route.Users.class), means("optional"),
            "Whose requests become jobs: only those of users with a valid token (`required`, others get 401), all"
                    + " (`optional`: the job of a user belongs to that user), or all without looking at tokens "
                    + "(`none`)."
                    + " Dedupe ids and idempotency keys belong to the user, otherwise to the address.");
    public static final KeySpec.Key<Route.Group> ROUTE_GROUP = new KeySpec.Key<>("group",
            ValueTypes.choice(Route.Group.class), means("path"),
            "Where the group of a FIFO job comes from: the `{group}` of the path, which any sender may choose, or "
                    + "the id"
                    + " of the user, which needs `users: required`.");

    public static final KeySpec.Key<Rate> PER_USER = new KeySpec.Key<>("per-user", pushes("10 per 1m"),
            depends("none"), "Requests of one user: so many at once, then evenly spread over the time.");
    public static final KeySpec.Key<Rate> PER_ADDRESS = new KeySpec.Key<>("per-address", pushes("60 per 1m"),
            depends("none"), "The same for one address; an IPv6 /64 counts as one address.");
    public static final Group ROUTE_LIMITS = new Group("limit", List.of(PER_USER, PER_ADDRESS),
            "How many requests of one sender become jobs, on each node; further ones are answered 429 with"
                    + " `Retry-After`.");
    public static final Many<String> ROUTE_ORIGINS = new Many<>("origins", UserSchema.originType(),
            depends("the sites of `users.origins`"),
            "Further sites whose pages may push here (CORS), without the cookie of a user.");

    public static final KeySpec.Key<Duration> KEEP_DONE = new KeySpec.Key<>("done",
            ValueTypes.duration("1s", "3650d", "24h"),
            means(Amounts.text(Retention.DEFAULT.done())), "How long done and cancelled jobs are kept.");
    public static final KeySpec.Key<Long> KEEP_DONE_MAX = new KeySpec.Key<>("done-max",
            ValueTypes.count(0, 1_000_000_000, "100000"),
            means(Long.toString(Retention.DEFAULT.doneMax())),
            "About how many of them are kept; the oldest are deleted first.");
    public static final KeySpec.Key<Duration> KEEP_DEAD = new KeySpec.Key<>("dead",
            ValueTypes.duration("1s", "3650d", "14d"),
            means(Amounts.text(Retention.DEFAULT.dead())), "How long dead letters are kept.");

    public static final KeySpec.Key<Duration> KEEP_HISTORY = new KeySpec.Key<>("history",
            ValueTypes.duration("0s", "3650d", "90d"), means("90d"),
            "How long the figures of queues and rooms are kept by the hour; by the minute they are kept for a day."
                    + " `0s` records none. See [Operations](operations.md#history).");

    public static final Group EDGE = new Group("edge",
            List.of(EDGE_PORT, EDGE_HOST, EVENT_LOOPS, DRAIN, WARM_UP, WORKER_REPORTS, RoomSchema.ORIGIN,
                    RoomSchema.TRUSTED, TlsSchema.PROXY_PROTOCOL, TlsSchema.TLS,
                    TlsSchema.REDIRECT_PORT, TlsSchema.HSTS, LimitSchema.LIMITS),
            "The public listener. It answers the declared routes, and forwards every other request to the site behind"
                    + " it.");
    public static final Group ADMIN = new Group("admin",
            Stream.concat(Stream.of(ADMIN_PORT, ADMIN_HOST, TlsSchema.ADMIN_TLS),
                    AccessSchema.KEYS.stream()).toList(),
            "The listener of the API, which the command line uses, and who may use it. See [Access](access.md).");
    public static final Group METRICS = new Group("metrics", List.of(METRICS_PORT, METRICS_HOST),
            "A listener for Prometheus and for health checks: `/metrics`, `/health/live`, `/health/ready` and nothing"
                    + " else. Nothing is measured without this key; `metrics: {}` takes the defaults. See"
                    + " [Monitoring](monitoring.md).",
            true);
    public static final Group RETRY = new Group("retry", List.of(ATTEMPTS, BASE, FACTOR, MAX, JITTER),
            "The waits before a failed job runs again.");
    public static final Named QUEUES = new Named("queues", ValueTypes.queue(),
            List.of(HANDLER, CONCURRENCY, TIMEOUT, RETRY, ON_DEAD, CONTENT_DEDUPE,
                    MAX_PAYLOAD, MAX_PENDING, MAX_LEASED),
            "The queues, by name. A queue is FIFO if its name ends in `.fifo`.");
    public static final Listed ROUTES = new Listed("routes",
            List.of(POST, QUEUE, ACCEPTS, ROUTE_USERS, ROUTE_GROUP, ROUTE_LIMITS, ROUTE_ORIGINS),
            "The public routes that push jobs. A route to a FIFO queue has `{group}` in its path, or `group: user`.");
    public static final Group KEEP = new Group("keep",
            List.of(KEEP_DONE, KEEP_DONE_MAX, KEEP_DEAD, AccessSchema.KEEP_AUDIT,
                    KEEP_HISTORY),
            "How long ended jobs, the audit log and figures over time are kept.");

    public static final Group FILE = new Group("",
            List.of(STORES, BackupSchema.BACKUP, SECRET_FILE, EDGE, ADMIN, METRICS, QUEUES, ROUTES, RoomSchema.ROOMS,
                    ScheduleSchema.SCHEDULES,
                    UserSchema.USERS, LiveSchema.LIVE, KEEP, STOP_GRACE,
                    CLAIM_BYTES, REDACT, LOG, VisitorLogSchema.VISITOR_LOG,
                    TraceSchema.TRACES, AlertSchema.ALERTS),
            "");

    private ConfigSchema() {}

    private static ValueType<Rate> pushes(String example) {
        return new ValueType<>("a number of requests and a time of 1s to 1h", RoomValueTypes.rate("").read(), example);
    }

    private static Absent means(String text) {
        return new Absent.Means(text);
    }

    private static Absent depends(String words) {
        return new Absent.Depends(words);
    }

    private static Absent perKind(Object standard, Object fifo) {
        return standard.equals(fifo) ? means(standard.toString()) : depends(standard + "; FIFO " + fifo);
    }
}
