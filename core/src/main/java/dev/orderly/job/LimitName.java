package dev.orderly.job;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The name of a {@link Limit}: 1 to 80 letters, digits, {@code _}, {@code -} and {@code .}, starting with a letter or
 * digit. A limit that one queue has for itself is named {@code queue:} and the name of the queue, that of each of its
 * keys {@code key:} and the name of the queue.
 */
public record LimitName(String value) implements Comparable<LimitName> {
    private static final String OF_QUEUE = "queue:";
    private static final String OF_KEYS = "key:";
    private static final Pattern RULE = Pattern
            .compile("(" + OF_QUEUE + "|" + OF_KEYS + ")?[A-Za-z0-9][A-Za-z0-9_.-]{0,79}");

    /** @throws IllegalArgumentException if the name breaks the rule; the message quotes both */
    public LimitName {
        Objects.requireNonNull(value, "value");
        if (!RULE.matcher(value).matches()) {
            throw new IllegalArgumentException("\"" + (value.length() <= 100 ? value : value.substring(0, 100) + "...")
                    + "\" is not the name of a limit: use 1 to 80 letters, digits, '_', '-' and '.', starting with a"
                    + " letter or digit");
        }
    }

    /** The name of the limit that a queue has for itself. */
    public static LimitName of(QueueName queue) {
        return new LimitName(OF_QUEUE + queue.value());
    }

    /** The name of the limit that each key of a queue has. */
    public static LimitName ofKeys(QueueName queue) {
        return new LimitName(OF_KEYS + queue.value());
    }

    /** Whether one queue has the limit for itself or for each of its keys, so that no other queue can name it. */
    public boolean isOfQueue() {
        return value.startsWith(OF_QUEUE) || isOfKeys();
    }

    /** Whether each key of a queue has the limit. */
    public boolean isOfKeys() {
        return value.startsWith(OF_KEYS);
    }

    /** Whether each group of a FIFO queue has the limit. */
    public boolean isOfGroups() {
        return isOfKeys() && new QueueName(value.substring(OF_KEYS.length())).isFifo();
    }

    @Override
    public int compareTo(LimitName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
