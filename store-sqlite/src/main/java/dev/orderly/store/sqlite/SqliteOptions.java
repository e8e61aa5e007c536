package dev.orderly.store.sqlite;

/**
 * Settings of a {@link SqliteStore}.
 *
 * @param durability what an acknowledged write survives
 * @param cacheMegabytes page cache of the writer, 1 to 4,096; outside the Java heap
 */
public record SqliteOptions(Durability durability, int cacheMegabytes) {
    /** Full durability, 64 MB of cache. */
    public static final SqliteOptions DEFAULT = new SqliteOptions(Durability.FULL, 64);

    /** @throws IllegalArgumentException naming the bound that does not hold */
    public SqliteOptions {
        if (cacheMegabytes < 1 || cacheMegabytes > 4_096) {
            throw new IllegalArgumentException(
                    "A SQLite cache of " + cacheMegabytes + " MB is out of bounds: use 1 to 4096");
        }
    }
}
