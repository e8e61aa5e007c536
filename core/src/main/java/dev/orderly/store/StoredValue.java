package dev.orderly.store;

/**
 * A value of a {@link KeyValueStore}.
 *
 * @param version differs from the version of every other value that the store has ever had
 */
public record StoredValue(long version, String text) {}
