package dev.orderly.schedule;

import dev.orderly.job.NodeId;
import dev.orderly.job.store.Declared;
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
     * another timing, of a declaration that {@link Declared#replaces replaces} the stored one, the schedule starts
     * anew: instants up to now are passed over, and its pause and its last runs stay. Another timing of a declaration
     * that does not replace the stored one changes nothing. The schedule also starts anew if its last instant is more
     * than {@link ScheduleState#OVERRUN_MAX} ahead of now, since the clock was wrong then.
     *
     * @param timing the form of {@link Timing#toString}
     */
    ScheduleState declare(ScheduleName name, Declared<String> timing, Instant now);

    /**
     * Ends the declarations of a node that stops, so that no other node waits for its death. The schedules stay as they
     * are.
     */
    void withdraw(NodeId node);

    /**
     * Ends the declaration of one schedule by a node that declares it no more. Otherwise as {@link #withdraw(NodeId)}.
     */
    void withdraw(NodeId node, ScheduleName name);

    /**
     * The schedules that no live node declares, ordered by name: nobody fires them. A node that repeats its declaration
     * takes them over.
     */
    List<ScheduleName> undeclared();

    /**
     * Takes one step if {@link ScheduleState#allows} accepts it for the stored state: of all callers that saw the same
     * state, only one takes a step from it. The job is pushed as {@link dev.orderly.job.store.JobStore#push} says, in
     * the same transaction: after a crash both the step and its job exist, or neither.
     *
     * <p>For a timing that {@link Timing#countsFromEnd counts from the end} no run starts before the end of the last
     * one is recorded, and the recorded end is the moment that is reached.
     *
     * @param seen the state from which the step follows
     * @return the state after the step; empty if nothing was done because another caller came first
     */
    Optional<ScheduleState> take(ScheduleState seen, ScheduleStep step, Instant now);

    /**
     * Deletes a schedule that no live node declares; the jobs that it pushed stay. A later declaration begins it anew,
     * and a step from a state before has no effect.
     */
    ForgetScheduleResult forget(ScheduleName name);

    /** All schedules that were declared and not forgotten since, ordered by name. */
    List<ScheduleState> states();
}
