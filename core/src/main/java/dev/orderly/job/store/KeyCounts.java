package dev.orderly.job.store;

import dev.orderly.job.QueueName;

/**
 * How many keys of a queue wait, or are paused; each number is counted up to {@value #MOST}, and may be a moment
 * behind.
 *
 * @param ready keys of which a job waits and may start
 * @param held keys of which a job waits and whose limit or rest lets none start now, or groups of a FIFO queue that a
 *     claim has found to wait for their rate
 * @param paused keys, or groups of a FIFO queue, that operators have paused, with jobs or without
 */
public record KeyCounts(QueueName queue, int ready, int held, int paused) {
    /** The largest number that is counted. */
    public static final int MOST = 10_000;

    public KeyCounts {
        ready = Math.min(ready, MOST);
        held = Math.min(held, MOST);
        paused = Math.min(paused, MOST);
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return ready + held + paused == 0;
    }
}
