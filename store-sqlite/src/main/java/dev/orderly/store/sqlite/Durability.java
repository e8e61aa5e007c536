package dev.orderly.store.sqlite;

/** What an acknowledged write survives. Both survive the death of the process, kill -9 included. */
public enum Durability {
    /** Power failure too: every group of writes is on the disk before it is acknowledged. The default. */
    FULL,
    /**
     * May lose the last moments on power loss: acknowledged pushes may be gone and settled jobs may run again. The file
     * stays sound.
     */
    NORMAL
}
