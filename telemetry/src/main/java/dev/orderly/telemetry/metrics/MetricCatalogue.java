package dev.orderly.telemetry.metrics;

import dev.orderly.Internal;
import dev.orderly.telemetry.metrics.Metric.Kind;
import dev.orderly.telemetry.metrics.Metric.Scope;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Every metric. Meters are made from these entries only, and {@code docs/metrics.md} lists them. */
@Internal(to = "dev.orderly")
public final class MetricCatalogue {
    static final String QUEUE = "queue";
    static final String ROOM = "room";
    static final String OPERATION = "operation";
    private static final String USED = "once it has happened";
    private static final String GATED = "with rooms";
    private static final String TIER = "tier";
    private static final String TIERED = "with tiers";

    static final Metric JOBS = cluster("orderly.jobs", null, "Jobs that the store holds, by state: waiting, delayed,"
            + " running, leased (running at a worker elsewhere), dead, done", QUEUE, "state");
    static final Metric OLDEST = cluster("orderly.jobs.oldest.age", "seconds",
            "Age of the oldest waiting job since its push; 0 if none waits", QUEUE);
    static final Metric HALTED = cluster("orderly.jobs.groups.halted", null,
            "Groups that a dead letter halts", QUEUE);
    static final Metric PAUSED = cluster("orderly.jobs.paused", null, "1 if the queue is paused, otherwise 0", QUEUE);
    static final Metric LIMIT_RUNNING = limit("orderly.jobs.limit.running",
            "Running jobs that count under a limit over all nodes; 0 without a bound on them");
    static final Metric LIMIT_CONCURRENCY = limit("orderly.jobs.limit.concurrency",
            "The most jobs that run at once under the limit; 0 for any number");
    static final Metric LIMIT_FULL = limit("orderly.jobs.limit.full", "1 if the limit lets no further job start now");
    static final Metric KEYS = new Metric("orderly.jobs.keys", Kind.GAUGE, null, List.of(QUEUE, "state"),
            Scope.CLUSTER,
            "Keys of which a job waits, by state: ready, held (its limit or rest lets none start now; of groups, their"
                    + " rate); and paused keys and groups; each counted up to 10,000",
            "while the queue has such keys");
    static final Metric BATCHES = new Metric("orderly.batches", Kind.GAUGE, null, List.of("state"), Scope.CLUSTER,
            "Batches that are not finished, by state: open, closed (cancelled ones too), as of the last look of this"
                    + " node, each 750 ms",
            "with queues");
    static final Metric DRAIN_TIME = node("orderly.jobs.drain.time", "seconds", "Time in which this node alone would"
            + " drain the waiting jobs, at its rate of the last minute", "while this node settles jobs of the queue",
            QUEUE);
    static final Metric BUSY = node("orderly.jobs.handlers.busy", null, "Handlers of this node that run", "", QUEUE);
    static final Metric HANDLERS = node("orderly.jobs.handlers", null,
            "Handlers of this node that may run at once", "", QUEUE);
    static final Metric PUSHED = counter("orderly.jobs.pushed", "Pushes that the store has answered, by result:"
            + " accepted, duplicate, replaced, refused (a key stands for another job)", "", QUEUE, "result");
    static final Metric EQUAL = counter("orderly.jobs.pushed.equal", "Pushes without a dedupe id that stored nothing,"
            + " since an equal job was pushed into their group within five minutes; duplicates of orderly.jobs.pushed"
            + " too", "once an equal push has come", QUEUE);
    static final Metric CLAIMED = counter("orderly.jobs.claimed", "Attempts that began on this node", "", QUEUE);
    static final Metric SETTLED = counter("orderly.jobs.settled", "Accepted reports about attempts, by outcome: done,"
            + " retry, snooze, awaiting, throttled, leased, given_back, unreadable, dead, cancelled", "", QUEUE,
            "outcome");
    static final Metric LATE = counter("orderly.jobs.settled.late",
            "Refused reports: the attempt was over, or its node was declared dead", "", QUEUE);
    static final Metric WAIT = timer("orderly.jobs.wait", Kind.JOBS, "Time from the push of a job to its first claim,"
            + " on this node; a delay counts", "", QUEUE);
    static final Metric RUN = timer("orderly.jobs.run", Kind.JOBS,
            "Time of a handler of this node for one attempt", "", QUEUE);
    static final Metric CRASHED = counter("orderly.jobs.crashed",
            "Jobs of dead nodes that wait again, counted by the node that found them", "");
    static final Metric POISONED = counter("orderly.jobs.poisoned",
            "Jobs that became dead letters because nodes died while they ran", "");
    static final Metric LEASES_ENDED = counter("orderly.jobs.leases.ended",
            "Leased jobs whose worker reported nothing in time", "");
    static final Metric MENDED = counter("orderly.jobs.lanes.mended", "Groups whose state contradicted their jobs and"
            + " was corrected: 0, unless Orderly has a fault or its tables were changed by hand", "");

