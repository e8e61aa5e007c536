package dev.orderly.job.diagnosis;

import dev.orderly.job.BatchName;
import dev.orderly.job.JobId;
import org.jspecify.annotations.Nullable;

/** What the callback of a batch waits for, at one moment and as one node sees it. */
public interface BatchDiagnosis {
    /** The reasons why a callback has not come. */
    enum Cause {
        /** No batch of the name is kept. */
        NOT_FOUND,
        /** The callback was pushed. */
        FINISHED,
        /** Nobody has closed the batch. */
        OPEN,
        /** An open transaction of an application holds the batch. */
        HELD,
        /** Members have not ended. */
        MEMBERS,
        /** Dead letters wait for a redrive or a deletion, since the batch waits for them. */
        DEAD_LETTERS,
        /** Nothing keeps the callback: the next round of a node pushes it. */
        READY,
        /** The store does not answer. */
        STORE
    }

    /** The batch. */
    BatchName batch();

    /** The reason. */
    Cause cause();

    /** A sentence for people that names what the callback waits for, and the numbers. */
    String sentence();

    /** What an operator may do; empty if there is nothing to do. */
    String remedy();

    /** The job to look at: the callback, the oldest member that has not ended, or a dead letter; null for none. */
    @Nullable
    JobId job();
}
