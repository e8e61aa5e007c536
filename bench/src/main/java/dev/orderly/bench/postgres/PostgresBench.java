package dev.orderly.bench.postgres;

import dev.orderly.store.postgres.PostgresStore;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Jobs and rooms of many nodes: Orderly's engine beside db-scheduler and JobRunr on one PostgreSQL, all on this
 * machine.
 */
public final class PostgresBench {
    private static final int BACKLOG = 50_000;
    private static final int PUSHES = 200;

    private final PrintStream out;
    private final Path folder;
    private final Settings settings;
    private final Map<String, Workload> workloads = new LinkedHashMap<>();

    /**
     * The size of the workloads.
     *
     * @param window length of a rate measurement
     * @param pending jobs behind the measured jobs, in runs that have some
     * @param held time for which another session's snapshot is held
     */
    public record Settings(int rounds, Duration window, int pending, Duration held) {}

    public PostgresBench(PrintStream out, Path folder, Settings settings) {
        this.out = out;
        this.folder = folder;
        this.settings = settings;
        workloads.put("push", this::push);
        workloads.put("bulk", this::bulk);
        workloads.put("drain", this::drain);
        workloads.put("steady", this::steady);
        workloads.put("idle", this::idle);
        workloads.put("handlers", this::handlers);
        workloads.put("settle", this::settle);
        workloads.put("fifo", this::fifo);
        workloads.put("groups", this::groups);
        workloads.put("pending", this::pending);
        workloads.put("blocked", this::blocked);
        workloads.put("held", this::held);
        workloads.put("elsewhere", this::elsewhere);
        workloads.put("port", this::port);
        workloads.put("rooms", database -> new RoomBench(out).run(database));
    }

    @FunctionalInterface
    private interface Workload {
        void on(Database database) throws Exception;
    }

    /** Opens a contender on empty tables. */
    @FunctionalInterface
    private interface Opening {
        Contender on(Database database) throws Exception;
    }

    @FunctionalInterface
    private interface Doing {
        Figure with(Contender contender) throws Exception;
    }

    /** @param wanted names of workloads; empty for all */
    public void run(List<String> wanted) throws Exception {
        Set<String> names = workloads.keySet();
        if (!names.containsAll(wanted)) {
            throw new IllegalArgumentException("Of runs=" + String.join(",", wanted) + " some are unknown: use "
                    + String.join(", ", names));
        }
        try (Database database = Database.start(folder)) {
            for (Map.Entry<String, Workload> each : workloads.entrySet()) {
                if (wanted.isEmpty() || wanted.contains(each.getKey())) {
                    each.getValue().on(database);
                }
            }
        }
    }

    private static Map<String, Opening> contenders() {
        Map<String, Opening> all = new LinkedHashMap<>();
        all.put("orderly", database -> new OrderlyJobs(database.fresh()));
        all.put("db-scheduler", DbScheduler::new);
        all.put("jobrunr", JobRunrJobs::new);
        return all;
    }

    private void peers(Database database, String title, Doing doing) throws Exception {
        ResultTable table = new ResultTable(out, title);
        contenders().forEach((name, opening) -> table.row(name, () -> {
            try (Contender contender = opening.on(database)) {
                return doing.with(contender);
            }
        }));
        table.printOursToTheirs(settings.rounds());
    }

    private void push(Database database) throws Exception {
        ContenderRuns runs = runs(database);
        for (int callers : List.of(1, 16, 256)) {
            peers(database, "push, one at a time, callers " + callers, it -> runs.push(it, callers));
        }
    }

    private void bulk(Database database) throws Exception {
        ContenderRuns runs = runs(database);
        for (int callers : List.of(1, 4)) {
            peers(database, "push, 1,000 a call, callers " + callers, it -> runs.bulk(it, callers));
        }
    }

    private void drain(Database database) throws Exception {
        ContenderRuns runs = runs(database);
        peers(database, "drain 50,000, never analysed", it -> runs.drain(it, BACKLOG, false));
        peers(database, "drain 50,000, after VACUUM ANALYZE", it -> runs.drain(it, BACKLOG, true));
    }

    private void steady(Database database) throws Exception {
        ContenderRuns runs = runs(database);
        peers(database, "push and run, 8 callers, 100 a call", runs::steady);
    }

    private void idle(Database database) throws Exception {
        latencyTitle("push to start, idle, same process");
        for (Map.Entry<String, Opening> each : contenders().entrySet()) {
            try (Contender contender = each.getValue().on(database)) {
                latency(each.getKey(), runs(database).idle(contender, PUSHES, Duration.ofMillis(75)));
            }
        }
    }

    private void handlers(Database database) throws Exception {
        ResultTable table = new ResultTable(out, "drain 50,000, by handlers at once");
        for (int handlers : List.of(OrderlyJobs.HANDLERS, 256, 32)) {
            table.row("orderly, " + handlers, () -> ours(database, handlers, false));
        }
        table.print(settings.rounds());
    }

