package dev.orderly.bench.postgres;

import dev.orderly.store.postgres.PostgresStore;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Rates of jobs on PostgreSQL, everything on this machine: the port with one claim loop, then the engine. */
public final class PostgresBench {
    private static final int BACKLOG = 50_000;

    private final PrintStream out;
    private final Path folder;
    private final int rounds;
    private final Duration window;

    public PostgresBench(PrintStream out, Path folder, int rounds, Duration window) {
        this.out = out;
        this.folder = folder;
        this.rounds = rounds;
        this.window = window;
    }

    @FunctionalInterface
    private interface Run {
        double on(PostgresStore postgres) throws Exception;
    }

    /** @param wanted runs whose names start with one of these; all if there is none */
    public void run(List<String> wanted) throws Exception {
        Map<String, Run> runs = new LinkedHashMap<>();
        runs.put("port bulk push, 4 threads, 1,000 a call", on -> new PortRuns(on).bulkPush(300_000, 4));
        runs.put("port drain 50 k, claims of 256", on -> portDrain(on, 256));
        runs.put("port drain 50 k, claims of 1,000", on -> portDrain(on, 1_000));
        runs.put("port fifo 1,000 x 50, claims of 100 groups", on -> portGroups(on, 1_000, 50));
        runs.put("port fifo 100 k x 10, claims of 100 groups", on -> portGroups(on, 100_000, 10));
        for (int callers : List.of(1, 16, 256)) {
            runs.put("engine push, callers " + callers, on -> engine(on, 32, engine -> engine.push(callers, window)));
        }
        for (int concurrency : List.of(32, 256, 1_000)) {
            runs.put("engine drain 50 k, concurrency " + concurrency,
                    on -> engine(on, concurrency, engine -> engine.drain(BACKLOG)));
        }
        runs.put("engine steady, 8 callers x 100, concurrency 1,000",
                on -> engine(on, 1_000, engine -> engine.steady(8, 100, window)));
        runs.put("engine fifo 1,000 x 50, concurrency 256",
                on -> engine(on, 256, engine -> engine.drain(1_000, 50)));
        runs.put("engine fifo 100 k x 10, concurrency 256",
                on -> engine(on, 256, engine -> engine.drain(100_000, 10)));
        runs.put("million drain 300 k, claims of 1,000 (port)", this::million);
        try (Database database = Database.start(folder)) {
            for (Map.Entry<String, Run> run : runs.entrySet()) {
                if (wanted.isEmpty() || wanted.stream().anyMatch(run.getKey()::startsWith)) {
                    measure(database, run.getKey(), run.getValue());
                }
            }
            if (wanted.isEmpty() || wanted.contains("latency")) {
                latency(database);
            }
        }
    }

    private void measure(Database database, String name, Run run) throws Exception {
        double[] rates = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            try (PostgresStore postgres = database.fresh()) {
                rates[round] = run.on(postgres);
            }
        }
        Arrays.sort(rates);
        out.printf(Locale.ROOT, "  %-50s %9.0f /s  (%.0f to %.0f)%n", name, rates[rounds / 2], rates[0],
                rates[rounds - 1]);
    }

    private static double portDrain(PostgresStore on, int batch) throws Exception {
        PortRuns port = new PortRuns(on);
        port.bulkPush(BACKLOG, 1);
        return port.drain(Jobs.STANDARD, batch, BACKLOG);
    }

    private static double portGroups(PostgresStore on, int groups, int each) throws Exception {
        PortRuns port = new PortRuns(on);
        port.pushGroups(groups, each);
        return port.drain(Jobs.FIFO, 100, groups * each);
    }

    private double million(PostgresStore on) throws Exception {
        PortRuns port = new PortRuns(on);
        double pushed = port.bulkPush(1_000_000, 4);
        double first = port.counting();
        out.printf(Locale.ROOT, "    pushed at %.0f /s; counting 1 M: %.1f ms, again %.1f ms%n", pushed, first,
                port.counting());
        return port.drain(Jobs.STANDARD, 1_000, 300_000);
    }

    @FunctionalInterface
    private interface EngineRun {
        double on(EngineRuns engine) throws InterruptedException;
    }

    private static double engine(PostgresStore postgres, int concurrency, EngineRun run) throws InterruptedException {
        try (EngineRuns engine = new EngineRuns(postgres, concurrency)) {
            return run.on(engine);
        }
    }

    private void latency(Database database) throws Exception {
        try (PostgresStore postgres = database.fresh(); EngineRuns engine = new EngineRuns(postgres, 32)) {
            long[] nanos = engine.idleLatency(300, Duration.ofMillis(60));
            out.printf(Locale.ROOT, "  push to start, idle: p50 %.2f ms, p99 %.2f ms, max %.2f ms%n",
                    nanos[nanos.length / 2] / 1e6, nanos[nanos.length * 99 / 100] / 1e6, nanos[nanos.length - 1] / 1e6);
        }
    }
}
