package dev.orderly.schedule;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Storage of schedules: the port that every store implements. Each sentence below is a test in the contract of the
 * testkit.
 *
 * <p>All methods are thread-safe, block the caller until the store has answered, and take the current time as an
 * argument. Every method throws {@link dev.orderly.store.StoreException.Unavailable} if nothing was done and
 * {@link dev.orderly.store.StoreException.OutcomeUnknown} if the outcome is not known. An answered change is durable,
 * as a push is.
 */
public interface ScheduleStore {
    /**
     * Declares a schedule and returns its state. With the same timing the state stays as it is, over restarts too; with
     * another timing the schedule starts anew: instants up to now are passed over, and its pause and its last runs
     * stay. It also starts anew if its last
     * instant is more than {@link ScheduleState#OVERRUN_MAX} ahead of now, since the clock was wrong then.
     *
     * @param timing the form of {@link Timing#toString}
     */
    ScheduleState declare(ScheduleName name, String timing, Instant now);

    /**
     * Takes one step if {@link ScheduleState#allows} accepts it for the stored state: of all callers that saw the same
     * state, only one takes a step from it. The job is pushed as {@link dev.orderly.job.store.JobStore#push} says, in
     * the same transaction: after a crash both the step and its job exist, or neither.
     *
     * @param seen the state from which the step follows
     * @return the state after the step; empty if nothing was done because another caller came first
     */
    Optional<ScheduleState> take(ScheduleState seen, ScheduleStep step, Instant now);

    /** All schedules that were ever declared, ordered by name. */
    List<ScheduleState> states();
}
