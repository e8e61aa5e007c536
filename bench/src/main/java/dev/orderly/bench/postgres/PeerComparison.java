package dev.orderly.bench.postgres;

import dev.orderly.bench.contender.ContenderKind;
import dev.orderly.bench.contender.RemoteContender;
import dev.orderly.bench.contender.Workload;
import dev.orderly.bench.measure.Figure;
import dev.orderly.bench.report.MarkdownTable;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Orderly beside its peers and the bare INSERT: each workload in turns, and all of them in one table at the end. A row
 * has its title only once in a run.
 */
final class PeerComparison {
    private static final Comparator<Figure> BY_LATENCY = Comparator
            .comparingDouble(figure -> figure.latency().median());

    private final PrintStream out;
    private final Function<ContenderKind, RemoteContender> contenders;
    private final int rounds;
    private final boolean details;
    private final Map<String, Row> rows = new LinkedHashMap<>();

    /** @param details whether each workload's own table is printed as well */
    PeerComparison(PrintStream out, Function<ContenderKind, RemoteContender> contenders, int rounds, boolean details) {
        this.out = out;
        this.contenders = contenders;
        this.rounds = rounds;
        this.details = details;
    }

    /** What a row of the table says. */
    private enum Unit {
        RATE, LATENCY
    }

    private record Row(Unit unit, Map<ContenderKind, Figure> medians) {}

    /** Measures jobs a second. */
    void rates(String title, Workload workload, int number, List<ContenderKind> kinds) throws IOException {
        measure(title, Unit.RATE, workload, number, kinds);
    }

    /** Measures milliseconds. */
    void latencies(String title, Workload workload, int number, List<ContenderKind> kinds) throws IOException {
        measure(title, Unit.LATENCY, workload, number, kinds);
    }

    /** Adds milliseconds of Orderly that were measured elsewhere, beside the bare INSERT of another row. */
    void add(String title, Figure.Millis latency, String like) {
        Figure ours = new Figure(0, 0, 0, new Figure.Memory(0, 0), latency);
        Map<ContenderKind, Figure> figures = new EnumMap<>(Map.of(ContenderKind.ORDERLY, ours));
        Row other = rows.get(like);
        Figure bare = other == null ? null : other.medians.get(ContenderKind.BARE_INSERT);
        if (bare != null) {
            figures.put(ContenderKind.BARE_INSERT, bare);
        }
        rows.put(title, new Row(Unit.LATENCY, figures));
    }

    private void measure(String title, Unit unit, Workload workload, int number, List<ContenderKind> kinds)
            throws IOException {
        Map<ContenderKind, List<Figure>> figures = new EnumMap<>(ContenderKind.class);
        List<ContenderKind> order = new ArrayList<>(kinds);
        for (int round = 0; round < rounds; round++) {
            for (ContenderKind kind : order) {
                System.err.println(title + ": " + kind.title());
                Figure figure = contenders.apply(kind).run(workload, number);
                figures.computeIfAbsent(kind, _ -> new ArrayList<>()).add(figure);
            }
            // No contender always has the same neighbour.
            Collections.rotate(order, 1);
        }
        Map<ContenderKind, Figure> medians = new EnumMap<>(ContenderKind.class);
        figures.forEach((kind, all) -> {
            Collections.sort(all, unit == Unit.RATE ? Figure.BY_RATE : BY_LATENCY);
            medians.put(kind, all.get(all.size() / 2));
        });
        rows.put(title, new Row(unit, medians));
        if (details) {
            printDetails(title, unit, figures, medians);
        }
    }

    private void printDetails(String title, Unit unit, Map<ContenderKind, List<Figure>> figures,
            Map<ContenderKind, Figure> medians) {
        MarkdownTable table = new MarkdownTable(List.of(title, unit == Unit.RATE ? "jobs a second" : "p50 / p99 ms",
                "Orderly to it", "CPU s per 1,000 jobs: client + server", "peak MiB: client + server"));
        figures.forEach((kind, all) -> {
            Figure median = all.get(all.size() / 2);
            Figure ours = medians.getOrDefault(ContenderKind.ORDERLY, median);
            table.row(List.of(kind.title(), unit == Unit.RATE
                    ? MarkdownTable.rate(median.perSecond(), all.getFirst().perSecond(), all.getLast().perSecond())
                    : millis(median),
                    MarkdownTable.ratio(value(unit, ours) / value(unit, median)), cpu(median), memory(median)));
        });
        table.print(out);
    }

