package dev.orderly.job;

import java.util.Objects;

/**
 * The link of a job to a batch.
 *
 * @param number the number of the batch in its store: a later batch of the same name has another one
 * @param callback whether the job is the callback of the batch; else it is a member
 */
public record BatchLink(BatchName name, long number, boolean callback) {
    public BatchLink {
        Objects.requireNonNull(name, "name");
    }

    /** Whether the batch of a number counts the job. */
    public boolean isMemberOf(long batch) {
        return isMember() && number == batch;
    }

    /** Whether the batch counts the job. */
    public boolean isMember() {
        return !callback;
    }
}
