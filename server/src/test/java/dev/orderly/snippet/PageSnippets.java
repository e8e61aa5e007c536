package dev.orderly.snippet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Java examples of a page: its fenced blocks with the language {@code java}, also indented ones.
 *
 * <p>A comment in front of a block says more about it: {@code <!-- not compiled: REASON -->} leaves it out.
 */
final class PageSnippets {
    private static final Pattern FENCE = Pattern.compile("( *)```java\\s*");
    private static final Pattern LEFT_OUT = Pattern.compile("\\s*<!-- not compiled: (\\S.{9,}) -->\\s*");

    private PageSnippets() {}

    /**
     * A block.
     *
     * @param line the number of its first line in the page
     * @param leftOut the reason why it is not compiled; empty if it is
     */
    record Snippet(Path page, int line, List<String> lines, String leftOut) {
        Snippet {
            lines = List.copyOf(lines);
        }

        boolean isCompiled() {
            return leftOut.isEmpty();
        }
    }

    static List<Snippet> of(Path page) throws IOException {
        List<String> lines = Files.readAllLines(page);
        List<Snippet> found = new ArrayList<>();
        String before = "";
        for (int at = 0; at < lines.size(); at++) {
            Matcher fence = FENCE.matcher(lines.get(at));
            if (fence.matches()) {
                List<String> block = block(lines, at + 1, fence.group(1).length());
                Matcher reason = LEFT_OUT.matcher(before);
                found.add(new Snippet(page, at + 2, block, reason.matches() ? reason.group(1) : ""));
                at += block.size() + 1;
            }
            before = lines.get(at).isBlank() ? before : lines.get(at);
        }
        return found;
    }

    private static List<String> block(List<String> lines, int from, int indent) {
        List<String> block = new ArrayList<>();
        for (int at = from; !lines.get(at).strip().equals("```"); at++) {
            String line = lines.get(at);
            block.add(line.isBlank() ? "" : line.substring(Math.min(indent, line.length())));
        }
        return block;
    }
}
