package dev.orderly.job;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An event of a job: something from outside that its handler awaits, or that has come, or both. The first value that
 * comes counts. Gone with the job.
 *
 * @param name by the rule of {@link JobStep#checkName names of steps}
 * @param awaited the wait for it; null before the first {@link Job#await}
 * @param arrival what came; null until it comes
 */
public record JobEvent(String name, @Nullable Awaited awaited, @Nullable Arrival arrival) {
    /** The largest number of characters that say from whom an event came. */
    public static final int FROM_MAX = 200;

    public JobEvent {
        checkName(name);
    }

    /**
     * A wait for an event.
     *
     * @param until the end of the wait, which the first {@link Job#await} of the name has fixed
     * @param attempt the last attempt that has ended by waiting for the event; 0 for none
     * @param over whether a handler was told that the wait is over; the event can come no more
     */
    public record Awaited(Instant until, int attempt, boolean over) {
        public Awaited {
            Objects.requireNonNull(until, "until");
        }
    }

    /**
     * An event that has come.
     *
     * @param from who sent it, as the door knows that; null if the door does not
     */
    public record Arrival(Instant at, @Nullable String from, Payload value) {
        public Arrival {
            Objects.requireNonNull(at, "at");
            Objects.requireNonNull(value, "value");
        }
    }

    /**
     * Checks the name of an event.
     *
     * @return the name
     * @throws IllegalArgumentException as {@link JobStep#checkName}
     */
    public static String checkName(String name) {
        return JobStep.checkName(name, "an event");
    }

    /** Whether the job, as it is now, waits for this event. */
    public boolean isAwaitedBy(JobView job) {
        return job.state() == JobState.DELAYED && arrival == null && awaited != null && !awaited.over
                && awaited.attempt == job.attempt();
    }

    /** The bytes that count towards the bound on the events of a job, which is that on its steps. */
    public int bytes() {
        return JobStep.bytes(name, arrival == null ? null : arrival.value);
    }
}
