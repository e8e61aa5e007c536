package dev.orderly.schedule;

import dev.orderly.job.PushRefusedException;
import dev.orderly.store.StoreException;
import java.util.List;
import java.util.Optional;

/**
 * The schedules of the instances on a store, as an application looks at and operates them: the view of
 * {@link dev.orderly.Orderly#schedules}. Thread-safe; each call blocks on the store.
 */
public interface Schedules {
    /** The schedules declared here, by name. */
    List<ScheduleView> views();

    /** A schedule that is declared here, by its name. */
    Optional<ScheduleView> view(ScheduleName name);

    /** Whether the configuration or the program of this node has a schedule of this name. */
    boolean isDeclared(ScheduleName name);

    /**
     * The schedules of the store that no live node declares, by name: nobody fires them, and no node shows them as a
     * view. Blocks.
     */
    List<ScheduleState> undeclared();

    /**
     * Pushes the schedule's job now. The timing is not affected, unless it counts from the end of each run: this run is
     * one.
     *
     * @throws PushRefusedException if the queue is full
     * @throws StoreException if the store fails, or other nodes change the schedule all the time
     */
    RunResult run(ScheduleName name);

    /**
     * Pauses a schedule on all nodes: until it is resumed no instant fires or is skipped. Runs under way go on, and
     * runs by hand are possible. Without effect on a schedule that is paused.
     *
     * @param by the identity behind it
     * @return the schedule afterwards; empty if none of this name is declared here
     * @throws StoreException as {@link #run}
     */
    Optional<ScheduleView> pause(ScheduleName name, String by);

    /**
     * Ends a pause: the next instant from now on fires, and none of the pause. If the instant of a timing that counts
     * from the end came in the pause, the interval begins anew now. Otherwise as {@link #pause}.
     */
    Optional<ScheduleView> resume(ScheduleName name);

    /**
     * Deletes a schedule that no live node declares: it fires no more, and the jobs that it pushed stay. Blocks.
     *
     * @return {@link ForgetScheduleResult.StillDeclared} with the remedy, for a schedule that this node or another live
     *     one declares
     */
    ForgetScheduleResult forget(ScheduleName name);
}
