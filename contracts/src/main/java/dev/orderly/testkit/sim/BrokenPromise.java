package dev.orderly.testkit.sim;

/** A broken promise of a room. The message names the promise, the seed, and the last events. */
public final class BrokenPromise extends AssertionError {
    private static final long serialVersionUID = 1;

    BrokenPromise(String message, Throwable cause) {
        super(message, cause);
    }
}
