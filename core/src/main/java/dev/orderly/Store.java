package dev.orderly;

import dev.orderly.job.JobStore;
import dev.orderly.job.JobViews;
import dev.orderly.schedule.ScheduleStore;

/**
 * One place where everything is kept: the ports of a store, opened together and closed together.
 *
 * <p>Whoever opens a store closes it; {@link Orderly#close()} does so for the store it was given.
 */
public interface Store extends VisitorStore {
    /**
     * Two stores as one: jobs and schedules in the first, rooms, presence, the bus and the clock in the second; where that is
     * of one process only, the last three are the first one's. Closing it closes both.
     */
    static Store of(Store jobs, VisitorStore rooms) {
        return new MixedStore(jobs, rooms);
    }

    JobStore jobs();

    JobViews jobViews();

    ScheduleStore schedules();
}
