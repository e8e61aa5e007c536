package dev.orderly.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The texts of the scripts. */
class ScriptTest {
    private static final Path SCRIPTS = Path.of(System.getProperty("basedir", "."))
            .resolve("src/main/resources/dev/orderly/store/redis");

    @Test
    void aScriptSaysInItsFirstLineWhichNamesKeysAndArgumentsItExpects() throws IOException {
        try (Stream<Path> files = Files.list(SCRIPTS)) {
            List<Path> scripts = files.toList();
            assertThat(scripts).hasSizeGreaterThan(Script.values().length).allSatisfy(script -> {
                String first = Files.readAllLines(script).getFirst();
                assertThat(first).startsWith("-- Expects ");
                if (Files.readString(script).contains("ARGV[")) {
                    assertThat(first).contains("ARGV");
                }
            });
        }
    }
}
