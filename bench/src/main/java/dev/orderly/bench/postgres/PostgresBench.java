package dev.orderly.bench.postgres;

import dev.orderly.bench.contender.ContenderKind;
import dev.orderly.bench.contender.RemoteContenders;
import dev.orderly.bench.measure.Database;
import dev.orderly.bench.measure.Figure;
import dev.orderly.bench.measure.Pace;
import dev.orderly.bench.report.MarkdownTable;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Jobs and rooms of many nodes: Orderly beside its peers and beside a bare INSERT on one PostgreSQL, all on this
 * machine.
 */
public final class PostgresBench {
    private static final List<String> NAMES = List.of("bulk", "push", "drain", "deep", "steady", "fifo", "lone",
            "lone-steady", "idle", "elsewhere", "handlers", "settle", "groups", "pending", "blocked", "held", "paced",
            "port", "rooms");
    /** The runs of the table beside other job queues. */
    public static final List<String> QUICK = List.of("bulk", "push", "drain", "steady", "fifo", "lone", "lone-steady",
            "idle", "elsewhere");

    private final PrintStream out;
    private final Path folder;
    private final Settings settings;

    /**
     * The size of the workloads.
     *
     * @param pending jobs behind the measured jobs, in runs that have some
     * @param held time for which another session's snapshot is held
     * @param rate jobs a second of the paced load
     * @param quick whether only the table of comparison is printed, of fewer jobs
     * @param javaOptions further options of the JVM of each contender
     * @param peers other job queues beside Orderly
     */
    public record Settings(int rounds, Pace pace, int pending, Duration held, int rate,
            boolean quick, List<String> javaOptions, List<ContenderKind> peers) {
        int backlog() {
            return quick ? 10_000 : 50_000;
        }

        int pushes() {
            return quick ? 60 : 200;
        }
    }

    public PostgresBench(PrintStream out, Path folder, Settings settings) {
        this.out = out;
        this.folder = folder;
        this.settings = settings;
    }

    @FunctionalInterface
    private interface Workload {
        void run() throws Exception;
    }

    /** @param wanted names of workloads; empty for all */
    public void run(List<String> wanted) throws Exception {
        if (!NAMES.containsAll(wanted)) {
            throw new IllegalArgumentException("Of runs=" + String.join(",", wanted) + " some are unknown: use "
                    + String.join(", ", NAMES));
        }
        List<String> chosen = !wanted.isEmpty() ? wanted : settings.quick() ? QUICK : NAMES;
        try (Database database = Database.start(folder);
                RemoteContenders contenders = new RemoteContenders(database, settings.pace(), settings.javaOptions(),
                        folder)) {
            PeerComparison comparison = new PeerComparison(out, contenders::of, settings.rounds(), !settings.quick());
            Map<String, Workload> workloads = workloads(database, comparison);
            for (String name : NAMES) {
                Workload workload = workloads.get(name);
                if (workload != null && chosen.contains(name)) {
                    workload.run();
                }
            }
            comparison.print();
        }
    }

    private Map<String, Workload> workloads(Database database, PeerComparison comparison) {
        PeerRuns peers = new PeerRuns(comparison, settings);
        OwnRuns own = new OwnRuns(out, database, settings);
        Map<String, Workload> all = new LinkedHashMap<>();
        all.put("push", peers::push);
        all.put("bulk", peers::bulk);
        all.put("drain", peers::drain);
        all.put("deep", peers::deep);
        all.put("steady", peers::steady);
        all.put("lone", peers::lone);
        all.put("lone-steady", peers::loneSteady);
        all.put("idle", peers::idle);
        all.put("elsewhere", () -> elsewhere(database, comparison));
        all.put("fifo", peers::fifo);
        all.put("handlers", own::handlers);
        all.put("settle", own::settle);
        all.put("groups", own::groups);
        all.put("pending", own::pending);
        all.put("blocked", own::blocked);
        all.put("held", own::held);
        all.put("paced", () -> new PacedRuns(database).print(out, settings.rate(), settings.held()));
        all.put("port", own::port);
        all.put("rooms", () -> new RoomBench(out).run(database));
        return all;
    }

    private void elsewhere(Database database, PeerComparison comparison) throws Exception {
        BacklogRuns runs = new BacklogRuns(database, settings.pending());
        MarkdownTable table = new MarkdownTable(List.of("push to start, from another process", "p50 ms", "p99 ms",
                "most ms"));
        for (PendingLoad backlog : settings.quick() ? List.of(PendingLoad.NONE) : List.of(PendingLoad.values())) {
            Figure.Millis latency = runs.fromElsewhere(backlog, settings.pushes());
            table.row(List.of(backlog.title(settings.pending()), millis(latency.median()), millis(latency.p99()),
                    millis(latency.most())));
            if (backlog == PendingLoad.NONE) {
                comparison.add("the same, from another process", latency, PeerRuns.IDLE);
            }
        }
        if (!settings.quick()) {
            table.print(out);
        }
    }

    private static String millis(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
