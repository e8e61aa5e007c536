package dev.orderly.store;

import dev.orderly.text.StoredText;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Small texts under keys, which all nodes of the store share: the port that every store implements. Each sentence below
 * is a test in the contract of the testkit. For state that changes rarely, not for data that grows.
 *
 * <p>All methods are thread-safe, block the caller until the store has answered, and take the current time as an
 * argument. Every method throws {@link StoreException.Unavailable} if nothing was done and
 * {@link StoreException.OutcomeUnknown} if the outcome is not known: read then. An answered change is as durable as the
 * store's other data, and every later {@link #read} of any node sees it.
 */
public interface KeyValueStore {
    /** Upper bound of the characters of a key. */
    int KEY_MAX = 200;
    /** Upper bound of the characters of a value. */
    int VALUE_MAX = 128 << 10;
    /** The version of a value that does not exist. */
    long ABSENT = 0;

    /** Whether nodes of several processes may use the store. */
    default boolean isShared() {
        return true;
    }

    /** The value of a key, unchanged; empty if there is none, or if it has ended. */
    Optional<StoredValue> read(String key, Instant now);

    /**
     * Stores a value in place of the value that the caller has seen: of all callers that saw the same version, only one
     * replaces it.
     *
     * @param seen the version of the value before; {@link #ABSENT} if the caller found none
     * @param until the value's end, in milliseconds; from that moment on there is none
     * @return the version of the new value; empty if nothing was done because another value was there, or none
     * @throws IllegalArgumentException if key or text break their bounds or {@link StoredText}
     */
    OptionalLong replace(String key, long seen, String text, Instant until, Instant now);

    /** @throws IllegalArgumentException if key or text break their bounds or {@link StoredText} */
    static void check(String key, String text) {
        StoredText.check("The key", key);
        StoredText.check("The value", text);
        if (key.isEmpty() || key.length() > KEY_MAX) {
            throw new IllegalArgumentException("The key has " + key.length() + " characters: use 1 to " + KEY_MAX);
        }
        if (text.length() > VALUE_MAX) {
            throw new IllegalArgumentException(
                    "The value has " + text.length() + " characters: use at most " + VALUE_MAX);
        }
    }
}
