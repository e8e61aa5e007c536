package dev.orderly.job;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The name of a {@link Batch}: 1 to 80 letters, digits, {@code _}, {@code -} and {@code .}, starting with a letter or
 * digit.
 */
public record BatchName(String value) implements Comparable<BatchName> {
    private static final Pattern RULE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,79}");

    /** @throws IllegalArgumentException if the name breaks the rule; the message quotes both */
    public BatchName {
        Objects.requireNonNull(value, "value");
        if (!RULE.matcher(value).matches()) {
            throw new IllegalArgumentException("\"" + (value.length() <= 100 ? value : value.substring(0, 100) + "...")
                    + "\" is not the name of a batch: use 1 to 80 letters, digits, '_', '-' and '.', starting with a"
                    + " letter or digit");
        }
    }

    @Override
    public int compareTo(BatchName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
