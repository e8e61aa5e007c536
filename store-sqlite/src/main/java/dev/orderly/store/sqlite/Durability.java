package dev.orderly.store.sqlite;

/** Failures that an acknowledged write survives. Both levels survive a crash of the process, kill -9 included. */
public enum Durability {
    /**
     * Also survives a power failure: every group of writes is synced to the disk before it is acknowledged. The
     * default.
     */
    FULL,
    /**
     * A power failure may lose the last writes: acknowledged pushes may be gone and settled jobs may run again. The
     * file stays consistent.
     */
    NORMAL
}