    private void settle(Database database) throws Exception {
        new ResultTable(out, "drain 50,000, by how ends are stored")
                .row("orderly, batches", () -> ours(database, OrderlyJobs.HANDLERS, false))
                .row("orderly, a transaction for each job", () -> ours(database, OrderlyJobs.HANDLERS, true))
                .print(settings.rounds());
    }

    private Figure ours(Database database, int handlers, boolean oneByOne) throws Exception {
        try (Contender ours = new OrderlyJobs(database.fresh(), handlers, oneByOne)) {
            return runs(database).drain(ours, BACKLOG, false);
        }
    }

    private void fifo(Database database) throws Exception {
        groups(database, "fifo, 1,000 groups of 50, 5 of a group in a call", new GroupRuns(database, 1_000, 50));
    }

    private void groups(Database database) throws Exception {
        int groups = settings.pending() / 10;
        groups(database, "fifo, %,d groups of 10".formatted(groups), new GroupRuns(database, groups, 10));
    }

    private void groups(Database database, String title, GroupRuns runs) throws Exception {
        new ResultTable(out, title).row("orderly, never analysed", () -> runs.drain(database.fresh(), 0, false))
                .once("orderly, after VACUUM ANALYZE", () -> runs.drain(database.fresh(), 0, true))
                .print(settings.rounds());
    }

    private void pending(Database database) throws Exception {
        BacklogRuns runs = new BacklogRuns(database, settings.pending());
        ResultTable table = new ResultTable(out, "drain 50,000, by what else is pending");
        for (PendingLoad backlog : PendingLoad.values()) {
            String name = backlog.title(settings.pending());
            table.row(name, () -> runs.drain(backlog, false));
            table.once(name + ", analysed", () -> runs.drain(backlog, true));
        }
        table.print(settings.rounds());
    }

    private void blocked(Database database) throws Exception {
        GroupRuns runs = new GroupRuns(database, 1_000, 50);
        String name = "%,d behind one blocked head".formatted(settings.pending());
        new ResultTable(out, "fifo, 1,000 groups of 50, beside a blocked group")
                .row("empty", () -> runs.drain(database.fresh(), 0, false))
                .row(name, () -> runs.drain(database.fresh(), settings.pending(), false))
                .once("empty, analysed", () -> runs.drain(database.fresh(), 0, true))
                .once(name + ", analysed", () -> runs.drain(database.fresh(), settings.pending(), true))
                .print(settings.rounds());
    }

    private void held(Database database) throws Exception {
        BacklogRuns runs = new BacklogRuns(database, 0);
        Duration span = settings.held();
        new ResultTable(out, "drain 50,000 again and again for " + span.toSeconds() + " s, at the end")
                .row("no other session", () -> runs.held(false, span))
                .row("another session holds a snapshot", () -> runs.held(true, span)).print(1);
    }

    private void elsewhere(Database database) throws Exception {
        BacklogRuns runs = new BacklogRuns(database, settings.pending());
        latencyTitle("push to start, from another process");
        for (PendingLoad backlog : PendingLoad.values()) {
            latency(backlog.title(settings.pending()), runs.fromElsewhere(backlog, PUSHES));
        }
    }

    /** The port alone, with one loop that claims. */
    private void port(Database database) throws Exception {
        new ResultTable(out, "the port alone, no engine")
                .row("push, 1,000 a call, 4 threads", () -> port(database, port -> port.bulkPush(300_000, 4)))
                .row("drain 50,000, claims of 256", () -> port(database, port -> {
                    port.bulkPush(BACKLOG, 1);
                    return port.drain(BenchJobs.STANDARD, 256, BACKLOG);
                })).row("drain 50,000, claims of 1,000", () -> port(database, port -> {
                    port.bulkPush(BACKLOG, 1);
                    return port.drain(BenchJobs.STANDARD, 1_000, BACKLOG);
                })).row("fifo, 1,000 groups of 50, claims of 100 groups", () -> port(database, port -> {
                    port.pushGroups(1_000, 50);
                    return port.drain(BenchJobs.FIFO, 100, BACKLOG);
                })).print(settings.rounds());
    }

    @FunctionalInterface
    private interface PortRun {
        Figure with(PortRuns port) throws Exception;
    }

    private static Figure port(Database database, PortRun run) throws Exception {
        try (PostgresStore store = database.fresh()) {
            return run.with(new PortRuns(store, database));
        }
    }

    private ContenderRuns runs(Database database) {
        return new ContenderRuns(database, settings.window());
    }

    private void latencyTitle(String title) {
        out.printf(Locale.ROOT, "%n%-56s %10s %10s %10s%n", title, "p50 ms", "p99 ms", "most ms");
    }

    private void latency(String name, Latencies all) {
        out.printf(Locale.ROOT, "  %-54s %10.2f %10.2f %10.2f%n", name, all.millis(0.5), all.millis(0.99),
                all.millis(1));
        out.flush();
    }
}
