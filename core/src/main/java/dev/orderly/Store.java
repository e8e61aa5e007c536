package dev.orderly;

import dev.orderly.job.JobStore;
import dev.orderly.job.JobViews;
import dev.orderly.room.RoomStore;
import dev.orderly.schedule.ScheduleStore;

/**
 * One place where everything is kept: the ports of a store, opened together and closed together.
 *
 * <p>Whoever opens a store closes it; {@link Orderly#close()} does so for the store it was given.
 */
public interface Store extends AutoCloseable {
    JobStore jobs();

    JobViews jobViews();

    RoomStore rooms();

    ScheduleStore schedules();

    /** What an operator calls this store: a URL without secrets. */
    String name();

    /** Ends all use. What was acknowledged stays; calls under way may fail. Idempotent. */
    @Override
    void close();
}
