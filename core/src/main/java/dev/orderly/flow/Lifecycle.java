package dev.orderly.flow;

/**
 * Start and end of a part, in the hands of whoever builds it, so that callers of the part have neither. The part names
 * its steps once, in its constructor. Each step of a part is idempotent or is taken once, as the part says.
 */
public final class Lifecycle {
    private Runnable starts = Lifecycle::nothing;
    private Runnable announces = Lifecycle::nothing;
    private Runnable ends = Lifecycle::nothing;

    /** Names the steps of a part that has nothing to announce. */
    public void of(Runnable start, Runnable end) {
        of(start, Lifecycle::nothing, end);
    }

    /** Names the steps of a part. */
    public void of(Runnable start, Runnable announceEnd, Runnable end) {
        starts = start;
        announces = announceEnd;
        ends = end;
    }

    /** Starts the part. */
    public void start() {
        starts.run();
    }

    /** Says that the part will end. */
    public void announceEnd() {
        announces.run();
    }

    /** Ends the part. */
    public void end() {
        ends.run();
    }

    private static void nothing() {}
}
