package dev.orderly.flow;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A bound on how many items are held at once, in all and by each holder, such as connections by address. Thread-safe,
 * never blocks; takes a few dozen bytes for each holder that holds an item.
 *
 * @param <K> a holder
 */
public final class Quota<K> {
    private final Limit limit;
    private final AtomicInteger held = new AtomicInteger();
    private final ConcurrentMap<K, Integer> holders = new ConcurrentHashMap<>();

    /** The outcome of a {@link #take}. */
    public enum Taken {
        TAKEN,
        /** The bound on all holders together is reached. */
        ALL_HELD,
        /** The bound on each holder is reached. */
        HOLDER_FULL
    }

    /**
     * The bounds of a quota.
     *
     * @param total items held by all together, 0 or more
     * @param each items held by one holder, 0 or more
     */
    public record Limit(int total, int each) {
        /** @throws IllegalArgumentException if a bound is negative */
        public Limit {
            if (total < 0 || each < 0) {
                throw new IllegalArgumentException("Quota of " + total + " in all and " + each
                        + " each: use 0 or more");
            }
        }

        /** A bound in all only: one holder may hold everything. */
        public static Limit of(int total) {
            return new Limit(total, total);
        }
    }

    /** A quota with no item held. */
    public Quota(Limit limit) {
        this.limit = limit;
    }

    public Limit limit() {
        return limit;
    }

    /** Takes an item for a holder, unless a bound is reached. A taken item is given back by {@link #give}. */
    public Taken take(K holder) {
        if (held.incrementAndGet() > limit.total()) {
            held.decrementAndGet();
            return Taken.ALL_HELD;
        }
        boolean[] taken = {false};
        holders.compute(holder, (_, before) -> {
            int count = before == null ? 0 : before;
            taken[0] = count < limit.each();
            return taken[0] ? Integer.valueOf(count + 1) : before;
        });
        if (!taken[0]) {
            held.decrementAndGet();
        }
        return taken[0] ? Taken.TAKEN : Taken.HOLDER_FULL;
    }

    /** The answer that {@link #take} would give now; nothing is taken. */
    public Taken look(K holder) {
        return held.get() >= limit.total()
                ? Taken.ALL_HELD
                : held(holder) >= limit.each() ? Taken.HOLDER_FULL : Taken.TAKEN;
    }

    /**
     * Gives back an item of the holder.
     *
     * @return how many items the holder still holds
     */
    public int give(K holder) {
        Integer left = holders.compute(holder, (_, count) -> count == null || count == 1 ? null : count - 1);
        held.decrementAndGet();
        return left == null ? 0 : left;
    }

    /** The number of items held in all. */
    public int held() {
        return held.get();
    }

    /** The number of items that the holder holds. */
    public int held(K holder) {
        return holders.getOrDefault(holder, 0);
    }
}
