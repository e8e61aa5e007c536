package dev.orderly.bench;

import dev.orderly.bench.contender.ContenderKind;
import dev.orderly.bench.crowd.CrowdBench;
import dev.orderly.bench.crowd.LobbyBench;
import dev.orderly.bench.edge.DashboardBench;
import dev.orderly.bench.edge.EdgeBench;
import dev.orderly.bench.edge.LiveBench;
import dev.orderly.bench.edge.TlsBench;
import dev.orderly.bench.harness.PublicBench;
import dev.orderly.bench.measure.Pace;
import dev.orderly.bench.postgres.PostgresBench;
import java.io.File;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Measures everything, or the parts named on the command line:
 * {@code push life fifo pending latency joins heap edge tls connected live dashboard postgres}, or {@code crowd},
 * {@code waits}, {@code keys}, {@code contention}, {@code peers}, {@code public} or {@code copy}, which run only when
 * they are named.
 * {@code quick} measures less of each, in less than three minutes. Contenders take turns inside each round, so that a
 * busy neighbour slows all of them. A ratio is the ratio of medians over the rounds.
 */
public final class Bench {
    private static final List<String> EDGE = List.of("edge", "tls", "connected", "crowd", "live", "dashboard");
    private static final List<String> ALL = List.of("push", "life", "fifo", "pending", "latency", "joins", "heap",
            "edge", "tls", "connected", "live", "dashboard", "postgres");
    private static final List<String> QUICK = List.of("postgres", "push", "life", "fifo", "pending", "latency", "edge");

    private final PrintStream out;
    private final Path folder;
    private final boolean quick;
    private final int rounds;
    private final int seconds;
    private final Map<String, String> settings;

    private Bench(PrintStream out, Path folder, boolean quick, Map<String, String> settings) {
        this.out = out;
        this.folder = folder;
        this.quick = quick;
        this.rounds = Integer.parseInt(settings.getOrDefault("rounds", quick ? "1" : "3"));
        this.seconds = Integer.parseInt(settings.getOrDefault("seconds", quick ? "1" : "3"));
        this.settings = settings;
    }

    /**
     * Arguments: parts to run (none for all), {@code quick}, {@code rounds=3}, {@code seconds=3}, {@code folder=PATH};
     * for {@code crowd} only {@code visitors=100000}; for {@code waits} only {@code visitors=300}; for {@code lobby}
     * only {@code visitors=200000} and {@code opens-in=60} seconds; for {@code copy} only {@code jobs=1000000}; for
     * {@code keys} only {@code jobs=20000} of a run, {@code pending=1000000} and {@code runs=sqlite,postgres}; for
     * {@code public} only {@code harness=} with its checkout, {@code programs=} with the folder of PostgreSQL's
     * programs, {@code scale=1} and {@code runs=}; for {@code contention} only {@code threads=64}; for {@code postgres}
     * only {@code pending=200000}, {@code held=10} seconds, {@code rate=10000} jobs a second; for {@code postgres},
     * {@code peers} and {@code tls} {@code runs=} with names separated by commas, and {@code java=} with options of the
     * contenders' JVMs, separated by blanks.
     */
    public static void main(String[] args) throws Exception {
        Map<String, String> settings = new LinkedHashMap<>();
        List<String> parts = new ArrayList<>();
        for (String arg : args) {
            int equals = arg.indexOf('=');
            if (equals < 0) {
                parts.add(arg);
            } else {
                settings.put(arg.substring(0, equals), arg.substring(equals + 1));
            }
        }
        boolean quick = parts.remove("quick");
        Path parent = Path.of(settings.getOrDefault("folder", System.getProperty("java.io.tmpdir")));
        Path folder = Files.createTempDirectory(Files.createDirectories(parent), "orderly-bench");
        Bench bench = new Bench(System.out, folder, quick, settings);
        try {
            bench.run(!parts.isEmpty() ? parts : quick ? QUICK : ALL);
        } finally {
            Workloads.clear(folder);
            Files.deleteIfExists(folder);
        }
    }

    private static void check(List<String> parts) {
        for (String part : parts) {
            if (!SqliteBench.PARTS.contains(part) && !EDGE.contains(part) && !part.equals("postgres")
                    && !part.equals("copy") && !part.equals("waits") && !part.equals("lobby") && !part.equals("keys")
                    && !part.equals("batches") && !part.equals("peers") && !part.equals("contention")
                    && !part.equals("public")) {
                throw new IllegalArgumentException("No part " + part + ": use " + String.join(", ", SqliteBench.PARTS)
                        + ", " + String.join(", ", EDGE)
                        + ", waits, lobby, copy, keys, batches, contention, peers, public or postgres");
            }
        }
    }

