package dev.orderly.job;

/**
 * How many bytes of payload one claim may still hand out: for stores, which ask it before each job. Not thread-safe.
 */
public final class ClaimBudget {
    private long left;
    private boolean untouched = true;

    ClaimBudget(long bytes) {
        left = bytes;
    }

    /**
     * Whether a job goes out; if so, it is counted. The first one does whatever its size, or a job larger than the budget
     * would wait for ever. Of a queue whose job does not fit, nothing more is handed out, so that small jobs do not
     * overtake it.
     */
    public boolean take(Payload payload) {
        if (!untouched && payload.size() > left) {
            return false;
        }
        untouched = false;
        left -= payload.size();
        return true;
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
