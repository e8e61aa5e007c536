package dev.orderly.config;

/**
 * The configured stores.
 *
 * @param jobs never {@link StoreUrl.Redis}
 * @param rooms the same as {@code jobs} unless configured separately
 */
public record StoreConfig(StoreUrl jobs, StoreUrl rooms) {
    @Override
    public String toString() {
        return jobs.equals(rooms) ? jobs.toString() : "jobs " + jobs + ", rooms " + rooms;
    }
}
