package dev.orderly.cli.terminal;

import dev.orderly.text.DurationText;
import dev.orderly.text.VisibleText;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Rows below a head, each column as wide as its widest cell. A cell is {@linkplain VisibleText visible}, in one line.
 */
public final class TextTable {
    private final List<List<String>> rows = new ArrayList<>();

    public TextTable(String... head) {
        row(head);
    }

    /** A value of the API's answer as text; a dash if there is none. */
    public static String text(JsonNode node, String name) {
        String text = node.path(name).asString("");
        return text.isEmpty() ? "-" : text;
    }

    /** A duration of the API's answer in its two largest units; a dash if there is none. */
    public static String duration(JsonNode node, String name) {
        String text = node.path(name).asString("");
        return text.isEmpty() ? "-" : DurationText.rounded(Duration.parse(text));
    }

    /** Adds a row with one cell for each column. */
    public void row(String... cells) {
        rows.add(Stream.of(cells).map(VisibleText::of).toList());
    }

    /** The lines of the table, the head first. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                line.append(row.get(i)).repeat(" ", width(i) - row.get(i).length() + 2);
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }

    public void print(PrintWriter out) {
        lines().forEach(out::println);
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }
}
