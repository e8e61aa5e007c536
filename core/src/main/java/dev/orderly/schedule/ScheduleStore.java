package dev.orderly.schedule;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Where schedules are kept: the port every store implements. Each sentence below is a test in the contract of the
 * testkit.
 *
 * <p>All methods are thread-safe, block the caller until the store has answered, and take the time from their caller.
 * Every method throws {@link dev.orderly.store.StoreException.Unavailable} when nothing was done and {@link
 * dev.orderly.store.StoreException.OutcomeUnknown} when it cannot tell. What was answered is durable, as a push is.
 */
public interface ScheduleStore {
    /**
     * Makes a schedule known and says how it stands. Under the timing it has, it stays as it is, over restarts too; with
     * another timing it starts anew: instants up to now are dealt with. It starts anew too if its last instant is more than
     * {@link ScheduleState#OVERRUN_MAX} ahead of now: then the clock was wrong.
     *
     * @param timing as {@link Timing#toString} says it
     */
    ScheduleState declare(ScheduleName name, String timing, Instant now);

    /**
     * Takes one step, if {@link ScheduleState#allows} says so of the state that is kept: of all who saw a state, one
     * only takes a step from it. The job is pushed as {@link dev.orderly.job.JobStore#push} says, in the same
     * transaction: after a crash there are both the step and its job, or neither.
     *
     * @param seen the state the step follows from
     * @return how the schedule stands after it; empty if nothing was done because somebody else came first
     */
    Optional<ScheduleState> take(ScheduleState seen, ScheduleStep step, Instant now);

    /** All schedules that were ever declared, by name. */
    List<ScheduleState> states();
}
