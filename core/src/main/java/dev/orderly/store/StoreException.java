package dev.orderly.store;

import dev.orderly.OrderlyException;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A failure of the store. A closed choice of three, which differ in what the caller may do next.
 *
 * <p>Expected answers (a duplicate, a lost lease, an unknown job) are results, never exceptions.
 */
public abstract sealed class StoreException extends OrderlyException {
    private StoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Nothing was done: the store refused the call or was out of reach. Safe to repeat. */
    public static sealed class Unavailable extends StoreException permits Blocked {
        public Unavailable(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * Nothing was done: another transaction holds locks that some of the items need. The other items can be done at
     * once, in a call without the blocked items.
     */
    public static final class Blocked extends Unavailable {
        private static final long serialVersionUID = 1;

        private final BitSet items;

        /** @param items the indexes of the blocked items in the call's list: 1 or more */
        public Blocked(String message, BitSet items, @Nullable Throwable cause) {
            super(message, cause);
            if (items.isEmpty()) {
                throw new IllegalArgumentException("Blocked without a blocked item: name at least one");
            }
            this.items = (BitSet) items.clone();
        }

        /** Whether any item from an index on, before another index, is blocked. */
        public boolean concerns(int from, int before) {
            int next = items.nextSetBit(from);
            return next >= 0 && next < before;
        }
    }

    /**
     * The request was sent and its answer was lost: it may or may not have been done. Repeat it only with the same
     * idempotency key or dedupe id; a settle may be repeated unchanged, since the attempt number fences it.
     */
    public static final class OutcomeUnknown extends StoreException {
        public OutcomeUnknown(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /** The stored data or its schema does not fit this version. A retry will not help. */
    public static final class Unusable extends StoreException {
        public Unusable(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }
}
