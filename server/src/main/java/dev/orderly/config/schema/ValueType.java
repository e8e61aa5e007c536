package dev.orderly.config.schema;

import java.util.Optional;
import java.util.function.Function;

/**
 * The values that a key takes.
 *
 * @param rule the rule as a noun phrase: {@code a port, 0 to 65535}
 * @param read the value of a text; empty if the text breaks the rule; never throws
 * @param example a value that satisfies the rule
 */
public record ValueType<T>(String rule, Function<String, Optional<T>> read, String example) {
    /** The same kind with another example. */
    ValueType<T> like(String other) {
        return new ValueType<>(rule, read, other);
    }
}
