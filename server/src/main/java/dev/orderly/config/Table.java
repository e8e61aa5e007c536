package dev.orderly.config;

import dev.orderly.config.Entry.Absent;
import dev.orderly.config.Entry.Group;
import dev.orderly.config.Entry.Listed;
import dev.orderly.config.Entry.Many;
import dev.orderly.config.Entry.Named;
import dev.orderly.config.Entry.Split;
import dev.orderly.http.api.LocalUsers;
import dev.orderly.http.listener.PathPattern;
import dev.orderly.job.EngineOptions;
import dev.orderly.job.OnDead;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.UpkeepRequest.Retention;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Every key of the file. A key that is not in this table is refused; {@code docs/configuration.md} describes every key.
 */
final class Table {
    static final Entry.Key<StoreUrl> STORE = new Entry.Key<>("store", StoreKinds.everything(), new Absent.Refused(),
            "The store. A file and its folder are created if missing, and used by one process at a time; a PostgreSQL"
                    + " database is shared by all nodes that name it.");
    static final Entry.Key<StoreUrl> STORE_JOBS = new Entry.Key<>("jobs", StoreKinds.everything(),
            depends("the store of rooms, unless that is Redis"), "The store of jobs and schedules.");
    static final Entry.Key<StoreUrl> STORE_ROOMS = new Entry.Key<>("rooms", StoreKinds.rooms(),
            depends("the store of jobs"), "The store of rooms, which also carries live messages between nodes.");
    static final Split STORES = new Split(STORE, List.of(STORE_JOBS, STORE_ROOMS),
            "Two stores instead of one: `store: { jobs: \"postgres://…\", rooms: \"redis://…\" }`. Both take the values"
                    + " of `store`; `rooms` also takes `redis://`.");
    static final Entry.Key<Path> SECRET_FILE = new Entry.Key<>("secret-file", Kinds.path("data/secret"),
            means("data/secret"),
            "The secrets that sign webhooks and tickets, one `whsec_…` a line. The first secret signs tickets; all"
                    + " secrets sign webhooks and verify tickets, so that an old secret can be replaced by a new one."
                    + " If the file is missing and a queue has a handler or there is a room, it is created with one"
                    + " secret, readable by its owner only. `ORDERLY_SECRET` (secrets separated by spaces) replaces the"
                    + " file. Rooms need secrets of 32 bytes or more.");
    static final Entry.Key<LogFormat> LOG = new Entry.Key<>("log", Kinds.choice(LogFormat.class), means("text"),
            "The format of log lines: text for people, or one JSON object a line.");
    static final Entry.Key<Duration> STOP_GRACE = new Entry.Key<>("stop-grace", Kinds.duration("0s", "1h", "25s"),
            means("25s"),
            "How long a stop waits for running jobs before it interrupts them and gives them back.");
    static final Entry.Key<Long> CLAIM_BYTES = new Entry.Key<>("claim-bytes",
            Kinds.size(Amounts.sizeText(QueueOptions.PAYLOAD_LIMIT), "1GiB", "32MiB"),
            means(Amounts.sizeText(EngineOptions.CLAIM_BYTES)),
            "Upper bound for the payload of running jobs in this node's memory. At the bound no further job starts"
                    + " here; one job may exceed it.");

    static final Entry.Key<Integer> EDGE_PORT = new Entry.Key<>("port", Kinds.port("8080"), means("8080"),
            "The public port.");
    static final Entry.Key<String> EDGE_HOST = new Entry.Key<>("host", Kinds.host(), means("0.0.0.0"),
            "The address of the public listener; all addresses by default.");
    static final Entry.Key<Integer> ADMIN_PORT = new Entry.Key<>("port", Kinds.port("8081"), means("8081"),
            "The port of the API.");
    static final Entry.Key<String> ADMIN_HOST = new Entry.Key<>("host", Kinds.loopback(), means("127.0.0.1"),
            "The address of the API's listener.");
    static final Entry.Key<LocalUsers> ADMIN_USERS = new Entry.Key<>("local-users", Kinds.choice(LocalUsers.class),
            means("own"),
            "The users of this machine that the API serves: root and the server's own user, or any user. Only on Linux"
                    + " can the user of a connection be found; elsewhere every user is served.");

    static final Entry.Key<URI> HANDLER = new Entry.Key<>("handler", Kinds.webhook(), depends("none: jobs wait"),
            "The address to which jobs are POSTed; `user:password@` becomes Basic authentication. An answer of 2xx"
                    + " completes the job; 408, 409, 429 and 5xx retry it; any other 4xx makes it a dead letter.");
    static final Entry.Key<Long> CONCURRENCY = new Entry.Key<>("concurrency", Kinds.count(1, 100_000, "32"),
            means(Integer.toString(QueueOptions.STANDARD.concurrency())),
            "How many jobs run at once on this node; on a FIFO queue each of another group.");
    static final Entry.Key<Duration> TIMEOUT = new Entry.Key<>("timeout", Kinds.duration("1ms", "7d", "5m"),
            means(Amounts.text(QueueOptions.STANDARD.timeout())), "The longest time of one attempt.");
    static final Entry.Key<OnDead> ON_DEAD = new Entry.Key<>("on-dead", Kinds.choice(OnDead.class), means("continue"),
            "FIFO queues only: whether a group continues after a dead letter, or halts until the job is redriven or"
                    + " cancelled.");
    static final Entry.Key<Long> MAX_PAYLOAD = new Entry.Key<>("max-payload", Kinds.size("1B",
            Amounts.sizeText(QueueOptions.PAYLOAD_LIMIT), "256KiB"),
            means(Amounts.sizeText(QueueOptions.STANDARD.maxPayload())), "The largest payload of a push.");
    static final Entry.Key<Long> MAX_PENDING = new Entry.Key<>("max-pending",
            Kinds.count(1, 1_000_000_000_000L, "10000000"),
            means(Long.toString(QueueOptions.STANDARD.maxPending())),
            "How many jobs may wait or be delayed before pushes are refused.");

