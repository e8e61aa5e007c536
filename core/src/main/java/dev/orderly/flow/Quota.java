package dev.orderly.flow;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A bound on how many items are held at once, in all and by each holder, such as connections by address. Thread-safe,
 * never blocks, takes no lock for a holder that holds an item; takes a few dozen bytes for each such holder.
 *
 * @param <K> a holder
 */
public final class Quota<K> {
    private static final int REMOVED = -1;

    private final Limit limit;
    private final AtomicInteger held = new AtomicInteger();
    /** The items of each holder. A counter that reached 0 becomes {@link #REMOVED} before it leaves the map. */
    private final ConcurrentMap<K, AtomicInteger> holders = new ConcurrentHashMap<>();

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
        if (!increment(held, limit.total())) {
            return Taken.ALL_HELD;
        }
        if (!takeEach(holder)) {
            held.decrementAndGet();
            return Taken.HOLDER_FULL;
        }
        return Taken.TAKEN;
    }

    private boolean takeEach(K holder) {
        while (limit.each() > 0) {
            AtomicInteger known = holders.get(holder);
            AtomicInteger count = known == null ? holders.computeIfAbsent(holder, _ -> new AtomicInteger()) : known;
            if (increment(count, limit.each())) {
                return true;
            }
            if (count.get() != REMOVED) {
                return false;
            }
            holders.remove(holder, count); // helps the thread that is removing it
        }
        return false;
    }

    /** Increments a count below its bound, exactly: a take beyond the bound never makes another one fail. */
    private static boolean increment(AtomicInteger count, int bound) {
        int before = count.get();
        while (before != REMOVED && before < bound) {
            int found = count.compareAndExchange(before, before + 1);
            if (found == before) {
                return true;
            }
            before = found;
        }
        return false;
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
        AtomicInteger count = holders.get(holder);
        int left = count == null ? 0 : Math.max(0, count.getAndUpdate(items -> items > 0 ? items - 1 : items) - 1);
        if (count != null && left == 0 && count.compareAndSet(0, REMOVED)) {
            holders.remove(holder, count);
        }
        int all = held.decrementAndGet();
        assert all >= 0 : "more was given back than was taken";
        return left;
    }

    /** The number of items held in all. */
    public int held() {
        return held.get();
    }

    /** The number of items that the holder holds. */
    public int held(K holder) {
        AtomicInteger count = holders.get(holder);
        return count == null ? 0 : Math.max(0, count.get());
    }
}
