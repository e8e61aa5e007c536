package dev.orderly.job.limit;

/**
 * What the limit of a queue lets one claim start: slots, of which each job takes one, and tokens, of which it takes its
 * cost. A job that costs more than all tokens of the rate starts when none of them is in use. Not thread-safe.
 */
public final class StartAllowance {
    private int slots;
    private long tokens;
    /** Whether no token was in use before the first job. */
    private final boolean fresh;
    private long taken;
    private boolean refused;

    private StartAllowance(int slots, long tokens, boolean fresh) {
        this.slots = slots;
        this.tokens = tokens;
        this.fresh = fresh;
    }

    /** Without a limit. */
    public static StartAllowance unlimited() {
        return new StartAllowance(Integer.MAX_VALUE, Long.MAX_VALUE, false);
    }

    /** @param used tokens in use; zero without a rate */
    static StartAllowance of(int slots, long tokens, int used) {
        return new StartAllowance(Math.max(0, slots), tokens, used == 0);
    }

    /** The most jobs that may start; {@link Integer#MAX_VALUE} without a limit. */
    public int jobs() {
        return (int) Math.min(slots, Math.max(0, tokens));
    }

    /** Whether a job of this cost may start next. If not, none behind it starts before it: it would wait for ever. */
    public boolean fits(int cost) {
        refused |= slots == 0 || (cost > tokens && !(fresh && taken == 0));
        return !refused;
    }

    /** Takes what a job that {@linkplain #fits fits} needs. */
    public void take(int cost) {
        slots -= slots == Integer.MAX_VALUE ? 0 : 1;
        tokens -= tokens == Long.MAX_VALUE ? 0 : cost;
        taken += cost;
    }

    /** Whether a job did not fit. */
    public boolean isRefused() {
        return refused;
    }

    /** The tokens taken. */
    public int taken() {
        return Math.toIntExact(Math.min(taken, Integer.MAX_VALUE));
    }
}