    static final Metric STORE_UP = node("orderly.store.up", null,
            "1 while the part of the store answers this node, by part: all, or jobs and rooms where they are apart;"
                    + " otherwise 0. It answers a write every few seconds, and the reading of queues within 2 s",
            "", "part");
    static final Metric CALL = timer("orderly.store.call", Kind.CALLS, "Time of a call of the store, waits for its"
            + " writer or a connection included", "", OPERATION);
    static final Metric CALLS_LATE = counter("orderly.store.calls.late", "Calls of the store that took longer than"
            + " 20 s, the lease of a node: 0, unless a machine was suspended or has far too little power", "",
            OPERATION);
    static final Metric ITEMS = counter("orderly.store.items",
            "Jobs, reports or visitors in these calls: divided by the"
                    + " number of calls, the items of a call",
            "", OPERATION);
    static final Metric ERRORS = counter("orderly.store.errors", "Failed calls of the store, by error: unavailable,"
            + " outcome_unknown, blocked (another transaction held a lock), unusable", "once a call has failed",
            OPERATION, "error");
    static final Metric BROKEN = counter("orderly.store.promises.broken", "Answers of the store that contradict a"
            + " promise, by promise: answers (one for each thing), claim (no more than asked for, each job once),"
            + " group_order, line (no place called that was not issued), room_counts (not negative). 0, unless Orderly"
            + " has a fault or the data were changed by hand", "", "promise");
    static final Metric LOCKED = counter("orderly.store.reports.blocked", "Reports about attempts that had to wait for"
            + " a lock of an application's transaction", "");
    static final Metric POOL = node("orderly.store.pool.connections", null, "Connections of the pool, by state: busy,"
            + " idle", "with PostgreSQL", "state");
    static final Metric POOL_WAITING = node("orderly.store.pool.waiting", null,
            "Callers that wait for a connection of the pool", "with PostgreSQL");
    static final Metric DEAD_ROWS = node("orderly.store.rows.dead", null,
            "Rows of Orderly's tables that were changed or"
                    + " deleted and still take space: the server's vacuum is behind, or an old snapshot keeps them",
            "with PostgreSQL");
    static final Metric WRITER_WAITING = node("orderly.store.writer.waiting", null,
            "Requests that the writer has not taken yet", "with SQLite");
    static final Metric WRITER_COMMITS = counter("orderly.store.writer.commits", "Transactions of the writer",
            "with SQLite");
    static final Metric WRITER_REQUESTS = counter("orderly.store.writer.requests",
            "Requests in these transactions", "with SQLite");

