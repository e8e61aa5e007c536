package dev.orderly.http.user;

import java.security.Key;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys that verify tokens. Thread-safe; may block for a moment to read them. */
interface VerificationKeys {
    /**
     * The keys that fit, usually one; empty if there is none. Each key is of the algorithm's type.
     *
     * @param algorithm the token's algorithm; not validated
     * @param kid the token's key id; null if it has none
     */
    List<Key> fitting(String algorithm, @Nullable String kid);

    /** Whether any keys are known; false while none could be read, so that no token can be verified. */
    default boolean areKnown() {
        return true;
    }
}
