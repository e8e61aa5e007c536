package dev.orderly;

import dev.orderly.live.OnlineUserStore;
import dev.orderly.room.store.RoomStore;
import dev.orderly.store.Bus;
import dev.orderly.store.KeyValueStore;
import dev.orderly.store.StoreLoad;
import dev.orderly.store.StorePart;
import dev.orderly.store.copy.CopyPort;
import dev.orderly.time.Time;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * State about visitors and users who are there now, and the bus between nodes: the part of a {@link Store} that may be
 * kept elsewhere than the jobs.
 */
public interface VisitorStore extends AutoCloseable {
    RoomStore rooms();

    OnlineUserStore presence();

    /** From this node to the other nodes that have the same store open; the same bus at each call. */
    Bus bus();

    KeyValueStore keyValues();

    /**
     * The clock that all nodes of this store share, which may be behind or ahead of a node's own. Blocks once;
     * afterwards it is the node's clock, corrected by the difference.
     *
     * @param own the node's clock
     */
    Time clock(Time own);

    /**
     * The clock that gates use for the rooms of this store. If one process owns the store and the machine's clock was
     * set back, this clock continues from the last moment that the rooms have seen: the ages of passes, admissions and
     * tokens stay true.
     *
     * @param own the node's clock
     */
    default Time roomClock(Time own) {
        Objects.requireNonNull(own, "own");
        return clock(own);
    }

    /**
     * Writes a mark without a meaning and blocks until it is durable. Shows whether the store can be written, not only
     * read.
     *
     * @throws dev.orderly.store.StoreException if it cannot be written
     */
    void checkWritable();

    /** The servers or files behind the store, 1 or 2, each of which fails by itself. */
    default List<StorePart> parts() {
        return List.of(new StorePart(name(), StorePart.Content.ALL, rooms().isShared(), this::checkWritable));
    }

    /** The port for a copy of the whole store. */
    CopyPort copying();

    /** The load of the store's own resources on this node. Answers from memory, without blocking. */
    default StoreLoad load() {
        return StoreLoad.NONE;
    }

    /**
     * What the store tells about itself, by name, in the order for display: versions and sizes, no secrets. Blocks.
     *
     * @throws dev.orderly.store.StoreException if the store does not answer
     */
    default Map<String, String> facts() {
        return Map.of();
    }

    /** The store's name for operators: a URL without secrets. */
    String name();

    /** Ends all use. Acknowledged data stays; calls under way may fail. Idempotent. */
    @Override
    void close();
}
