package dev.orderly.store.sqlite;

import java.util.Objects;
/**
 * Settings of a {@link SqliteStore}.
 *
 * @param durability failures that an acknowledged write survives
 * @param cacheMegabytes page cache of the writer, 1 to 4,096; outside the Java heap
 */
public record SqliteOptions(Durability durability, int cacheMegabytes) {
    /** Full durability, 64 MB of cache. */
    public static final SqliteOptions DEFAULT = new SqliteOptions(Durability.FULL, 64);

    /** @throws IllegalArgumentException if a value is out of its bounds; the message names both */
    public SqliteOptions {
        Objects.requireNonNull(durability, "durability");
        if (cacheMegabytes < 1 || cacheMegabytes > 4_096) {
            throw new IllegalArgumentException(
                    "SQLite option cacheMegabytes is " + cacheMegabytes + ": use 1 to 4096");
        }
    }

    public SqliteOptions withDurability(Durability value) {
        Objects.requireNonNull(value, "value");
        return new SqliteOptions(value, cacheMegabytes);
    }

    public SqliteOptions withCacheMegabytes(int value) {
        return new SqliteOptions(durability, value);
    }
}
