package dev.orderly.bench.postgres;

import dev.orderly.bench.contender.BenchJobs;
import dev.orderly.bench.contender.Contender;
import dev.orderly.bench.contender.ContenderRuns;
import dev.orderly.bench.contender.GroupRuns;
import dev.orderly.bench.contender.OrderlyJobs;
import dev.orderly.bench.measure.Database;
import dev.orderly.bench.measure.Figure;
import dev.orderly.store.postgres.PostgresStore;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

/** Orderly beside itself, in this process: with other settings, and with more jobs around those that are measured. */
final class OwnRuns {
    private final PrintStream out;
    private final Database database;
    private final PostgresBench.Settings settings;

    OwnRuns(PrintStream out, Database database, PostgresBench.Settings settings) {
        this.out = out;
        this.database = database;
        this.settings = settings;
    }

    void handlers() throws Exception {
        ResultTable table = new ResultTable(out, "run 50,000 that wait, by handlers at once");
        for (int handlers : List.of(OrderlyJobs.HANDLERS, 256, 32)) {
            table.row("orderly, " + handlers, () -> ours(handlers, false));
        }
        table.print(settings.rounds());
    }

    void settle() throws Exception {
        new ResultTable(out, "run 50,000 that wait, by how ends are stored")
                .row("orderly, group commits", () -> ours(OrderlyJobs.HANDLERS, false))
                .row("orderly, a transaction for each job", () -> ours(OrderlyJobs.HANDLERS, true))
                .print(settings.rounds());
    }

    private Figure ours(int handlers, boolean oneByOne) throws Exception {
        try (Contender ours = new OrderlyJobs(database.fresh(), handlers, oneByOne)) {
            return new ContenderRuns(database, settings.pace()).drain(ours, settings.backlog(), false);
        }
    }

    void groups() throws Exception {
        int groups = settings.pending() / 10;
        groups("fifo, %,d groups of 10".formatted(groups), new GroupRuns(database, groups, 10));
    }

    void groups(String title, GroupRuns runs) throws Exception {
        new ResultTable(out, title).row("orderly, never analysed", () -> drain(runs, 0, false))
                .once("orderly, after VACUUM ANALYZE", () -> drain(runs, 0, true))
                .print(settings.rounds());
    }

    void pending() throws Exception {
        BacklogRuns runs = new BacklogRuns(database, settings.pending());
        ResultTable table = new ResultTable(out, "run 50,000 that wait, by what else is pending");
        for (PendingLoad backlog : PendingLoad.values()) {
            String name = backlog.title(settings.pending());
            table.row(name, () -> runs.drain(backlog, false));
            table.once(name + ", analysed", () -> runs.drain(backlog, true));
        }
        table.print(settings.rounds());
    }

    void blocked() throws Exception {
        GroupRuns runs = new GroupRuns(database, 1_000, 50);
        String name = "%,d behind one blocked head".formatted(settings.pending());
        new ResultTable(out, "fifo, 1,000 groups of 50, beside a blocked group")
                .row("empty", () -> drain(runs, 0, false))
                .row(name, () -> drain(runs, settings.pending(), false))
                .once("empty, analysed", () -> drain(runs, 0, true))
                .once(name + ", analysed", () -> drain(runs, settings.pending(), true))
                .print(settings.rounds());
    }

    void held() throws Exception {
        BacklogRuns runs = new BacklogRuns(database, 0);
        Duration span = settings.held();
        new ResultTable(out, "run 50,000 that wait again and again for " + span.toSeconds() + " s, at the end")
                .row("no other session", () -> runs.held(false, span))
                .row("another session holds a snapshot", () -> runs.held(true, span)).print(1);
    }

    /** The port alone, with one loop that claims. */
    void port() throws Exception {
        new ResultTable(out, "the port alone, no engine")
                .row("push, 1,000 a call, 4 threads", () -> port(port -> port.bulkPush(300_000, 4)))
                .row("run 50,000 that wait, claims of 256", () -> port(port -> {
                    port.bulkPush(settings.backlog(), 1);
                    return port.drain(BenchJobs.STANDARD, 256, settings.backlog());
                })).row("run 50,000 that wait, claims of 1,000", () -> port(port -> {
                    port.bulkPush(settings.backlog(), 1);
                    return port.drain(BenchJobs.STANDARD, 1_000, settings.backlog());
                })).row("fifo, 1,000 groups of 50, claims of 100 groups", () -> port(port -> {
                    port.pushGroups(1_000, 50);
                    return port.drain(BenchJobs.FIFO, 100, settings.backlog());
                })).print(settings.rounds());
    }

    @FunctionalInterface
    private interface PortRun {
        Figure with(PortRuns port) throws Exception;
    }

    private Figure port(PortRun run) throws Exception {
        try (PostgresStore store = database.fresh()) {
            return run.with(new PortRuns(store, database));
        }
    }

    private Figure drain(GroupRuns runs, int blocked, boolean analysed) throws Exception {
        try (OrderlyJobs ours = new OrderlyJobs(database.fresh())) {
            return runs.drain(ours, blocked, analysed);
        }
    }
}
