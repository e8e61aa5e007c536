package dev.orderly.config;

import dev.orderly.config.reader.ConfigFile;
import dev.orderly.config.reader.ConfigResult;
import dev.orderly.config.source.ConfigProblem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

/** A configuration file of a few lines, and its result. */
abstract class ConfigTrial {
    private final String head;

    @TempDir
    Path folder = Path.of("");
    final Map<String, String> environment = new HashMap<>();

    /** @param head precedes the lines of each test */
    ConfigTrial(String head) {
        this.head = head;
    }

    final ConfigFile file(String yaml) {
        try {
            return new ConfigFile(Files.writeString(folder.resolve("orderly.yaml"), head + yaml), environment);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    final Config valid(String yaml) {
        return switch (file(yaml).read()) {
            case ConfigResult.Valid(Config config) -> config;
            case ConfigResult.Invalid(List<ConfigProblem> problems) -> throw new AssertionError(problems);
        };
    }

    final List<ConfigProblem> problems(String yaml) {
        return switch (file(yaml).read()) {
            case ConfigResult.Valid(Config config) -> throw new AssertionError("valid: " + config);
            case ConfigResult.Invalid(List<ConfigProblem> problems) -> problems;
        };
    }
}
