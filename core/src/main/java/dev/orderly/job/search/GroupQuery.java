package dev.orderly.job.search;

import dev.orderly.job.QueueName;
import java.util.Locale;
import java.util.Objects;

/**
 * Which groups of a FIFO queue.
 *
 * @param prefix beginning of the names; empty for any
 * @param after names after this one, for further pages by name; empty for the first page
 * @param limit 1 to {@value #LIMIT_MAX}
 */
public record GroupQuery(QueueName queue, Order order, String prefix, String after, int limit) {
    public static final int LIMIT_MAX = 200;

    /** @throws IllegalArgumentException if the queue is not FIFO, or the limit out of its bounds */
    public GroupQuery {
        Objects.requireNonNull(after, "after");
        Objects.requireNonNull(order, "order");
        Objects.requireNonNull(prefix, "prefix");
        if (!queue.isFifo()) {
            throw new IllegalArgumentException("Queue " + queue + " has no groups: name one that ends in .fifo");
        }
        if (limit < 1 || limit > LIMIT_MAX) {
            throw new IllegalArgumentException("A page of " + limit + " groups: ask for 1 to " + LIMIT_MAX);
        }
    }

    /** The first page. */
    public GroupQuery(QueueName queue, Order order, int limit) {
        this(queue, Objects.requireNonNull(order, "order"), "", "", limit);
    }

    /** The order of groups, or which of them. */
    public enum Order {
        /** By the number of their unsettled jobs. */
        LARGEST,
        /** By their oldest unsettled job. */
        OLDEST,
        /** Those that a dead letter halts. */
        HALTED,
        /** Those whose first job waits for its retry. */
        RETRYING,
        /** Those of which a job runs. */
        RUNNING,
        /** All, by their names. */
        NAME;

        /** Whether groups in this phase are in a page of this order. */
        public boolean has(GroupPage.Phase phase) {
            Objects.requireNonNull(phase, "phase");
            return switch (this) {
                case HALTED -> phase == GroupPage.Phase.HALTED;
                case RETRYING -> phase == GroupPage.Phase.RETRYING;
                case RUNNING -> phase == GroupPage.Phase.RUNNING;
                case LARGEST, OLDEST, NAME -> true;
            };
        }

        /** The name in lower case, as in URLs. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** @throws IllegalArgumentException listing the orders */
        public static Order parse(String text) {
            Objects.requireNonNull(text, "text");
            for (Order order : values()) {
                if (order.text().equals(text)) {
                    return order;
                }
            }
            throw new IllegalArgumentException(
                    "\"" + text + "\" is no order of groups: use largest, oldest, halted, retrying, running or name");
        }
    }
}
