package dev.orderly.job.store;

import dev.orderly.job.BatchName;
import dev.orderly.job.BatchView;
import dev.orderly.job.WhenDead;

/**
 * A batch to be opened.
 *
 * @param callback the job that is pushed at its end: neither delayed nor a duplicate of others, claimed by nobody
 */
public record NewBatch(BatchName name, WhenDead whenDead, NewJob callback) {
    /** Whether another batch of the name is the same again: its callback and its rule for dead letters are equal. */
    public boolean repeats(NewBatch other) {
        return whenDead == other.whenDead && untraced().equals(other.untraced());
    }

    /** The callback as the job that is pushed at the end of the batch. */
    public NewJob callbackOf(BatchView batch) {
        return callback.on(callback.terms().withBatch(batch.ofCallback()), null);
    }

    private NewJob untraced() {
        return callback.traced(null);
    }
}
