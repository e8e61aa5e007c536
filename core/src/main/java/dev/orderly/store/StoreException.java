package dev.orderly.store;

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
    public static final class Unavailable extends StoreException {
        public Unavailable(String message, @Nullable Throwable cause) {
            super(message, cause);
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