    static final Metric LENGTH = room("orderly.room.length", "The last place issued");
    static final Metric CURSOR = room("orderly.room.cursor", "The highest place called");
    static final Metric AHEAD = room("orderly.room.ahead", "Places that are not called yet");
    static final Metric DOOR = room("orderly.room.door", "Called visitors who are present and not inside yet");
    static final Metric PRESENT = room("orderly.room.present", "Present visitors who wait, those at the door included");
    static final Metric INSIDE = room("orderly.room.inside", "Places inside that are taken");
    static final Metric FREE = room("orderly.room.free", "Admissions that could be granted at once");
    static final Metric CAPACITY = new Metric("orderly.room.capacity", Kind.GAUGE, null, List.of(ROOM), Scope.CLUSTER,
            "The most visitors inside that are allowed now", "with a limit of capacity");
    static final Metric GATES = room("orderly.room.gates", "Gates that reported lately");
    static final Metric TIER_AHEAD = new Metric("orderly.room.tier.ahead", Kind.GAUGE, null, List.of(ROOM, TIER),
            Scope.CLUSTER, "Places of a tier that are not called yet", TIERED);
    static final Metric TIER_ADMITTED = new Metric("orderly.room.tier.admitted", Kind.COUNTER, null,
            List.of(ROOM, TIER), Scope.CLUSTER, "Admissions of a tier since the line of the present epoch began",
            TIERED);
    static final Metric MODE = new Metric("orderly.room.mode", Kind.GAUGE, null, List.of(ROOM, "mode"), Scope.CLUSTER,
            "1 for the mode that is in force", GATED);
    static final Metric ADMITTED = new Metric("orderly.room.admitted", Kind.COUNTER, null, List.of(ROOM),
            Scope.CLUSTER, "Admissions since the line of the present epoch began", GATED);
    static final Metric REFUSED = counter("orderly.room.refused", "Refusals of this gate, by cause: a bound of the"
            + " address, a token that does not count, the mode, the store", GATED, ROOM, "cause");
    static final Metric PLACES = counter("orderly.room.places", "Places taken at this gate, by how many the network of"
            + " the address (IPv4 /24, IPv6 /48) had taken before within two hours. Taken: up_to_10, up_to_100,"
            + " up_to_1000, more", GATED, ROOM, "taken");
    static final Metric SHOW_SHARE = node("orderly.room.show.share", null, "Share of visitors who come back after"
            + " taking a place, as this gate measures it", "while visitors wait", ROOM);
    static final Metric ANNOUNCED = timer("orderly.room.wait.announced", Kind.VISITS, "The middle of the wait that was"
            + " announced with a place, if one was", "once a wait was announced", ROOM);
    static final Metric WAITED = timer("orderly.room.wait.actual", Kind.VISITS,
            "Time from the place to the admission, of visitors who entered at this gate", "once a visitor has entered",
            ROOM);

    static final Metric REQUESTS = counter("orderly.edge.requests", "Requests, by room (empty for none), class and"
            + " status. Class: pass (a visitor inside), ungated (the room lets all through), waiting, refused, open (to"
            + " an origin without a room), push, own (answered by Orderly itself). Status: 1xx to 5xx, or lost (the"
            + " client went away first)", USED, ROOM, "class", "status");
    static final Metric GATEWAY = timer("orderly.edge.gateway", Kind.CALLS, "Time from the head of a request to the"
            + " head of its answer, without the time at the origin", USED, "class");
    static final Metric ORIGIN = timer("orderly.edge.origin", Kind.CALLS, "Time from the request's way to the origin,"
            + " the wait for a connection included, to the head of its answer", "once a request was forwarded",
            "class");
    static final Metric CONNECTIONS = node("orderly.edge.connections", null, "Open connections of clients", "");
    static final Metric CONNECTIONS_REFUSED = counter("orderly.edge.connections.refused",
            "Connections refused for want of room", "");
    static final Metric UNDER_WAY = node("orderly.edge.requests.active", null,
            "Requests under way, without those that are answered from memory at once", "");
    static final Metric BODIES = node("orderly.edge.bodies", "bytes", "Request bodies in memory", "");
    static final Metric STREAMS = node("orderly.edge.streams", null, "Event streams of waiting visitors", "");
    static final Metric LOOP_DELAY = timer("orderly.edge.loop.delay", Kind.CALLS,
            "Delay of a timer on an event loop, measured ten times a second", "");

