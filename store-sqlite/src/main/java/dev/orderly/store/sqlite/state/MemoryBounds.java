package dev.orderly.store.sqlite.state;

import dev.orderly.store.sqlite.table.LaneIndex;

/**
 * Bounds of what the writer keeps in memory.
 *
 * @param mergeAt see {@link LaneIndex#MERGE_AT}
 * @param keyBytes heap for dedupe keys; older ones are on disk
 */
public record MemoryBounds(int mergeAt, long keyBytes) {
    private static final int SHARE_OF_HEAP = 8;
    /** With more, moving keys to the disk would take longer than a checkpoint. */
    private static final long KEY_BYTES_MAX = 64 << 20;

    /** The bounds of this process: for keys an eighth of the heap, at most 64 MiB. */
    public static MemoryBounds ofHeap() {
        return new MemoryBounds(LaneIndex.MERGE_AT,
                Math.min(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP, KEY_BYTES_MAX));
    }
}
