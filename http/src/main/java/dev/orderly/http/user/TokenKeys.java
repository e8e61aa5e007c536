package dev.orderly.http.user;

import java.security.Key;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys that tokens may be signed with. Thread-safe; may block for a moment to get them. */
interface TokenKeys {
    /**
     * Those that fit, usually one; empty if there is none. Never a key of another kind than the algorithm's.
     *
     * @param algorithm as the token says; anything
     * @param kid as the token says; null if it does not name its key
     */
    List<Key> fitting(String algorithm, @Nullable String kid);

    /** Whether there are any; false while none could be had, so that no token can be told from another. */
    default boolean areKnown() {
        return true;
    }
}
