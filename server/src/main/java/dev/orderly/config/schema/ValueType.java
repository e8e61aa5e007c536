package dev.orderly.config.schema;

import dev.orderly.config.source.ConfigProblem;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The values that a key takes.
 *
 * @param rule the rule as a noun phrase: {@code a port, 0 to 65535}
 * @param read the value of a text; empty if the text breaks the rule; never throws
 * @param example a value that satisfies the rule
 * @param shown a text without its secrets, for operators
 */
public record ValueType<T>(String rule, Function<String, Optional<T>> read, String example,
        UnaryOperator<String> shown) {
    /** A kind whose secrets are in the user info or the query of an address, if it has any. */
    public ValueType(String rule, Function<String, Optional<T>> read, String example) {
        this(rule, read, example, ConfigProblem::masked);
    }

    /** The same kind with another example. */
    public ValueType<T> like(String other) {
        return new ValueType<>(rule, read, other, shown);
    }
}
