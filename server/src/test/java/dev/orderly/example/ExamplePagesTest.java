package dev.orderly.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The code of a section of {@code docs/frameworks.md} is that of its example, which the profile "examples" compiles and
 * runs.
 */
class ExamplePagesTest {
    private static final Path ROOT = Path.of(System.getProperty("basedir", ".")).toAbsolutePath().resolve("..")
            .normalize();
    private static final Pattern IMPORT = Pattern.compile("import (?:static )?[\\w.]+\\.(\\w+);\n");
    private static final Pattern BLOCK = Pattern.compile("```(?:java|kotlin)\n(.*?)```", Pattern.DOTALL);

    @ParameterizedTest
    @ValueSource(strings = {"kotlin", "quarkus", "micronaut"})
    void eachBlockOfTheSectionIsInItsExample(String name) throws IOException {
        String page = section(name);
        String example = sources(ROOT.resolve("examples").resolve(name).resolve("src/main"));

        List<String> blocks = BLOCK.matcher(page).results().map(ExamplePagesTest::code).toList();

        assertThat(blocks).hasSizeGreaterThan(1).allSatisfy(block -> {
            assertThat(example).contains(IMPORT.matcher(block).replaceAll(""));
            assertThat(example.lines()).containsAll(block.lines().filter(line -> line.startsWith("import ")).toList());
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"quarkus", "micronaut"})
    void eachBlockHasTheImportsOfTheTypesThatItNames(String name) throws IOException {
        String page = section(name);
        String example = sources(ROOT.resolve("examples").resolve(name).resolve("src/main"));

        assertThat(BLOCK.matcher(page).results().map(ExamplePagesTest::code)).allSatisfy(block -> {
            String body = IMPORT.matcher(block).replaceAll("");
            assertThat(block.lines()).containsAll(IMPORT.matcher(example).results()
                    .filter(each -> Pattern.compile("(?<![\\w.])" + each.group(1) + "\\b").matcher(body).find())
                    .map(each -> each.group().strip()).toList());
        });
    }

    private static String section(String name) throws IOException {
        String page = Files.readString(ROOT.resolve("docs/frameworks.md"));
        String heading = "\n## " + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1) + "\n";
        return page.split(heading, 2)[1].split("\n## ", 2)[0];
    }

    private static String sources(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).map(ExamplePagesTest::read).collect(Collectors.joining("\n"));
        }
    }

    private static String code(MatchResult block) {
        return withoutIndent(block.group(1));
    }

    private static String read(Path file) {
        try {
            return withoutIndent(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Blocks inside lists are indented. */
    private static String withoutIndent(String text) {
        return text.lines().map(String::strip).filter(line -> !line.isEmpty()).collect(Collectors.joining("\n"));
    }
}