    static final Entry.Key<Long> ATTEMPTS = new Entry.Key<>("attempts", Kinds.count(1, 1_000, "8"),
            perKind(RetryPolicy.STANDARD.attempts(), RetryPolicy.FIFO.attempts()),
            "Failed attempts until the job is a dead letter.");
    static final Entry.Key<Duration> BASE = new Entry.Key<>("base", Kinds.duration("1ms", "30d", "2s"),
            perKind(Amounts.text(RetryPolicy.STANDARD.base()), Amounts.text(RetryPolicy.FIFO.base())),
            "The wait after the first failure; at most `max`.");
    static final Entry.Key<Double> FACTOR = new Entry.Key<>("factor", Kinds.decimal(1, 100, "3"), perKind(3, 3),
            "The factor between one wait and the next.");
    static final Entry.Key<Duration> MAX = new Entry.Key<>("max", Kinds.duration("1ms", "30d", "5m"),
            perKind(Amounts.text(RetryPolicy.STANDARD.max()), Amounts.text(RetryPolicy.FIFO.max())),
            "The longest wait.");
    static final Entry.Key<Double> JITTER = new Entry.Key<>("jitter", Kinds.decimal(0, 1, "0.25"), perKind(0.25, 0.25),
            "The share by which each wait is made longer or shorter at random.");

    static final Entry.Key<PathPattern> POST = new Entry.Key<>("post", Kinds.routePath(), new Absent.Refused(),
            "The path that takes POST. `{group}` is the job's group, `{dedupe}` its dedupe id; other names become"
                    + " params of the job.");
    static final Entry.Key<QueueName> QUEUE = new Entry.Key<>("queue", Kinds.queue(), new Absent.Refused(),
            "The queue of the jobs; one of `queues`.");
    static final Many<String> ACCEPTS = new Many<>("accepts", Kinds.mediaType(), depends("all known types"),
            "The accepted content types.");

    static final Entry.Key<Duration> KEEP_DONE = new Entry.Key<>("done", Kinds.duration("1s", "3650d", "24h"),
            means(Amounts.text(Retention.DEFAULT.done())), "How long done and cancelled jobs are kept.");
    static final Entry.Key<Long> KEEP_DONE_MAX = new Entry.Key<>("done-max", Kinds.count(0, 1_000_000_000, "100000"),
            means(Long.toString(Retention.DEFAULT.doneMax())),
            "About how many of them are kept; the oldest are deleted first.");
    static final Entry.Key<Duration> KEEP_DEAD = new Entry.Key<>("dead", Kinds.duration("1s", "3650d", "14d"),
            means(Amounts.text(Retention.DEFAULT.dead())), "How long dead letters are kept.");

    static final Group EDGE = new Group("edge",
            List.of(EDGE_PORT, EDGE_HOST, RoomTable.ORIGIN, RoomTable.TRUSTED, LimitTable.LIMITS),
            "The public listener. It answers the declared routes, and forwards every other request to the site behind"
                    + " it.");
    static final Group ADMIN = new Group("admin", List.of(ADMIN_PORT, ADMIN_HOST, ADMIN_USERS),
            "The listener of the API, which the command line uses.");
    static final Group RETRY = new Group("retry", List.of(ATTEMPTS, BASE, FACTOR, MAX, JITTER),
            "The waits before a failed job runs again.");
    static final Named QUEUES = new Named("queues", Kinds.queue(),
            List.of(HANDLER, CONCURRENCY, TIMEOUT, RETRY, ON_DEAD,
                    MAX_PAYLOAD, MAX_PENDING),
            "The queues, by name. A queue is FIFO if its name ends in `.fifo`.");
    static final Listed ROUTES = new Listed("routes", List.of(POST, QUEUE, ACCEPTS),
            "The public routes that push jobs. A route to a FIFO queue has `{group}` in its path.");
    static final Group KEEP = new Group("keep", List.of(KEEP_DONE, KEEP_DONE_MAX, KEEP_DEAD),
            "How long ended jobs are kept.");

    static final Group FILE = new Group("",
            List.of(STORES, SECRET_FILE, EDGE, ADMIN, QUEUES, ROUTES, RoomTable.ROOMS, ScheduleTable.SCHEDULES,
                    UserTable.USERS, LiveTable.LIVE, KEEP, STOP_GRACE,
                    CLAIM_BYTES, LOG),
            "");

    private Table() {}

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
