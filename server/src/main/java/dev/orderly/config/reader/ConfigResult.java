package dev.orderly.config.reader;

import dev.orderly.config.Config;
import dev.orderly.config.source.ConfigProblem;
import java.util.List;

/** The result of reading a configuration. */
public sealed interface ConfigResult {
    record Valid(Config config) implements ConfigResult {}

    /** @param problems all problems, at least one, in the order of the file */
    record Invalid(List<ConfigProblem> problems) implements ConfigResult {
        public Invalid {
            problems = List.copyOf(problems);
        }
    }
}
