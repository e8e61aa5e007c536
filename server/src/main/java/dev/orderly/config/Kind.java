package dev.orderly.config;

import java.util.Optional;
import java.util.function.Function;

/**
 * What values a key takes.
 *
 * @param rule the rule as a noun phrase: {@code a port, 0 to 65535}
 * @param read the value a text stands for; empty if it breaks the rule; never throws
 * @param example a value that keeps the rule
 */
record Kind<T>(String rule, Function<String, Optional<T>> read, String example) {
    /** As it is, with another example. */
    Kind<T> like(String other) {
        return new Kind<>(rule, read, other);
    }
}
