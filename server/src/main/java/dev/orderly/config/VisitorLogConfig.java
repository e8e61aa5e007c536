package dev.orderly.config;

import dev.orderly.config.VisitorLogConfig.Addresses;
import dev.orderly.config.VisitorLogConfig.Requests;
import dev.orderly.config.schema.CheckedSection;
import dev.orderly.config.schema.KeySpec;
import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.KeySpec.Group;
import dev.orderly.config.schema.RoomValueTypes;
import dev.orderly.config.schema.UnitText;
import dev.orderly.config.schema.ValueTypes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
    static final KeySpec.Key<Requests> REQUESTS = new KeySpec.Key<>("requests",
            ValueTypes.choice(Requests.class), new Absent.Means("off"),
            "Which requests become a line: none, a share of them, or all.");
    static final KeySpec.Key<Double> SAMPLE = new KeySpec.Key<>("sample", RoomValueTypes.share("5%"),
            new Absent.Means("1%"), "The share of `requests: sampled`.");
    static final KeySpec.Key<Path> FILE = new KeySpec.Key<>("file", ValueTypes.path("log/visitors.log"),
            new Absent.Depends("standard output"),
            "The file of the lines; missing folders are created. SIGHUP and a reload open it anew, so logrotate may"
                    + " rename it.");
    static final KeySpec.Key<Addresses> ADDRESSES = new KeySpec.Key<>("addresses",
            ValueTypes.choice(Addresses.class), new Absent.Means("shortened"),
            "The form of clients' addresses: the network (an IPv4 /24, an IPv6 /48), the whole address, or a hash with"
                    + " a key that is derived from the first secret of `secret-file`.");
    static final KeySpec.Key<Long> MAX_SIZE = new KeySpec.Key<>("max-size",
            ValueTypes.size("64KiB", "64GiB", "100MiB"), new Absent.Means("100MiB"),
            "The size at which the file is rotated; it is rotated at midnight too.");
    static final KeySpec.Key<Duration> KEEP = new KeySpec.Key<>("keep",
            ValueTypes.duration("1d", "3650d", "30d"),
            new Absent.Means("14d"), "How long rotated files are kept, in whole days.");
    static final KeySpec.Key<Long> MAX_TOTAL = new KeySpec.Key<>("max-total",
            ValueTypes.size("64KiB", "1024GiB", "5GiB"), new Absent.Means("2GiB"),
            "The size of all rotated files; beyond it the oldest are deleted.");
    static final Group VISITOR_LOG = new Group("visitor-log",
            List.of(REQUESTS, SAMPLE, FILE, ADDRESSES, MAX_SIZE, KEEP, MAX_TOTAL),
            "A line of JSON for each request that meets a room. See [Running Orderly](operations.md#visitor-log).");
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

    /** Its line in the log, defaults included, without secrets. */
    String inForce() {
        return UnitText.shareText(share()) + " of the requests to " + (file == null ? "standard output" : file)
                + ", addresses " + ValueTypes.lower(addresses);
    }

    static VisitorLogConfig read(CheckedSection at) {
        return new VisitorLogConfig(at.value(REQUESTS).orElse(Requests.OFF),
                at.value(SAMPLE).orElse(0.0),
                at.path(FILE).orElse(null),
                at.value(ADDRESSES).orElse(Addresses.SHORTENED),
                at.value(MAX_SIZE).orElse(1L), at.value(KEEP).orElse(Duration.ZERO),
                at.value(MAX_TOTAL).orElse(1L));
    }
}
