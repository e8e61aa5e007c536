package dev.orderly.snippet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The commands of a page: its fenced blocks with the language {@code console} or {@code sh}. A comment in front of a
 * block says what becomes of it: {@code <!-- run: NAME -->} that a test runs it, {@code <!-- not run: REASON -->} why
 * none does.
 */
public final class PageCommands {
    private static final Path DOCS = Path.of(System.getProperty("basedir", "."), "..", "docs");
    private static final Pattern BLOCK = Pattern
            .compile("(?ms)(?:^ *<!-- (run|not run): ([^\\n]+?) -->\\n)?^ *```(?:console|sh|bash|shell)\\n(.*?)^ *```");

    private PageCommands() {}

    /**
     * A block.
     *
     * @param name of the block that a test runs; empty for another one
     * @param reason why no test runs it; empty for none
     * @param lines without prompts and comments
     */
    record Block(String name, String reason, List<String> lines) {
        Block {
            lines = List.copyOf(lines);
        }
    }

    static List<Block> of(String page) {
        List<Block> blocks = new ArrayList<>();
        Matcher found = BLOCK.matcher(page);
        while (found.find()) {
            boolean run = "run".equals(found.group(1));
            String says = found.group(2) == null ? "" : found.group(2);
            blocks.add(new Block(run ? says : "", run ? "" : says, found.group(3).lines()
                    .map(line -> line.strip().replaceFirst("^\\$ ", "").replaceFirst(" +# .*$", "")).toList()));
        }
        return blocks;
    }

    /** The commands of a block that a test runs. */
    public static List<String> of(String page, String name) {
        List<String> lines = of(read(page)).stream().filter(block -> block.name.equals(name))
                .flatMap(block -> block.lines.stream()).toList();
        if (lines.isEmpty()) {
            throw new AssertionError("docs/" + page + " has no commands with the name " + name);
        }
        return lines;
    }

    static String read(String page) {
        try {
            return Files.readString(DOCS.resolve(page));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
