package dev.orderly.bench;

import dev.orderly.bench.measure.Figure;
import dev.orderly.bench.measure.Pace;
import dev.orderly.bench.report.MarkdownTable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Orderly on SQLite beside a bare log on the same disk, or beside itself on an empty store, in turns. All rows are in
 * one table.
 */
final class SqliteBench {
    static final List<String> PARTS = List.of("push", "life", "fifo", "pending", "latency", "joins", "heap");

    private static final String LOG = "bare log";
    private static final int PRODUCERS = 256;

    private final PrintStream out;
    private final Path folder;
    private final int rounds;
    private final boolean quick;
    private final int pending;
    private final Workloads work;
    private final MarkdownTable table = new MarkdownTable(List.of("SQLite, one process", "a second", "beside",
            "a second", "ratio", "CPU s per 1,000 (the other's)", "peak MiB (the other's)"));

    SqliteBench(PrintStream out, Path folder, int rounds, Pace pace, boolean quick) {
        this.out = out;
        this.folder = folder;
        this.rounds = rounds;
        this.quick = quick;
        this.pending = quick ? 300_000 : 1_000_000;
        work = new Workloads(folder, pace);
    }

    /** One measurement on an empty folder. */
    @FunctionalInterface
    private interface Run {
        Figure measure() throws Exception;
    }

    void run(List<String> parts) throws Exception {
        for (String part : parts) {
            switch (part) {
                case "push" -> push();
                case "life" -> compare(LOG, () -> work.logLife(PRODUCERS),
                        Map.of("push, claim, run, settle, 256 producers", () -> work.life(PRODUCERS, 0)));
                case "fifo" -> compare("one standard queue", () -> work.life(PRODUCERS, 0),
                        Map.of("the same over 10,000 FIFO groups", () -> work.fifo(PRODUCERS, 0, 0)));
                case "pending" -> pending();
                case "latency" -> latency();
                case "joins" -> compare(LOG, () -> work.logPush(PRODUCERS), joins());
                case "heap" -> out.printf(Locale.ROOT, "%nheap of %,d pending jobs: %.1f MB%n", pending,
                        work.heapOfPending(pending) / 1e6);
                default -> throw new IllegalArgumentException("No part " + part);
            }
        }
        table.print(out);
    }

    private void push() throws Exception {
        for (int producers : quick ? List.of(1, PRODUCERS) : List.of(1, 16, PRODUCERS)) {
            compare(LOG, () -> work.logPush(producers),
                    Map.of("push, producers: " + producers, () -> work.push(producers)));
        }
    }

    private void pending() throws Exception {
        compare("empty", () -> work.life(PRODUCERS, 0),
                Map.of("life cycle with %,d pending in the queue".formatted(pending),
                        () -> work.life(PRODUCERS, pending)));
        Map<String, Run> groups = new LinkedHashMap<>();
        groups.put("FIFO with %,d pending over 10,000 groups".formatted(pending),
                () -> work.fifo(PRODUCERS, pending, 0));
        groups.put("FIFO with %,d in one blocked group".formatted(pending),
                () -> work.fifo(PRODUCERS, 0, pending));
        compare("empty", () -> work.fifo(PRODUCERS, 0, 0), groups);
    }

    private Map<String, Run> joins() {
        Map<String, Run> joins = new LinkedHashMap<>();
        joins.put("durable places of a room, visitors at once: 256", () -> work.joins(PRODUCERS));
        if (!quick) {
            joins.put("durable places of a room, visitors at once: 2,048", () -> work.joins(2_048));
        }
        return joins;
    }

    private void latency() throws Exception {
        int calls = quick ? 120 : 500;
        Figure log = work.logIdle(calls);
        Figure ours = work.idle(calls);
        clear();
        table.row(List.of("idle, push to start: p50 / p99 ms", millis(ours), LOG, millis(log),
                MarkdownTable.ratio(ours.latency().median() / log.latency().median()), costs(ours, log),
                memory(ours, log)));
    }

    /** Lets the reference and the rows take turns, and adds the rows. */
    private void compare(String reference, Run referenceRun, Map<String, Run> rows) throws Exception {
        Map<String, Run> runs = new LinkedHashMap<>();
        runs.put(reference, referenceRun);
        runs.putAll(rows);
        Map<String, List<Figure>> figures = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (Map.Entry<String, Run> run : runs.entrySet()) {
                figures.computeIfAbsent(run.getKey(), _ -> new ArrayList<>()).add(run.getValue().measure());
                clear();
            }
        }
        figures.values().forEach(all -> Collections.sort(all, Figure.BY_RATE));
        List<Figure> others = figures.getOrDefault(reference, List.of());
        Figure other = median(others);
        figures.forEach((name, all) -> {
            if (!name.equals(reference)) {
                Figure ours = median(all);
                table.row(List.of(name, rate(all), reference, rate(others),
                        MarkdownTable.ratio(ours.perSecond() / other.perSecond()), costs(ours, other),
                        memory(ours, other)));
            }
        });
    }

    private static Figure median(List<Figure> sorted) {
        return sorted.get(sorted.size() / 2);
    }

    private static String rate(List<Figure> sorted) {
        return MarkdownTable.rate(median(sorted).perSecond(), sorted.getFirst().perSecond(),
                sorted.getLast().perSecond());
    }

    private static String millis(Figure figure) {
        return String.format(Locale.ROOT, "%.2f / %.2f", figure.latency().median(), figure.latency().p99());
    }

    private static String costs(Figure ours, Figure other) {
        return String.format(Locale.ROOT, "%.3f (%.3f)", ours.cpu(), other.cpu());
    }

    private static String memory(Figure ours, Figure other) {
        return String.format(Locale.ROOT, "%.0f (%.0f)", ours.memory().client(), other.memory().client());
    }

    private void clear() throws IOException {
        Workloads.clear(folder);
    }
}
