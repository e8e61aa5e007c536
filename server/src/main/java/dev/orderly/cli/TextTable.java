package dev.orderly.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Rows below a head, each column as wide as its widest cell. */
final class TextTable {
    private final List<List<String>> rows = new ArrayList<>();

    TextTable(String... head) {
        rows.add(List.of(head));
    }

    void row(String... cells) {
        rows.add(List.of(cells));
    }

    void print(PrintWriter out) {
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                line.append(row.get(i)).repeat(" ", width(i) - row.get(i).length() + 2);
            }
            out.println(line.toString().stripTrailing());
        }
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }
}
