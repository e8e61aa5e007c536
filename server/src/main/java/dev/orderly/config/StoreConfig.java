package dev.orderly.config;

/**
 * Where everything is kept.
 *
 * @param jobs never {@link StoreUrl.Redis}
 * @param rooms the same as {@code jobs} unless told otherwise
 */
public record StoreConfig(StoreUrl jobs, StoreUrl rooms) {
    @Override
    public String toString() {
        return jobs.equals(rooms) ? jobs.toString() : "jobs " + jobs + ", rooms " + rooms;
    }
}
