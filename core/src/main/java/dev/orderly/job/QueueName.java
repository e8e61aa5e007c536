package dev.orderly.job;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The name of a queue: 1 to 80 letters, digits, {@code _}, {@code -} and {@code .}, starting with a letter or digit.
 * A queue is FIFO if and only if its name ends in {@code .fifo}.
 */
public record QueueName(String value) implements Comparable<QueueName> {
    private static final Pattern RULE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,79}");
    private static final String FIFO = ".fifo";

    /** @throws IllegalArgumentException if the name breaks the rule; the message quotes both */
    public QueueName {
        Objects.requireNonNull(value, "value");
        if (!RULE.matcher(value).matches() || value.equals(FIFO)) {
            throw new IllegalArgumentException("\"" + (value.length() <= 100 ? value : value.substring(0, 100) + "...")
                    + "\" is not a queue name: use 1 to 80 letters, digits, '_', '-' and '.', starting with a letter"
                    + " or digit");
        }
    }

    public boolean isFifo() {
        return value.endsWith(FIFO);
    }

    @Override
    public int compareTo(QueueName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
