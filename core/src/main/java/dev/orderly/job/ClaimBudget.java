package dev.orderly.job;

/**
 * How many bytes of payload one claim may still hand out: for stores, which ask it before each job. Not thread-safe.
 */
public final class ClaimBudget {
    private long left;
    private boolean untouched = true;
    private boolean spent;

    ClaimBudget(long bytes) {
        left = bytes;
    }

    /**
     * Whether a job goes out; if so, it is counted. The first one does whatever its size, or a job larger than the budget
     * would wait for ever. After the first that does not fit none does, so that small jobs do not overtake it.
     */
    public boolean take(Payload payload) {
        if (spent || (!untouched && payload.size() > left)) {
            spent = true;
            return false;
        }
        untouched = false;
        left -= payload.size();
        return true;
    }

    /** Whether a job was refused. */
    public boolean isSpent() {
        return spent;
    }

    /** Bytes; zero or less when nothing more fits. */
    public long left() {
        return left;
    }

    /** Whether nothing has gone out yet. */
    public boolean isUntouched() {
        return untouched;
    }
}
