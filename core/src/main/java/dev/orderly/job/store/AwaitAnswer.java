package dev.orderly.job.store;

import dev.orderly.job.JobEvent;
import dev.orderly.time.StoredTime;
import java.util.Objects;

/** The answer to {@link JobStore#await}. */
public sealed interface AwaitAnswer {
    /** The answer with stored moments, in the time of the clock. */
    AwaitAnswer shown(StoredTime time);

    /** The event: it has come, its wait is over, or it is awaited; which of these, is durable. */
    record Known(JobEvent event) implements AwaitAnswer {
        public Known {
            Objects.requireNonNull(event, "event");
        }

        @Override
        public Known shown(StoredTime time) {
            JobEvent.Awaited awaited = event.awaited();
            JobEvent.Arrival arrival = event.arrival();
            return new Known(new JobEvent(event.name(),
                    awaited == null
                            ? null
                            : new JobEvent.Awaited(time.clockTime(awaited.until()), awaited.attempt(), awaited.over()),
                    arrival == null
                            ? null
                            : new JobEvent.Arrival(time.clockTime(arrival.at()), arrival.from(), arrival.value())));
        }
    }

    /** Refused, nothing changed. */
    enum Refused implements AwaitAnswer {
        /** As {@link dev.orderly.job.EventResult#FULL}. */
        FULL,
        /** As {@link JobStore.SettleResult#LEASE_LOST}. */
        LEASE_LOST,
        /** Not yet: a foreign transaction holds the job. Ask again. */
        BLOCKED;

        @Override
        public Refused shown(StoredTime time) {
            return this;
        }
    }
}
