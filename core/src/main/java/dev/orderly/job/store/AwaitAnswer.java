package dev.orderly.job.store;

import dev.orderly.job.JobEvent;
import java.util.Objects;

/** The answer to {@link JobStore#await}. */
public sealed interface AwaitAnswer {
    /** The event: it has come, its wait is over, or it is awaited; which of these, is durable. */
    record Known(JobEvent event) implements AwaitAnswer {
        public Known {
            Objects.requireNonNull(event, "event");
        }
    }

    /** Refused, nothing changed. */
    enum Refused implements AwaitAnswer {
        /** As {@link dev.orderly.job.EventResult#FULL}. */
        FULL,
        /** As {@link JobStore.SettleResult#LEASE_LOST}. */
        LEASE_LOST,
        /** Not yet: a foreign transaction holds the job. Ask again. */
        BLOCKED
    }
}
