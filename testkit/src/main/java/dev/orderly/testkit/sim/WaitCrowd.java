package dev.orderly.testkit.sim;

import dev.orderly.room.Limits;
import dev.orderly.room.PollPolicy;
import dev.orderly.room.Rate;
import dev.orderly.room.Stay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A crowd for which waits are told: 300 visitors who stay in line, and the absent on top of them.
 *
 * @param noShow the share that takes a place and never asks again, 0 to below 1
 * @param burst whether all come within two seconds, rather than somewhat faster than they can be let in
 * @param stay how long they stay inside, in seconds
 */
public record WaitCrowd(Bottleneck bottleneck, int stay, Manner.Staying staying, boolean burst, double noShow) {
    private static final int PATIENT = 300;
    private static final int CAPACITY = 20;
    private static final Rate RATE = new Rate(20, Duration.ofSeconds(10));

    /** What holds the line up. */
    public enum Bottleneck {
        RATE,
        CAPACITY,
        /** Both by themselves would let in about as many. */
        BOTH
    }

    /** Every crowd there is. How long visitors stay is the same to a rate. */
    public static List<WaitCrowd> all() {
        List<WaitCrowd> all = new ArrayList<>();
        for (Bottleneck bottleneck : Bottleneck.values()) {
            for (int stay : new int[]{2, 6, 60}) {
                for (boolean burst : new boolean[]{true, false}) {
                    for (double noShow : new double[]{0, 0.2, 0.5, 0.9}) {
                        for (Manner.Staying staying : Manner.Staying.values()) {
                            if (bottleneck != Bottleneck.RATE || (stay == 6 && staying == Manner.Staying.EVEN)) {
                                all.add(new WaitCrowd(bottleneck, stay, staying, burst, noShow));
                            }
                        }
                    }
                }
            }
        }
        return all;
    }

    /** How many come in all. */
    public int visitors() {
        return (int) Math.round(PATIENT / (1 - noShow));
    }

    /** The limits that make the bottleneck. */
    public Limits limits() {
        return switch (bottleneck) {
            case RATE -> new Limits(null, RATE);
            case CAPACITY -> new Limits(CAPACITY, null);
            case BOTH -> new Limits(Math.max(4, (int) (RATE.perSecond() * stay)), RATE);
        };
    }

    /** Until when they come. */
    public Duration arriving() {
        Limits limits = limits();
        double byCapacity = limits.mostPasses().map(most -> most / (double) stay).orElse(Double.POSITIVE_INFINITY);
        double byRate = limits.mostAdmissions().map(Rate::perSecond).orElse(Double.POSITIVE_INFINITY);
        return burst
                ? Duration.ofSeconds(2)
                : Duration.ofMillis((long) (PATIENT / (1.3 * Math.min(byCapacity, byRate)) * 1_000));
    }

    /** Played with virtual time. */
    public Scenario scenario(long seed, Manner.Waiting waiting) {
        Manner manner = new Manner(Manner.Coming.EVEN, Manner.Missing.VANISHES, staying, waiting, true);
        Stay pass = new Stay(Duration.ofSeconds(Math.max(30, 2L * stay)), null, Duration.ofHours(24));
        return new Scenario(seed, 1, limits(), pass, PollPolicy.DEFAULT, new Scenario.Crowd(visitors(), arriving(),
                noShow, Duration.ofMinutes(1), Duration.ofSeconds(stay), manner), Scenario.Faults.NONE,
                Scenario.Flaws.NONE);
    }

    @Override
    public String toString() {
        return "%s, stays of %d s %s, %s, %.0f %% absent".formatted(bottleneck, stay, staying,
                burst ? "burst" : "trickle", noShow * 100).toLowerCase(Locale.ROOT);
    }
}
