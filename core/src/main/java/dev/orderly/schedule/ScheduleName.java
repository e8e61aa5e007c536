package dev.orderly.schedule;

import dev.orderly.job.QueueName;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The name of a schedule: 1 to 71 letters, digits, {@code _}, {@code -} and {@code .}, starting with a letter or digit,
 * not ending in {@code .fifo}.
 */
public record ScheduleName(String value) implements Comparable<ScheduleName> {
    private static final String QUEUES = "schedule.";
    private static final Pattern RULE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,70}");

    /** @throws IllegalArgumentException naming the value and the rule */
    public ScheduleName {
        Objects.requireNonNull(value, "value");
        if (!RULE.matcher(value).matches() || value.endsWith(".fifo")) {
            throw new IllegalArgumentException("\"" + (value.length() <= 100 ? value : value.substring(0, 100) + "...")
                    + "\" is not the name of a schedule: use 1 to 71 letters, digits, '_', '-' and '.', starting with a"
                    + " letter or digit and not ending in .fifo");
        }
    }

    /** The queue of a schedule that runs a handler. */
    public QueueName queue() {
        return new QueueName(QUEUES + value);
    }

    @Override
    public int compareTo(ScheduleName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
