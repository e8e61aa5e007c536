package dev.orderly.snippet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The commands of a page: its fenced blocks with the language {@code console} or {@code sh}. A comment in front of a
 * block says what becomes of it: {@code <!-- run: NAME -->} that a test runs it, {@code <!-- not run: REASON -->} why
 * none does. Spans of code in sentences and tables are commands if they begin with a program.
 */
public final class PageCommands {
    private static final Path DOCS = Path.of(System.getProperty("basedir", "."), "..", "docs");
    private static final Pattern BLOCK = Pattern
            .compile("(?ms)(?:^ *<!-- (run|not run): ([^\\n]+?) -->\\n)?^ *```(?:console|sh|bash|shell)\\n(.*?)^ *```");
    private static final Pattern FENCED = Pattern.compile("(?ms)^ *```.*?^ *```");
    private static final Pattern MENTIONED = Pattern.compile("`((?:sudo |\\./|bin/)?(?:orderly|curl|sqlite3|pg_dump|"
            + "openssl|chmod|cp|ls|source|php|dist/reproduce|mvnw|apt|systemctl|systemd-analyze|docker|podman|kubectl|"
            + "skopeo|ctr|kind|k3s) [^`]+)`");

    /** The pages of the manual that tell operators what to type, in docs. */
    public static final List<String> MANUAL = List.of("operations.md", "install.md", "workers.md", "migrate/README.md",
            "migrate/db-scheduler.md", "migrate/jobrunr.md", "migrate/quartz.md", "migrate/shedlock.md",
            "migrate/spring-modulith.md", "migrate/sqs.md");

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

    /** The commands of all blocks that a test runs, then those in sentences and tables. */
    public static List<String> all(String page) {
        String text = read(page);
        Stream<String> blocks = of(text).stream().filter(block -> block.reason.isEmpty())
                .flatMap(block -> block.lines.stream());
        Stream<String> mentioned = MENTIONED.matcher(FENCED.matcher(text).replaceAll("")).results()
                .map(found -> found.group(1).replaceAll("\\s+", " "));
        return Stream.concat(blocks, mentioned).filter(line -> !line.isBlank()).toList();
    }

    static String read(String page) {
        try {
            return Files.readString(DOCS.resolve(page));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
