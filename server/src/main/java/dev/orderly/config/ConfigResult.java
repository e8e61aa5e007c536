package dev.orderly.config;

import java.util.List;

/** What reading a configuration led to. */
public sealed interface ConfigResult {
    record Valid(Config config) implements ConfigResult {}

    /** @param problems all of them, at least one, in the order of the file */
    record Invalid(List<Problem> problems) implements ConfigResult {
        public Invalid {
            problems = List.copyOf(problems);
        }
    }
}
