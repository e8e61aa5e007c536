package dev.orderly.job;

import java.util.Objects;
import java.util.Optional;

/**
 * The end of a job that a caller has waited for, or what is known of it when the wait was over.
 *
 * @param <T> the type as which the result is read
 */
public sealed interface AwaitResult<T> {
    /**
     * The job is done.
     *
     * @param result the result that the handler set, if any
     */
    record Done<T>(Optional<T> result) implements AwaitResult<T> {
        public Done {
            Objects.requireNonNull(result, "result");
        }
    }

    /** The job is a dead letter; {@link JobView#failure} is the cause. It may run again if an operator redrives it. */
    record Dead<T>(JobView job) implements AwaitResult<T> {
        public Dead {
            Objects.requireNonNull(job, "job");
        }
    }

    /** The job was cancelled or discarded; {@link JobView#reason} is the reason. */
    record Cancelled<T>(JobView job) implements AwaitResult<T> {
        public Cancelled {
            Objects.requireNonNull(job, "job");
        }
    }

    /** The time was over before the job ended; it goes on. */
    record Pending<T>(JobView job) implements AwaitResult<T> {
        public Pending {
            Objects.requireNonNull(job, "job");
        }
    }

    /** The store has no such job, or keeps it no longer. */
    record Unknown<T>(JobId id) implements AwaitResult<T> {
        public Unknown {
            Objects.requireNonNull(id, "id");
        }
    }
}