    static final Metric LIVE = node("orderly.live.connections", null, "Live connections of users", "");
    static final Metric NODES = new Metric("orderly.nodes", Kind.GAUGE, null, List.of("state"), Scope.CLUSTER,
            "Nodes that this node knows, by state: live, silent (killed, suspended, or cut off from the store)", "");
    static final Metric BEAT_AGE = node("orderly.node.heartbeat.age", "seconds",
            "Time since the store has answered a heartbeat of this node; its lease ends at 20 s", "");
    static final Metric SCHEDULE_LAG = node("orderly.schedule.lag", "seconds",
            "Time since an instant of the schedule is due and has not fired; 0 if none is", "with schedules",
            "schedule");
    static final Metric UNDECLARED = new Metric("orderly.schedule.undeclared", Kind.GAUGE, null, List.of("schedule"),
            Scope.CLUSTER, "1 for a schedule of the store that no live node declares, so that nobody fires it; 0 for a"
                    + " schedule of this node",
            "with schedules");
    static final Metric BUILD = new Metric("orderly.build.info", Kind.GAUGE, null, List.of("version", "java"),
            Scope.NODE, "1, with the versions of Orderly and Java", "");

    private static final List<Section> SECTIONS = List.of(
            new Section("Queues",
                    List.of(JOBS, OLDEST, HALTED, PAUSED, LIMIT_RUNNING, LIMIT_CONCURRENCY, LIMIT_FULL, KEYS, BATCHES,
                            DRAIN_TIME,
                            BUSY,
                            HANDLERS, PUSHED, EQUAL, CLAIMED, SETTLED, LATE, WAIT, RUN, CRASHED, POISONED, LEASES_ENDED,
                            MENDED)),
            new Section("Store", List.of(STORE_UP, CALL, CALLS_LATE, ITEMS, ERRORS, BROKEN, LOCKED, POOL, POOL_WAITING,
                    DEAD_ROWS, WRITER_WAITING, WRITER_COMMITS, WRITER_REQUESTS)),
            new Section("Rooms", List.of(LENGTH, CURSOR, AHEAD, DOOR, PRESENT, INSIDE, FREE, CAPACITY, GATES, MODE,
                    ADMITTED, TIER_AHEAD, TIER_ADMITTED, REFUSED, PLACES, SHOW_SHARE, ANNOUNCED, WAITED)),
            new Section("Edge", List.of(REQUESTS, GATEWAY, ORIGIN, CONNECTIONS, CONNECTIONS_REFUSED, UNDER_WAY, BODIES,
                    STREAMS, LOOP_DELAY)),
            new Section("Users, nodes, schedules", List.of(LIVE, NODES, BEAT_AGE, SCHEDULE_LAG, UNDECLARED, BUILD)),
            new Section("JVM and process", JvmMetrics.ALL));

    /** Metrics of one part of the program. */
    public record Section(String title, List<Metric> metrics) {
        public Section {
            metrics = List.copyOf(metrics);
        }
    }

    private MetricCatalogue() {}

    public static List<Section> sections() {
        return SECTIONS;
    }

    public static Stream<Metric> all() {
        return SECTIONS.stream().flatMap(section -> section.metrics().stream());
    }

    private static Metric cluster(String meter, @Nullable String unit, String help, String... labels) {
        return new Metric(meter, Kind.GAUGE, unit, List.of(labels), Scope.CLUSTER, help, "with queues");
    }

    private static Metric limit(String meter, String help) {
        return new Metric(meter, Kind.GAUGE, null, List.of("limit"), Scope.CLUSTER, help, "with limits");
    }

    private static Metric node(String meter, @Nullable String unit, String help, String when, String... labels) {
        boolean ofQueue = labels.length > 0 && labels[0].equals(QUEUE) && when.isEmpty();
        return new Metric(meter, Kind.GAUGE, unit, List.of(labels), Scope.NODE, help, ofQueue ? "with queues" : when);
    }

    private static Metric counter(String meter, String help, String when, String... labels) {
        return new Metric(meter, Kind.COUNTER, null, List.of(labels), Scope.NODE, help,
                labels.length > 0 && when.isEmpty() ? USED : when);
    }

    private static Metric timer(String meter, Kind kind, String help, String when, String... labels) {
        return new Metric(meter, kind, null, List.of(labels), Scope.NODE, help,
                labels.length > 0 && when.isEmpty() ? USED : when);
    }

    private static Metric room(String meter, String help) {
        return new Metric(meter, Kind.GAUGE, null, List.of(ROOM), Scope.CLUSTER, help, GATED);
    }
}