    /** Prints the table of all rows, if there are any, with processor time and memory of the drain. */
    void print() {
        if (rows.isEmpty()) {
            return;
        }
        List<String> headings = new ArrayList<>(List.of("jobs a second; latencies in ms, p50 / p99"));
        measured().forEach(kind -> headings.add(kind.title()));
        headings.addAll(List.of("Orderly (with 1,000 handlers) to the best peer that keeps what it acknowledged",
                "to the bare INSERT"));
        MarkdownTable table = new MarkdownTable(headings);
        rows.forEach((title, row) -> {
            table.row(cells(title, row, figure -> row.unit == Unit.RATE
                    ? MarkdownTable.rate(figure.perSecond())
                    : millis(figure), figure -> value(row.unit, figure), row.unit == Unit.RATE));
            if (row.unit == Unit.RATE) {
                table.row(cells("… CPU s per 1,000", row, figure -> thousandths(figure.cpu()), Figure::cpu, false));
            }
            if (row.unit == Unit.RATE && row.medians.values().stream().anyMatch(it -> it.latency().median() > 0)) {
                table.row(cells("… of one call, ms", row, PeerComparison::millis, it -> value(Unit.LATENCY, it),
                        false));
            }
        });
        table.row(peaks());
        table.print(out);
    }

    private List<ContenderKind> measured() {
        return Stream.of(ContenderKind.values())
                .filter(kind -> rows.values().stream().anyMatch(row -> row.medians.containsKey(kind))).toList();
    }

    private List<String> cells(String title, Row row, Function<Figure, String> cell, Function<Figure, Double> value,
            boolean moreIsBetter) {
        List<String> cells = new ArrayList<>(List.of(title));
        for (ContenderKind kind : measured()) {
            Figure figure = row.medians.get(kind);
            cells.add(figure == null ? MarkdownTable.NOTHING : cell.apply(figure));
        }
        double best = ContenderKind.PEERS.stream().filter(ContenderKind::isDurable).map(row.medians::get)
                .filter(Objects::nonNull).mapToDouble(value::apply).reduce(moreIsBetter ? Math::max : Math::min)
                .orElse(Double.NaN);
        cells.add(ours(row, value, best));
        Figure bare = row.medians.get(ContenderKind.BARE_INSERT);
        cells.add(bare == null ? MarkdownTable.NOTHING : ours(row, value, value.apply(bare)));
        return cells;
    }

    /** Orderly's value to another, and in brackets that with 1,000 handlers. */
    private static String ours(Row row, Function<Figure, Double> value, double other) {
        Figure ours = row.medians.get(ContenderKind.ORDERLY);
        Figure many = row.medians.get(ContenderKind.ORDERLY_1000);
        String first = ours == null ? MarkdownTable.NOTHING : MarkdownTable.ratio(value.apply(ours) / other);
        return many == null || Double.isNaN(other)
                ? first
                : first + " (" + MarkdownTable.ratio(value.apply(many) / other) + ")";
    }

    /** The largest memory of each contender in any of the medians. */
    private List<String> peaks() {
        List<String> cells = new ArrayList<>(List.of("peak MiB, client + server"));
        for (ContenderKind kind : measured()) {
            List<Figure.Memory> all = rows.values().stream().map(row -> row.medians.get(kind))
                    .filter(Objects::nonNull).map(Figure::memory).toList();
            cells.add(all.isEmpty()
                    ? MarkdownTable.NOTHING
                    : memory(new Figure(0, 0, 0,
                            new Figure.Memory(all.stream().mapToDouble(Figure.Memory::client).max().orElse(0),
                                    all.stream().mapToDouble(Figure.Memory::server).max().orElse(0)),
                            Figure.Millis.NONE)));
        }
        cells.addAll(List.of(MarkdownTable.NOTHING, MarkdownTable.NOTHING));
        return cells;
    }

    private static double value(Unit unit, Figure figure) {
        return unit == Unit.RATE ? figure.perSecond() : figure.latency().median();
    }

    private static String millis(Figure figure) {
        return String.format(Locale.ROOT, "%.2f / %.2f", figure.latency().median(), figure.latency().p99());
    }

    private static String cpu(Figure figure) {
        return thousandths(figure.client()) + " + " + thousandths(figure.server());
    }

    private static String thousandths(double seconds) {
        return String.format(Locale.ROOT, "%.3f", seconds);
    }

    private static String memory(Figure figure) {
        return String.format(Locale.ROOT, "%.0f + %.0f", figure.memory().client(), figure.memory().server());
    }
}
