package dev.orderly.testkit.sim;

import dev.orderly.room.Limits;
import dev.orderly.room.PollPolicy;
import dev.orderly.room.RoomStore;
import dev.orderly.room.Stay;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * What a {@link RoomSimulation} plays. All chance comes from the seed.
 *
 * @param gates 1 to 5
 * @param limits a capacity, a rate, or both
 * @param crowd who comes
 * @param faults what goes wrong
 * @param flaws for those who want to see the referee whistle
 */
public record Scenario(long seed, int gates, Limits limits, Stay stay, PollPolicy poll, Crowd crowd, Faults faults,
        Flaws flaws) {
    /**
     * The visitors.
     *
     * @param count up to a million
     * @param arriving how long they keep coming; half of them come in spikes
     * @param noShow the share that closes the tab at some moment of the wait, 0 to 1
     * @param patience until when those have gone, from their arrival
     * @param inside how long one stays on average
     * @param manner how they behave
     */
    public record Crowd(int count, Duration arriving, double noShow, Duration patience, Duration inside,
            Manner manner) {
        /** As people are. */
        public Crowd(int count, Duration arriving, double noShow, Duration patience, Duration inside) {
            this(count, arriving, noShow, patience, inside, Manner.MIXED);
        }
    }

    /** What goes wrong. */
    public enum Faults {
        NONE,
        /** Stores go away, gates and stores are killed, clocks jump and operators act. */
        ALL,
        /** The same, and single gates do not reach the store while the others do, some of which are just starting. */
        CUT_OFF
    }

    /**
     * What is built in wrong.
     *
     * @param store put around the store
     * @param gate put around what each gate takes for the store, beyond what may fail on the way
     */
    public record Flaws(UnaryOperator<RoomStore> store, UnaryOperator<RoomStore> gate) {
        public static final Flaws NONE = new Flaws(UnaryOperator.identity(), UnaryOperator.identity());
    }

    /** Everything in small: 300 visitors, 2 gates, everything that may go wrong. */
    public static Scenario small(long seed, Limits limits) {
        return new Scenario(seed, 2, limits, new Stay(Duration.ofSeconds(30), null, Duration.ofHours(24)),
                PollPolicy.DEFAULT, new Crowd(300, Duration.ofSeconds(60), 0.3, Duration.ofSeconds(60),
                        Duration.ofSeconds(20)),
                Faults.ALL, Flaws.NONE);
    }

    public Scenario withGates(int value) {
        return new Scenario(seed, value, limits, stay, poll, crowd, faults, flaws);
    }

    public Scenario withStay(Stay value) {
        return new Scenario(seed, gates, limits, value, poll, crowd, faults, flaws);
    }

    public Scenario withPoll(PollPolicy value) {
        return new Scenario(seed, gates, limits, stay, value, crowd, faults, flaws);
    }

    public Scenario withCrowd(Crowd value) {
        return new Scenario(seed, gates, limits, stay, poll, value, faults, flaws);
    }

    public Scenario withFaults(Faults value) {
        return new Scenario(seed, gates, limits, stay, poll, crowd, value, flaws);
    }

    public Scenario withFlaws(Flaws value) {
        return new Scenario(seed, gates, limits, stay, poll, crowd, faults, value);
    }
}
