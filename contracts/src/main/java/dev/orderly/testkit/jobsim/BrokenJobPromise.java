package dev.orderly.testkit.jobsim;

import org.jspecify.annotations.Nullable;

/** A broken promise of jobs. The message names the promise and has the last events around it. */
public final class BrokenJobPromise extends AssertionError {
    private static final long serialVersionUID = 1;

    BrokenJobPromise(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
