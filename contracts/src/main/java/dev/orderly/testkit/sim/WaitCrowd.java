package dev.orderly.testkit.sim;

import dev.orderly.room.Limits;
import dev.orderly.room.PollPolicy;
import dev.orderly.room.Rate;
import dev.orderly.room.TokenLifetimes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A crowd for tests of forecasts: 300 visitors who stay in line, and absent visitors in addition.
 *
 * @param noShow the share that takes a place and never asks again, 0 to below 1
 * @param burst whether all come within two seconds, rather than somewhat faster than they can be admitted
 * @param stay the length of stays, in seconds
 */
public record WaitCrowd(Bottleneck bottleneck, int stay, Manner.Staying staying, boolean burst, double noShow) {
    private static final int PATIENT = 300;
    private static final int CAPACITY = 20;
    private static final Rate RATE = new Rate(20, Duration.ofSeconds(10));

    /** The limit that makes visitors wait. */
    public enum Bottleneck {
        RATE,
        CAPACITY,
        /** Each limit alone would admit about as many. */
        BOTH
    }

    /** All combinations. The length of stays does not matter to a rate. */
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

    /** The number of all visitors. */
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

    /** The span of arrivals. */
    public Duration arriving() {
        Limits limits = limits();
        double byCapacity = limits.mostPasses().map(most -> most / (double) stay).orElse(Double.POSITIVE_INFINITY);
        double byRate = limits.mostAdmissions().map(Rate::perSecond).orElse(Double.POSITIVE_INFINITY);
        return burst
                ? Duration.ofSeconds(2)
                : Duration.ofMillis((long) (PATIENT / (1.3 * Math.min(byCapacity, byRate)) * 1_000));
    }

    /** The scenario, for virtual time. */
    public Scenario scenario(long seed, Manner.Waiting waiting) {
        Manner manner = new Manner(Manner.Coming.EVEN, Manner.Missing.VANISHES, staying, waiting, true);
        TokenLifetimes pass = new TokenLifetimes(Duration.ofSeconds(Math.max(30, 2L * stay)), null,
                Duration.ofHours(24));
        return new Scenario(seed, 1, limits(), pass, PollPolicy.DEFAULT, new Scenario.Crowd(visitors(), arriving(),
                noShow, Duration.ofMinutes(1), Duration.ofSeconds(stay), manner), Network.PLAIN,
                Scenario.Faults.NONE, Scenario.Flaws.NONE);
    }

    @Override
    public String toString() {
        return "%s, stays of %d s %s, %s, %.0f %% absent".formatted(bottleneck, stay, staying,
                burst ? "burst" : "trickle", noShow * 100).toLowerCase(Locale.ROOT);
    }
}
