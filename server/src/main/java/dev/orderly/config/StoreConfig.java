package dev.orderly.config;

import org.jspecify.annotations.Nullable;

/**
 * The configured stores.
 *
 * @param jobs never {@link StoreUrl.Redis}
 * @param rooms the same as {@code jobs} unless configured separately
 * @param backup null for none by the server
 */
public record StoreConfig(StoreUrl jobs, StoreUrl rooms, @Nullable BackupConfig backup) {
    /** Without backups. */
    public StoreConfig(StoreUrl jobs, StoreUrl rooms) {
        this(jobs, rooms, null);
    }

    /** Whether a part is on a server that other nodes use too, so that it may come back without this node. */
    public boolean isShared() {
        return jobs.isShared() || rooms.isShared();
    }

    @Override
    public String toString() {
        return jobs.equals(rooms) ? jobs.toString() : "jobs " + jobs + ", rooms " + rooms;
    }
}
