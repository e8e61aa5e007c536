package dev.orderly;

import dev.orderly.live.PresenceStore;
import dev.orderly.room.RoomStore;
import dev.orderly.store.Bus;
import dev.orderly.time.Time;

/**
 * What is kept about people who are there now, visitors and users, and how nodes tell each other of it: the part of a
 * {@link Store} that may be in a place of its own.
 */
public interface VisitorStore extends AutoCloseable {
    RoomStore rooms();

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

    /**
     * The clock that gates go by with the rooms of this store. A store that one process owns lets it go on from the last moment
     * that its rooms have seen, should the machine's clock have been set back since: passes, admissions and the tokens
     * of visitors then stay as old as they are.
     *
     * @param own the node's clock
     */
    default Time roomClock(Time own) {
        return clock(own);
    }

    /**
     * Writes a mark that means nothing, and blocks until it is as durable as anything else here. For asking whether a
     * store can be written, not only read.
     *
     * @throws dev.orderly.store.StoreException if it cannot
     */
    void checkWritable();

    /** What an operator calls this store: a URL without secrets. */
    String name();

    /** Ends all use. What was acknowledged stays; calls under way may fail. Idempotent. */
    @Override
    void close();
}
