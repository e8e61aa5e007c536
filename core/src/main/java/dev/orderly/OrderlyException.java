package dev.orderly;

import org.jspecify.annotations.Nullable;

/**
 * The root of the exceptions by which Orderly refuses or fails a call: {@link dev.orderly.store.StoreException},
 * {@link dev.orderly.job.PushRefusedException}, {@link dev.orderly.job.transaction.LeaseLostException} and their like.
 * What handlers throw to steer their own job ({@link dev.orderly.job.RetryLater}, {@link
 * dev.orderly.job.Throttled}, {@link dev.orderly.job.Unprocessable}) is not among them, and a wrong argument is an
 * {@link IllegalArgumentException} or a {@link NullPointerException}.
 */
public abstract class OrderlyException extends RuntimeException {
    private static final long serialVersionUID = 1;

    protected OrderlyException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** An exception without a stack trace, for expected refusals. */
    protected OrderlyException(String message, boolean traced) {
        super(message, null, traced, traced);
    }
}
