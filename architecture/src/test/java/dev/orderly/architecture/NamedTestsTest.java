package dev.orderly.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tests that the pages name as proofs exist, and everything that grows has one. */
class NamedTestsTest {
    private static final Pattern NAMED = Pattern.compile("`([A-Z]\\w*(?:Test|Tests|Part|Contract))(?:\\.(\\w+))?`");
    private static final Map<String, Path> SOURCES = Checkout.sources().stream().collect(Collectors.toMap(
            file -> file.getFileName().toString().replace(".java", ""), Function.identity(), (one, _) -> one));

    @ParameterizedTest
    @ValueSource(strings = {"docs/guarantees.md", "docs/proof.md", "docs/architecture.md", "CONTRIBUTING.md"})
    void eachTestThatAPageNamesExists(String page) {
        List<MatchResult> named = NAMED.matcher(read(Checkout.ROOT.resolve(page))).results().toList();

        assertThat(named).isNotEmpty();
        assertThat(named.stream().filter(test -> !exists(test)).map(MatchResult::group)).isEmpty();
    }

    @Test
    void eachRowOfWhatGrowsNamesItsTest() {
        String page = read(Checkout.ROOT.resolve("docs/guarantees.md"));
        List<String> rows = page.substring(page.indexOf("| grows | with |")).lines().skip(2)
                .takeWhile(line -> line.startsWith("|")).toList();

        assertThat(rows).hasSizeGreaterThan(30);
        assertThat(rows).allSatisfy(row -> assertThat(row).containsPattern(NAMED.pattern() + "[^|]*\\|$"));
    }

    private static boolean exists(MatchResult test) {
        Path source = SOURCES.get(test.group(1));
        return source != null && (test.group(2) == null || read(source).contains(" " + test.group(2) + "("));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
