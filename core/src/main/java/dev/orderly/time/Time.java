package dev.orderly.time;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;

/**
 * A source of time: a wall clock, a monotonic clock, and a way to wait on the monotonic clock.
 *
 * <p>Code takes all times from here, so a test can stop both clocks, move them apart or let them jump. Wall time names
 * moments that outlive the process; monotonic time measures and waits. The two are not related: wall time may go
 * backwards. Implementations are thread-safe.
 */
public interface Time {
    /** The machine's own clocks. */
    static Time system() {
        return SystemTime.INSTANCE;
    }

    /**
     * The same clocks, but the wall clock is read only once, now, and then advances with the monotonic clock: setting
     * the wall clock later changes nothing. For spans that outlive a call and must keep their length.
     *
     * @param notBefore the earliest start, if the wall clock may have been set back since; {@link Instant#MIN} for none
     */
    static Time steady(Time time, Instant notBefore) {
        Objects.requireNonNull(notBefore, "notBefore");
        return new SteadyTime(time, notBefore);
    }

    /**
     * A steady clock that follows another clock, such as a server's. The other clock is asked now, once a minute, and
     * when the machine's wall and monotonic clocks drift apart, as after a suspension or a change of the wall clock.
     * Blocks for five answers now; later answers are awaited on another thread. The error is at most half of the
     * quickest answer's time.
     *
     * @param other reads the other clock; its exceptions are thrown here, later ones are logged
     */
    static Time aligned(Time own, Supplier<Instant> other) {
        Objects.requireNonNull(other, "other");
        Objects.requireNonNull(own, "own");
        return new AlignedTime(own, other);
    }

    /** The moment by the wall clock. May be earlier than an answer given before. */
    Instant now();

    /**
     * The machine's own wall clock, even if {@link #now} follows another clock. Advances while the machine is
     * suspended, which the monotonic clock of some systems does not.
     */
    default Instant wall() {
        return now();
    }

    /** Makes a clock that follows another clock ask it again soon. Does not wait for the answer. */
    default void realign() {}

    /** Monotonic nanoseconds from an arbitrary origin; only differences have a meaning. */
    long nanos();

    /**
     * Parks the calling thread until {@link #nanos()} reaches {@code deadline}, the thread is unparked or interrupted,
     * or for no reason at all. Callers therefore loop on their own condition. Never throws; leaves the interrupt flag.
     */
    void park(long deadline);

    /**
     * The clock for waits of threads for each other, such as a stop for the end of a loop: that of the machine, also
     * where a test moves this clock by hand. A simulation has its own.
     */
    default Time machine() {
        return system();
    }

    /**
     * Makes the threads of loops and handlers: platform threads, daemons. A simulation makes its own, since its time
     * passes only while all of them wait.
     *
     * @param name of each thread; after a last {@code -} comes a number
     */
    default ThreadFactory threads(String name) {
        Objects.requireNonNull(name, "name");
        Thread.Builder.OfPlatform threads = Thread.ofPlatform().daemon().inheritInheritableThreadLocals(false);
        return (name.endsWith("-") ? threads.name(name, 0) : threads.name(name)).factory();
    }

    /** The monotonic deadline {@code wait} from now; a negative wait counts as zero. Bounded to about 100 years. */
    default long deadline(Duration wait) {
        Duration longest = Duration.ofDays(36_500);
        Duration bounded = wait.isNegative() ? Duration.ZERO : wait.compareTo(longest) > 0 ? longest : wait;
        return nanos() + bounded.toNanos();
    }

    /** Whether the monotonic clock has reached {@code deadline}. */
    default boolean reached(long deadline) {
        return nanos() - deadline >= 0;
    }
}
