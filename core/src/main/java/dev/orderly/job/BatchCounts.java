package dev.orderly.job;

/**
 * The members of a batch in numbers. Counts of a finished batch stay as they were at its end.
 *
 * @param pushed members that were ever pushed
 * @param done members that are done
 * @param dead members that are dead letters; a redrive takes them off
 * @param cancelled members that were cancelled, discarded, deleted as dead letters, or have expired
 */
public record BatchCounts(long pushed, long done, long dead, long cancelled) {
    /** The counts of a batch without members. */
    public static final BatchCounts NONE = new BatchCounts(0, 0, 0, 0);

    /** Members that have not ended. */
    public long unfinished() {
        return Math.max(0, pushed - done - dead - cancelled);
    }

    /** These counts and others, each added. */
    public BatchCounts plus(BatchCounts other) {
        return new BatchCounts(pushed + other.pushed, done + other.done, dead + other.dead,
                cancelled + other.cancelled);
    }
}
