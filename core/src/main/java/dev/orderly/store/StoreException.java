package dev.orderly.store;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The store could not do what it was asked. Closed choice of three; what the caller may do next differs in each.
 *
 * <p>Expected answers (a duplicate, a lost lease, an unknown job) are results, never exceptions.
 */
public abstract sealed class StoreException extends RuntimeException {
    private StoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Nothing was done: the store refused or was not reached. Safe to try again as it is. */
    public static sealed class Unavailable extends StoreException permits Blocked {
        public Unavailable(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * Nothing was done: a transaction of someone else holds what some of the items need. The other items can be done at
     * once, in a call without these.
     */
    public static final class Blocked extends Unavailable {
        private static final long serialVersionUID = 1;

        private final BitSet items;

        /** @param items the places in the call's list of what is blocked: 1 or more */
        public Blocked(String message, BitSet items, @Nullable Throwable cause) {
            super(message, cause);
            if (items.isEmpty()) {
                throw new IllegalArgumentException("Blocked without a blocked item: name one or more");
            }
            this.items = (BitSet) items.clone();
        }

        /** Whether any item from a place on, before another, is blocked. */
        public boolean concerns(int from, int before) {
            int next = items.nextSetBit(from);
            return next >= 0 && next < before;
        }
    }

    /**
     * The request was sent and the answer was lost: it may or may not have been done. Try again only with the same
     * idempotency key or dedupe id; a settle may be repeated as it is, since the attempt's number fences it.
     */
    public static final class OutcomeUnknown extends StoreException {
        public OutcomeUnknown(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /** The stored data or its schema is not what this version can work with. Trying again will not help. */
    public static final class Unusable extends StoreException {
        public Unusable(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }
}
