package dev.orderly.room;

import java.time.Duration;
import java.util.Objects;

/**
 * Work or a wait before a place, for visitors whose network (IPv4 /24, IPv6 /48) has taken many places at the gate in
 * its present hour and the one before. The work is about 256 derivations of a key by PBKDF2, see
 * {@link dev.orderly.room.work.WorkChallenge}; who does none, such as a browser without script, waits. Applications
 * change the {@link #DEFAULT}: the constructor may get more parameters.
 *
 * @param crowdedFrom places of a crowded network; 1 or more
 * @param delay the wait of a visitor who does no work, 1 s to 10 min
 * @param cost rounds of PBKDF2 in each derivation, {@value #COST_MIN} to {@value #COST_MAX}; a gate does as many to
 *     verify a solution
 */
public record ProofOfWork(int crowdedFrom, Duration delay, int cost) {
    /** The smallest cost. */
    public static final int COST_MIN = 1_000;
    /** The largest cost: a gate verifies it in some ten milliseconds. */
    public static final int COST_MAX = 50_000;

    private static final Duration DELAY_MAX = Duration.ofMinutes(10);

    /** From 20 places on, about 256 times 10,000 rounds, or a wait of 30 seconds. */
    public static final ProofOfWork DEFAULT = new ProofOfWork(20, Duration.ofSeconds(30), 10_000);

    /** @throws IllegalArgumentException naming the setting, the rule and the remedy */
    public ProofOfWork {
        Objects.requireNonNull(delay, "delay");
        if (crowdedFrom < 1) {
            throw new IllegalArgumentException("crowded-from is " + crowdedFrom + ": use 1 or more");
        }
        if (delay.compareTo(Duration.ofSeconds(1)) < 0 || delay.compareTo(DELAY_MAX) > 0) {
            throw new IllegalArgumentException("The wait instead of work is " + delay + ": use 1 s to 10 min");
        }
        if (cost < COST_MIN || cost > COST_MAX) {
            throw new IllegalArgumentException("The cost of work is " + cost + ": use " + COST_MIN + " to " + COST_MAX);
        }
    }

    public ProofOfWork withCrowdedFrom(int value) {
        return new ProofOfWork(value, delay, cost);
    }

    public ProofOfWork withDelay(Duration value) {
        Objects.requireNonNull(value, "value");
        return new ProofOfWork(crowdedFrom, value, cost);
    }

    public ProofOfWork withCost(int value) {
        return new ProofOfWork(crowdedFrom, delay, value);
    }
}
