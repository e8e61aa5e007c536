package dev.orderly.bench.report;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A table in Markdown whose columns are aligned in plain text, too. */
public final class MarkdownTable {
    /** The cell where nothing was measured. */
    public static final String NOTHING = "–";

    private final List<List<String>> rows = new ArrayList<>();

    /** @param headings the first is that of the rows' names, and names the table */
    public MarkdownTable(List<String> headings) {
        rows.add(List.copyOf(headings));
    }

    /** Adds a row with a cell for each heading. */
    public MarkdownTable row(List<String> cells) {
        if (cells.size() != rows.getFirst().size()) {
            throw new IllegalArgumentException("A row of " + cells.size() + " cells under " + rows.getFirst().size()
                    + " headings");
        }
        rows.add(List.copyOf(cells));
        return this;
    }

    /** Prints an empty line and the table. */
    public void print(PrintStream out) {
        List<Integer> widths = IntStream.range(0, rows.getFirst().size())
                .map(column -> rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0)).boxed()
                .toList();
        out.println();
        out.println(line(rows.getFirst(), widths));
        out.println(widths.stream().map(width -> "-".repeat(width + 2)).collect(Collectors.joining("|", "|", "|")));
        rows.stream().skip(1).forEach(row -> out.println(line(row, widths)));
        out.flush();
    }

    private static String line(List<String> cells, List<Integer> widths) {
        return IntStream.range(0, cells.size())
                .mapToObj(column -> cells.get(column) + " ".repeat(widths.get(column) - cells.get(column).length()))
                .collect(Collectors.joining(" | ", "| ", " |"));
    }

    /** A rate, with two digits after the comma below ten and three significant ones above 10,000. */
    public static String rate(double perSecond) {
        double rounded = perSecond < 10_000 ? perSecond : Math.rint(perSecond / 100) * 100;
        return String.format(Locale.ROOT, perSecond < 10 ? "%.2f" : "%,.0f", rounded);
    }

    /** The median rate with its range, where there is one. */
    public static String rate(double median, double least, double most) {
        return least == most ? rate(median) : rate(median) + " (" + rate(least) + " to " + rate(most) + ")";
    }

    /** Two significant digits at least, below ten. */
    public static String ratio(double ratio) {
        return Double.isFinite(ratio) ? String.format(Locale.ROOT, ratio < 10 ? "%.2f" : "%.0f", ratio) : NOTHING;
    }
}
