package dev.orderly.testkit.jobsim;

import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;

/** The clocks of one simulated machine, and its threads. */
final class SimulatedTime implements Time {
    static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    private final Turns turns;
    private final Executor owner;
    private long wallAhead;
    private long slept;

    SimulatedTime(Turns turns, Executor owner) {
        this.turns = turns;
        this.owner = owner;
    }

    /** Sets the wall clock, ahead of the true time or behind it. */
    void set(Duration ahead) {
        wallAhead = ahead.toNanos();
    }

    /** Says that the machine was suspended for this time, in which its monotonic clock stood still. */
    void slept(long nanos) {
        slept += nanos;
    }

    @Override
    public Instant now() {
        return START.plusNanos(turns.now() + wallAhead);
    }

    @Override
    public long nanos() {
        turns.read();
        return turns.now() - slept;
    }

    @Override
    public void park(long deadline) {
        if (reached(deadline)) {
            return;
        }
        Thread thread = Thread.currentThread();
        Turns.Event end = turns.at(deadline + slept, () -> LockSupport.unpark(thread));
        LockSupport.park(this);
        end.cancel();
    }

    @Override
    public Time machine() {
        return this;
    }

    @Override
    public ThreadFactory threads(String name) {
        return task -> Turns.threads(owner).name(name).unstarted(task);
    }
}
