package dev.orderly.bench;

import dev.orderly.bench.edge.EdgeBench;
import dev.orderly.bench.edge.LiveBench;
import dev.orderly.bench.postgres.PostgresBench;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Measures everything, or the parts named on the command line:
 * {@code push life fifo pending latency heap joins edge connected live postgres}, or {@code crowd}, which runs only
 * when it is named. Contenders take turns inside each round, so that a busy neighbour slows all of them. A ratio is the
 * ratio of medians over the rounds.
 */
public final class Bench {
    private static final int MILLION = 1_000_000;

    private final PrintStream out;
    private final Path folder;
    private final int rounds;
    private final int seconds;
    private final Map<String, String> settings;
    private final Workloads work;

    private Bench(PrintStream out, Path folder, Map<String, String> settings) {
        this.out = out;
        this.folder = folder;
        this.rounds = Integer.parseInt(settings.getOrDefault("rounds", "3"));
        this.seconds = Integer.parseInt(settings.getOrDefault("seconds", "3"));
        this.settings = settings;
        this.work = new Workloads(folder, Duration.ofSeconds(seconds));
    }

    /** A measured workload: jobs a second. */
    @FunctionalInterface
    private interface Contender {
        double perSecond() throws Exception;
    }

    /**
     * Arguments: parts to run (none for all), {@code rounds=3}, {@code seconds=3}, {@code folder=PATH}; for
     * {@code crowd} only {@code visitors=100000}; for {@code postgres} only {@code runs=} with names separated by
     * commas, {@code pending=200000}, {@code held=10} seconds.
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
        Path parent = Path.of(settings.getOrDefault("folder", System.getProperty("java.io.tmpdir")));
        Path folder = Files.createTempDirectory(Files.createDirectories(parent), "orderly-bench");
        Bench bench = new Bench(System.out, folder, settings);
        try {
            bench.run(parts.isEmpty()
                    ? List.of("push", "life", "fifo", "pending", "latency", "heap", "joins", "edge",
                            "connected", "live", "postgres")
                    : parts);
        } finally {
            bench.clear();
            Files.deleteIfExists(folder);
        }
    }

    private void run(List<String> parts) throws Exception {
        out.printf(Locale.ROOT, "%d cores, Java %s, %s %s, %d rounds%n", Runtime.getRuntime().availableProcessors(),
                Runtime.version(), System.getProperty("os.name"), System.getProperty("os.version"), rounds);
        for (String part : parts) {
            switch (part) {
                case "push" -> push();
                case "life" -> compare("life cycle, 256 producers",
                        Map.of("log", () -> work.logLife(256), "orderly", () -> work.life(256, 0)), "log");
                case "fifo" -> compare("life cycle by kind of queue, 256 producers", Map.of("standard",
                        () -> work.life(256, 0), "fifo, 10 k groups", () -> work.fifo(256, 0, 0)), "standard");
                case "pending" -> pending();
                case "latency" -> latency();
                case "heap" -> out.printf(Locale.ROOT, "heap of 1 M pending jobs: %.1f MB%n",
                        work.heapOfPending(MILLION) / 1e6);
                case "joins" -> compare("durable places, distinct visitors", Map.of("log, 256", () -> work.logPush(256),
                        "orderly, 256", () -> work.joins(256), "orderly, 2048", () -> work.joins(2_048)), "log, 256");
                case "edge" -> {
                    EdgeBench edge = new EdgeBench(out, folder, rounds, seconds);
                    edge.rates();
                    edge.cores();
                }
                case "connected" -> new EdgeBench(out, folder, rounds, seconds).connected();
                case "crowd" -> new EdgeBench(out, folder, rounds, seconds)
                        .crowd(Integer.parseInt(settings.getOrDefault("visitors", "100000")));
                case "postgres" -> postgres();
                case "live" -> new LiveBench(out, folder, rounds).connected();
                default -> throw new IllegalArgumentException("No part " + part
                        + ": use push, life, fifo, pending, latency, heap, joins, edge, connected, crowd, "
                        + "live or postgres");
            }
        }
    }

    private void postgres() throws Exception {
        List<String> runs = Stream.of(settings.getOrDefault("runs", "").split(",")).filter(run -> !run.isEmpty())
                .toList();
        new PostgresBench(out, folder, new PostgresBench.Settings(rounds, Duration.ofSeconds(seconds),
                Integer.parseInt(settings.getOrDefault("pending", "200000")),
                Duration.ofSeconds(Long.parseLong(settings.getOrDefault("held", "10"))))).run(runs);
    }

    private void push() throws Exception {
        for (int producers : List.of(1, 16, 256)) {
            compare("push, " + producers + " producers",
                    Map.of("log", () -> work.logPush(producers), "orderly", () -> work.push(producers)), "log");
        }
    }

    private void pending() throws Exception {
        compare("life cycle with 1 M pending, 256 producers",
                Map.of("empty", () -> work.life(256, 0), "1 M pending", () -> work.life(256, MILLION)), "empty");
        compare("fifo with 1 M pending, 256 producers",
                Map.of("empty", () -> work.fifo(256, 0, 0), "1 M pending", () -> work.fifo(256, MILLION, 0),
                        "1 M in one blocked group", () -> work.fifo(256, 0, MILLION)),
                "empty");
    }

    private void latency() throws Exception {
        long[] nanos = work.idleLatency(500, Duration.ofMillis(20));
        out.printf(Locale.ROOT, "push to start, idle: p50 %.2f ms, p99 %.2f ms, max %.2f ms%n",
                nanos[nanos.length / 2] / 1e6, nanos[nanos.length * 99 / 100] / 1e6, nanos[nanos.length - 1] / 1e6);
    }

    private void compare(String title, Map<String, Contender> contenders, String reference) throws Exception {
        Map<String, double[]> rates = new LinkedHashMap<>();
        contenders.keySet().stream().sorted(Comparator.comparingInt(name -> name.equals(reference) ? 0 : 1))
                .forEach(name -> rates.put(name, new double[rounds]));
        for (int round = 0; round < rounds; round++) {
            for (Map.Entry<String, double[]> entry : rates.entrySet()) {
                Contender contender = contenders.get(entry.getKey());
                if (contender != null) {
                    entry.getValue()[round] = contender.perSecond();
                    clear();
                }
            }
        }
        rates.values().forEach(Arrays::sort);
        out.println(title);
        rates.forEach((name, sorted) -> out.printf(Locale.ROOT,
                "  %-26s %9.0f /s  (%.0f to %.0f)   ratio to %s %.2f%n", name, median(sorted), sorted[0],
                sorted[rounds - 1], reference, median(sorted) / median(rates.getOrDefault(reference, sorted))));
    }

    private static double median(double[] sorted) {
        return sorted[sorted.length / 2];
    }

    private void clear() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path path : files.sorted(Comparator.reverseOrder()).filter(path -> !path.equals(folder)).toList()) {
                Files.delete(path);
            }
        }
    }
}
