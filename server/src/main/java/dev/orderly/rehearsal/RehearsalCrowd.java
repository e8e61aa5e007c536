package dev.orderly.rehearsal;

import java.time.Duration;
import java.util.List;

/** The visitors of a rehearsal: described, or as they came on a recorded day. */
public sealed interface RehearsalCrowd permits RehearsedCrowd, RecordedCrowd {
    /** The largest number of visitors. */
    int VISITORS_MAX = 1_000_000;

    int visitors();

    /** The span of arrivals. */
    Duration over();

    /** The share that takes a place and never comes back. */
    double absent();

    /** The names of the tiers that visitors have, each once. */
    List<String> tiers();

    /** What chance decides: the same seed decides the same. */
    long seed();
}
