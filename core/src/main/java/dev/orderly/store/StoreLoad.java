package dev.orderly.store;

import org.jspecify.annotations.Nullable;

/**
 * The load of a store's own resources on this node, read from memory.
 *
 * @param pool null for a store without a pool of connections
 * @param writer null for a store without a writer of its own
 * @param deadRows rows that were changed or deleted and still take space, as of the last upkeep of this node; null for
 *     a store that removes them at once, and before the first upkeep
 */
public record StoreLoad(@Nullable Pool pool, @Nullable Writer writer, @Nullable Long deadRows) {
    /** A store that has nothing of it. */
    public static final StoreLoad NONE = new StoreLoad(null, null);

    /** The load of a store that removes changed and deleted rows at once. */
    public StoreLoad(@Nullable Pool pool, @Nullable Writer writer) {
        this(pool, writer, null);
    }

    /**
     * A pool of connections to a server.
     *
     * @param busy connections in use
     * @param idle connections that are open and free
     * @param waiting callers that wait for a connection
     */
    public record Pool(int busy, int idle, int waiting) {}

    /**
     * The writer of a store that one process owns.
     *
     * @param waiting requests that the writer has not taken yet
     * @param commits transactions since the start
     * @param requests requests in these transactions
     */
    public record Writer(int waiting, long commits, long requests) {}

    /** The pool of one and the writer of the other, where a store has two parts. */
    public StoreLoad or(StoreLoad other) {
        return new StoreLoad(pool == null ? other.pool : pool, writer == null ? other.writer : writer,
                deadRows == null ? other.deadRows : deadRows);
    }
}