    private void run(List<String> parts) throws Exception {
        check(parts);
        out.printf(Locale.ROOT, "%d cores, Java %s, %s %s, rounds: %d of %d s%s%n",
                Runtime.getRuntime().availableProcessors(), Runtime.version(), System.getProperty("os.name"),
                System.getProperty("os.version"), rounds, seconds, quick ? ", quick" : "");
        if (parts.contains("copy")) {
            new CopyBench(out, folder, Integer.parseInt(settings.getOrDefault("jobs", "1000000"))).run();
            Workloads.clear(folder);
        }
        if (parts.contains("keys")) {
            new KeyBench(out, folder, rounds, Integer.parseInt(settings.getOrDefault("jobs", "20000")),
                    Integer.parseInt(settings.getOrDefault("pending", "1000000")), words("runs", ",")).run();
            Workloads.clear(folder);
        }
        if (parts.contains("batches")) {
            new BatchBench(out, folder, rounds, Integer.parseInt(settings.getOrDefault("jobs", "200000"))).run();
            Workloads.clear(folder);
        }
        if (parts.contains("contention")) {
            new ContentionBench(out, folder, rounds, seconds,
                    Integer.parseInt(settings.getOrDefault("threads", "64"))).run();
        }
        if (parts.contains("public")) {
            PublicBench.run(settings.getOrDefault("harness", "postgresql-job-queue-benchmarking"),
                    settings.getOrDefault("programs", "/usr/lib/postgresql/18/bin"),
                    settings.getOrDefault("scale", "1"), settings.getOrDefault("runs", ""));
        }
        if (parts.contains("lobby")) {
            new LobbyBench(out, folder, Integer.parseInt(settings.getOrDefault("visitors", "200000")),
                    Duration.ofSeconds(Long.parseLong(settings.getOrDefault("opens-in", "60")))).run();
            Workloads.clear(folder);
        }
        if (parts.contains("waits")) {
            new CrowdBench(out, folder, Integer.parseInt(settings.getOrDefault("visitors", quick ? "100" : "300")),
                    quick).run();
            Workloads.clear(folder);
        }
        if (parts.contains("postgres")) {
            postgres(ContenderKind.JAVA_PEERS, words("runs", ","));
            Workloads.clear(folder);
        }
        if (parts.contains("peers") && installed("peers")) {
            postgres(ContenderKind.PEERS, settings.containsKey("runs") ? words("runs", ",") : PostgresBench.QUICK);
            Workloads.clear(folder);
        }
        List<String> sqlite = parts.stream().filter(SqliteBench.PARTS::contains).toList();
        if (!sqlite.isEmpty()) {
            new SqliteBench(out, folder, rounds, pace(Duration.ofMillis(20)), quick).run(sqlite);
        }
        for (String part : EDGE.stream().filter(parts::contains).filter(this::installed).toList()) {
            switch (part) {
                case "edge" -> {
                    EdgeBench edge = new EdgeBench(out, folder, rounds, seconds);
                    edge.rates();
                    edge.cores();
                    edge.print();
                }
                case "tls" -> new TlsBench(out, folder, new TlsBench.Settings(rounds, seconds, words("runs", ","),
                        settings.getOrDefault("java", ""))).run();
                case "connected" -> new EdgeBench(out, folder, rounds, seconds).connected();
                case "crowd" -> new EdgeBench(out, folder, rounds, seconds)
                        .crowd(Integer.parseInt(settings.getOrDefault("visitors", "100000")));
                case "dashboard" -> new DashboardBench(out, folder, seconds).open();
                default -> new LiveBench(out, folder, rounds).connected();
            }
        }
    }

    /** Whether the programs that a part needs are on the path; says so if not. */
    private boolean installed(String part) {
        List<String> path = List.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1));
        List<String> needed = switch (part) {
            case "live", "dashboard" -> List.of("taskset");
            case "peers" -> List.of("npm");
            case "tls" -> List.of("nginx", "wrk", "taskset", "openssl", "h2load");
            default -> List.of("nginx", "wrk", "taskset");
        };
        List<String> missing = needed.stream()
                .filter(program -> path.stream().noneMatch(each -> Files.isExecutable(Path.of(each, program))))
                .toList();
        if (!missing.isEmpty()) {
            out.printf(Locale.ROOT, "%n%s is left out: it needs %s on the path%n", part, String.join(", ", missing));
        }
        return missing.isEmpty();
    }

    private void postgres(List<ContenderKind> peers, List<String> runs) throws Exception {
        new PostgresBench(out, folder, new PostgresBench.Settings(rounds, pace(Duration.ofMillis(quick ? 30 : 75)),
                Integer.parseInt(settings.getOrDefault("pending", "200000")),
                Duration.ofSeconds(Long.parseLong(settings.getOrDefault("held", "10"))),
                Integer.parseInt(settings.getOrDefault("rate", "10000")), quick,
                words("java", " "), peers)).run(runs);
    }

    private List<String> words(String setting, String separator) {
        return Stream.of(settings.getOrDefault(setting, "").split(separator, -1)).filter(word -> !word.isEmpty())
                .toList();
    }

    private Pace pace(Duration pause) {
        return new Pace(Duration.ofSeconds(seconds), Duration.ofMillis(quick ? 500 : 2_000), pause);
    }
}
