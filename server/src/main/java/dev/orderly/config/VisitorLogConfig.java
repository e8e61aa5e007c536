package dev.orderly.config;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The log of requests that meet a room.
 *
 * @param sample share that is recorded if requests are sampled
 * @param file null for standard output
 * @param fileBytes size at which the file is rotated
 * @param keep for which rotated files are kept, in whole days
 * @param totalBytes of all rotated files
 */
public record VisitorLogConfig(Requests requests, double sample, @Nullable Path file, Addresses addresses,
        long fileBytes, Duration keep, long totalBytes) {
    /** Which requests are recorded. */
    public enum Requests {
        OFF, SAMPLED, ALL
    }

    /** The form in which addresses are shown. */
    public enum Addresses {
        SHORTENED, WHOLE, HASHED
    }

    /** The share of the requests that is recorded. */
    public double share() {
        return switch (requests) {
            case OFF -> 0;
            case SAMPLED -> sample;
            case ALL -> 1;
        };
    }
}
