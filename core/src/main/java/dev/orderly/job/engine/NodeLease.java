package dev.orderly.job.engine;

import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A node's right to run jobs. Each answered beat renews the lease from the moment at which the beat was asked. Each loss
 * begins a new generation: whatever was claimed in an earlier one belongs to others. Thread-safe.
 *
 * <p>The monotonic clock of some systems stands still while the machine is suspended, so the start of a handler also asks
 * the wall clock. A wall clock that was set ahead makes the lease unsure until the next beat, and no longer.
 */
final class NodeLease {
    /** Shorter than what a store takes for death, so that handlers can end before another node begins. */
    static final Duration LENGTH = Duration.ofSeconds(20);

    private static final Duration NO_BEAT_WAITS_SO_LONG = Duration.ofSeconds(8);

    private final Time time;
    private final AtomicLong generation = new AtomicLong();
    private volatile Moment renewed;

    /** A moment by both clocks. */
    record Moment(long nanos, Instant wall) {}

    NodeLease(Time time) {
        this.time = time;
        this.renewed = moment();
    }

    Moment moment() {
        return new Moment(time.nanos(), time.wall());
    }

    /** A beat was answered that was asked at this moment. */
    void renew(Moment asked) {
        renewed = asked;
    }

    /** What this node holds is lost, and what an answer under way hands out. */
    void lose() {
        generation.incrementAndGet();
    }

    long generation() {
        return generation.get();
    }

    /** How long ago the last beat that was answered was asked, by the monotonic clock. */
    Duration age() {
        return Duration.ofNanos(time.nanos() - renewed.nanos);
    }

    /** Whether the lease has run out by the monotonic clock: handlers must end. */
    boolean isOver() {
        return time.nanos() - renewed.nanos >= LENGTH.toNanos();
    }

    /** When the lease runs out, by the monotonic clock. */
    long end() {
        return renewed.nanos + LENGTH.toNanos();
    }

    /** Whether the lease is good by both clocks. */
    boolean isSure() {
        return !isOver() && renewed.wall.plus(LENGTH).isAfter(time.wall());
    }

    /** Whether a handler may start that was claimed in this generation. */
    boolean covers(long claimedIn) {
        return claimedIn == generation.get() && isSure();
    }

    /** Whether the machine may have been suspended since the last beat: only the wall clock says that a beat is due. */
    boolean mayHaveSlept() {
        Moment last = renewed;
        Duration byWall = Duration.between(last.wall, time.wall());
        return byWall.compareTo(NO_BEAT_WAITS_SO_LONG) > 0
                && byWall.minusNanos(time.nanos() - last.nanos).compareTo(NO_BEAT_WAITS_SO_LONG.dividedBy(2)) > 0;
    }
}
