package dev.orderly;

import dev.orderly.job.JobStore;
import dev.orderly.job.JobViews;
import dev.orderly.live.PresenceStore;
import dev.orderly.room.RoomStore;
import dev.orderly.schedule.ScheduleStore;
import dev.orderly.store.Bus;
import dev.orderly.time.Time;

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

    PresenceStore presence();

    /** From this node to the others that have the same store open; the same one at each call. */
    Bus bus();

    /**
     * The clock that all nodes of this store go by, which may be behind or ahead of a node's own. Blocks once; afterwards
     * it is the node's clock, set right.
     *
     * @param own the node's clock
     */
    Time clock(Time own);

    /** What an operator calls this store: a URL without secrets. */
    String name();

    /** Ends all use. What was acknowledged stays; calls under way may fail. Idempotent. */
    @Override
    void close();
}
