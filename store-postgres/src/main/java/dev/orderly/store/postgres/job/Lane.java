package dev.orderly.store.postgres.job;

import org.jspecify.annotations.Nullable;

/** A group of a FIFO queue, as a row of the table {@code lane}. */
record Lane(int queue, String name) {
    /** The lane of a job; null on a standard queue. */
    static @Nullable Lane of(int queue, @Nullable String group) {
        return group == null ? null : new Lane(queue, group);
    }
}
