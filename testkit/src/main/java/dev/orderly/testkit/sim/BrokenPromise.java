package dev.orderly.testkit.sim;

/** What a room promises did not hold. The message says what, the seed, and the last events before. */
public final class BrokenPromise extends AssertionError {
    private static final long serialVersionUID = 1;

    BrokenPromise(String message, Throwable cause) {
        super(message, cause);
    }
}
