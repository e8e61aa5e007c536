package dev.orderly.fuzz;

import dev.orderly.config.reader.ConfigFile;
import dev.orderly.config.reader.ConfigResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;

/** A configuration file: read, or refused with problems of which each names its rule and its remedy. */
final class ConfigInput {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    private ConfigInput() {}

    static void run(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        switch (ConfigFile.of(text, Path.of("target"), Map.of()).read()) {
            case ConfigResult.Valid valid -> {
                valid.config().warnings(NOW);
                valid.config().inForce();
            }
            case ConfigResult.Invalid invalid -> {
                if (invalid.problems().isEmpty() || invalid.problems().stream()
                        .anyMatch(problem -> problem.rule().isBlank() || problem.toString().isBlank())) {
                    throw new AssertionError("Refused without a reason: " + invalid.problems());
                }
            }
        }
    }
}
