package dev.orderly.job;

import dev.orderly.flow.Loop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Which background work of a started engine stands still, though its process looks alive. Thread-safe. */
final class EngineHealth {
    /** Three beats; the lease still lasts for 5 s then. */
    private static final Duration BEAT_LATE = Duration.ofSeconds(15);
    private static final Duration ENDINGS_LATE = Duration.ofSeconds(30);
    /** A round of upkeep may take back all that a dead node held. */
    private static final Duration UPKEEP_LATE = Duration.ofMinutes(2);

    private final Lease lease;
    private final Settler settler;
    private final List<Loop> loops;
    private final Loop upkeep;

    /** @param loops whose rounds are short */
    EngineHealth(Lease lease, Settler settler, Stream<Loop> loops, Loop upkeep) {
        this.lease = lease;
        this.settler = settler;
        this.loops = loops.toList();
        this.upkeep = upkeep;
    }

    /** A line for the operator each; none if all goes on. Answers from memory. */
    List<String> stalls() {
        List<String> stalls = new ArrayList<>();
        Duration beat = lease.age();
        if (beat.compareTo(BEAT_LATE) > 0) {
            stalls.add("The last beat of this node that the store answered was " + beat.toSeconds() + " s ago");
        }
        Duration untaken = settler.untaken();
        if (untaken.compareTo(ENDINGS_LATE) > 0) {
            stalls.add("Endings of jobs have waited for the store for " + untaken.toSeconds() + " s");
        }
        loops.forEach(loop -> loop.stall().ifPresent(stalls::add));
        upkeep.stall(UPKEEP_LATE).ifPresent(stalls::add);
        return stalls;
    }
}
