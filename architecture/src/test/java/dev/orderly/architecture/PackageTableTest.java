package dev.orderly.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tables of packages in {@code docs/architecture.md} are the first sentences of their {@code package-info}. */
class PackageTableTest {
    private static final WrittenTable TABLES = new WrittenTable("architecture.md",
            Pattern.compile("(<!-- packages of ([\\w, -]+?) -->\n).*?(?=\n\n)", Pattern.DOTALL),
            PackageTableTest.class);
    private static final Pattern SENTENCE = Pattern.compile(
            "/\\*\\*(.*?\\.)(?=\\s).*?package dev\\.orderly\\.([\\w.]+);",
            Pattern.DOTALL);
    private static final Pattern TAG = Pattern.compile("\\{@(?:link|code) (?:[a-z0-9]+\\.)*([^}]+)}");

    @Test
    void thePageHasTheFirstSentenceOfEachPackage() throws IOException {
        assertThat(TABLES.check(PackageTableTest::table)).contains("| `job.engine` |", "| `spring.boot` |");
    }

    private static String table(MatchResult modules) {
        return Stream.of(modules.group(2).split(", ")).map(Checkout.ROOT::resolve).flatMap(PackageTableTest::packages)
                .sorted(Comparator.comparing(row -> row.replace('`', ' ')))
                .collect(Collectors.joining("\n", "| package | content |\n|---|---|\n", ""));
    }

    private static Stream<String> packages(Path module) {
        return contents(module).entrySet().stream()
                .map(each -> "| `" + each.getKey() + "` | " + each.getValue() + " |");
    }

    /** The first sentence of each package of a module, by the name of the package without the common root. */
    static Map<String, String> contents(Path module) {
        try (Stream<Path> files = Files.walk(module.resolve("src/main/java"))) {
            return files.filter(file -> file.endsWith("package-info.java")).toList().stream()
                    .map(WrittenTable::read).map(SENTENCE::matcher).filter(Matcher::find)
                    .collect(Collectors.toMap(found -> found.group(2), found -> text(found.group(1))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(String comment) {
        return TAG.matcher(comment.replaceAll("\\s*\n \\*\\s*", " ").strip()).replaceAll("`$1`").replaceAll("\\.$", "");
    }
}
