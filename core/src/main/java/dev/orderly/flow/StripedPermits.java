package dev.orderly.flow;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Permits up to a bound, of which no more are ever held. One is refused when all are held, or the free ones are just
 * being moved by other threads. A thread takes and gives back the permits of a stripe, which no other core writes as
 * long as there are more stripes than busy threads; a stripe fetches and returns them in batches. Thread-safe, never
 * blocks. Takes 128 bytes a stripe.
 */
public final class StripedPermits {
    private static final int BATCH = 16;
    /** Two cache lines, since processors fetch pairs of them. */
    private static final int WIDTH = 32;
    private static final int STRIPES = Integer.highestOneBit(Runtime.getRuntime().availableProcessors()) * 2;
    /** Common permits from which on a stripe fetches a batch; of fewer it would keep permits that others need. */
    private static final int PLENTY = STRIPES * BATCH;

    private final int bound;
    private final AtomicInteger common;
    /** Free permits of each stripe; the first width keeps them apart from the array's head. */
    private final AtomicIntegerArray free = new AtomicIntegerArray((STRIPES + 1) * WIDTH);

    /** @param bound permits held at once, 0 or more */
    public StripedPermits(int bound) {
        this.bound = bound;
        this.common = new AtomicInteger(bound);
    }

    /** Takes a permit; false if all are held. */
    public boolean take() {
        int own = own();
        return takeOf(own) || fetch(own) || takeOfAny();
    }

    /** Gives back a permit, on any thread. */
    public void give() {
        int own = own();
        int kept = free.incrementAndGet(own);
        if (kept > 2 * BATCH && free.compareAndSet(own, kept, kept - BATCH)) {
            common.addAndGet(BATCH);
        }
    }

    /** The number of held permits. Reads all stripes; approximate while other threads take and give. */
    public int held() {
        long left = common.get();
        for (int stripe = WIDTH; stripe < free.length(); stripe += WIDTH) {
            left += free.get(stripe);
        }
        return Math.clamp(bound - left, 0, bound);
    }

    private boolean takeOf(int stripe) {
        for (int before = free.get(stripe); before > 0;) {
            int found = free.compareAndExchange(stripe, before, before - 1);
            if (found == before) {
                return true;
            }
            before = found;
        }
        return false;
    }

    private boolean fetch(int stripe) {
        for (int before = common.get(); before > 0;) {
            int batch = before > PLENTY ? BATCH : 1;
            int found = common.compareAndExchange(before, before - batch);
            if (found == before) {
                if (batch > 1) {
                    free.addAndGet(stripe, batch - 1);
                }
                return true;
            }
            before = found;
        }
        return false;
    }

    private boolean takeOfAny() {
        for (int stripe = WIDTH; stripe < free.length(); stripe += WIDTH) {
            if (takeOf(stripe)) {
                return true;
            }
        }
        return false;
    }

    private static int own() {
        return ((int) Thread.currentThread().threadId() & STRIPES - 1) * WIDTH + WIDTH;
    }
}
