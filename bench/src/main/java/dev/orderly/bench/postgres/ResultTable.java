package dev.orderly.bench.postgres;

import dev.orderly.bench.measure.Figure;
import dev.orderly.bench.report.MarkdownTable;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Lets runs take turns, so that a busy neighbour slows all of them, and prints their medians over the rounds. */
public final class ResultTable {
    private final PrintStream out;
    private final String title;
    private final Map<String, Run> runs = new LinkedHashMap<>();
    private final Map<String, Run> lastRuns = new LinkedHashMap<>();
    private final Map<String, List<Figure>> figures = new LinkedHashMap<>();

    /** @param title the heading of the rows' names */
    public ResultTable(PrintStream out, String title) {
        this.out = out;
        this.title = title;
    }

    /** One measurement, on empty tables of its own. */
    @FunctionalInterface
    public interface Run {
        Figure measure() throws Exception;
    }

    /** Adds a row. The first row is the reference. */
    public ResultTable row(String name, Run run) {
        runs.put(name, run);
        return this;
    }

    /** Adds a row that is measured once, after the rounds. */
    ResultTable once(String name, Run run) {
        lastRuns.put(name, run);
        return this;
    }

    /** Runs and prints; the ratio is a row's rate to that of the first row. */
    public void print(int rounds) throws Exception {
        measure(rounds);
        print();
    }

    private void measure(int rounds) throws Exception {
        runs.keySet().forEach(name -> figures.put(name, new ArrayList<>()));
        lastRuns.keySet().forEach(name -> figures.put(name, new ArrayList<>()));
        List<Map.Entry<String, Run>> order = new ArrayList<>(runs.entrySet());
        for (int round = 0; round < rounds; round++) {
            measure(order);
            // No row is always first in a process that has not warmed up.
            Collections.rotate(order, 1);
        }
        measure(lastRuns.entrySet());
    }

    private void measure(Collection<Map.Entry<String, Run>> all) throws Exception {
        for (Map.Entry<String, Run> run : all) {
            figures.getOrDefault(run.getKey(), List.of()).add(run.getValue().measure());
        }
    }

    private void print() {
        MarkdownTable table = new MarkdownTable(List.of(title, "jobs a second", "to the first",
                "CPU s per 1,000 jobs: client + server"));
        double first = median(figures.values().iterator().next()).perSecond();
        figures.forEach((name, all) -> {
            Figure median = median(all);
            table.row(List.of(name, MarkdownTable.rate(median.perSecond(), all.getFirst().perSecond(),
                    all.getLast().perSecond()), MarkdownTable.ratio(median.perSecond() / first),
                    String.format(Locale.ROOT, "%.3f + %.3f", median.client(), median.server())));
        });
        table.print(out);
    }

    private static Figure median(List<Figure> all) {
        all.sort(Figure.BY_RATE);
        return all.get(all.size() / 2);
    }
}
