package dev.orderly.testkit.sim;

import dev.orderly.room.Limits;
import dev.orderly.room.PollPolicy;
import dev.orderly.room.Tiers;
import dev.orderly.room.TokenLifetimes;
import dev.orderly.room.store.RoomStore;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * The parameters of a {@link RoomSimulation}. All chance comes from the seed.
 *
 * @param gates 1 to 5
 * @param limits a capacity, a rate, or both
 * @param crowd the visitors
 * @param network the way between visitors and gates
 * @param faults the faults to simulate
 * @param flaws defects to plant, for tests of the referee
 * @param opens the time from the start until the room opens; zero for a room without openings
 * @param drawn whether the places of the lobby are drawn
 * @param tiers of the room: of ten visitors one has the claim of each
 * @param guests what visitors have beside their browsers
 */
public record Scenario(long seed, int gates, Limits limits, TokenLifetimes stay, PollPolicy poll, Crowd crowd,
        Network network, Faults faults, Flaws flaws, Duration opens, boolean drawn, Tiers tiers, Guests guests) {
    /** A room without openings. */
    public Scenario(long seed, int gates, Limits limits, TokenLifetimes stay, PollPolicy poll, Crowd crowd,
            Network network, Faults faults, Flaws flaws) {
        this(seed, gates, limits, stay, poll, crowd, network, faults, flaws, Duration.ZERO, false, Tiers.NONE,
                Guests.NONE);
    }

    /**
     * The visitors.
     *
     * @param count up to a million
     * @param arriving the span of arrivals; half of the visitors come in spikes
     * @param noShow the share that closes the tab at some moment of the wait, 0 to 1
     * @param patience the time from arrival until those visitors have gone
     * @param inside the mean length of a stay
     * @param manner their behaviour
     */
    public record Crowd(int count, Duration arriving, double noShow, Duration patience, Duration inside,
            Manner manner) {
        /** Visitors with mixed behaviour, as people have. */
        public Crowd(int count, Duration arriving, double noShow, Duration patience, Duration inside) {
            this(count, arriving, noShow, patience, inside, Manner.MIXED);
        }
    }

    /**
     * Users of several devices, and invitations.
     *
     * @param devices the number of browsers of each user, 1 to 5; 0 for a room that asks nobody to sign in
     * @param invited the share of visitors, 0 to 1, who try invitations: valid ones, used ones, and ones of other users
     */
    public record Guests(int devices, double invited) {
        public static final Guests NONE = new Guests(0, 0);
    }

    /** The faults to simulate. */
    public enum Faults {
        NONE,
        /** Stores fail, gates and stores crash, clocks jump and operators make changes. */
        ALL,
        /**
         * The same, and single gates are cut off from the store while the others are not, some of which are just
         * starting.
         */
        CUT_OFF
    }

    /**
     * Defects to plant.
     *
     * @param store wraps the store
     * @param gate wraps each gate's view of the store, beyond the faults on the way
     * @param answersUnheard whether gates do not learn when their answers have left
     */
    public record Flaws(UnaryOperator<RoomStore> store, UnaryOperator<RoomStore> gate, boolean answersUnheard) {
        /** Defects of stores. */
        public Flaws(UnaryOperator<RoomStore> store, UnaryOperator<RoomStore> gate) {
            this(store, gate, false);
        }

        public static final Flaws NONE = new Flaws(UnaryOperator.identity(), UnaryOperator.identity());
    }

    /** A small scenario with everything: 300 visitors, 2 gates, all faults. */
    public static Scenario small(long seed, Limits limits) {
        return new Scenario(seed, 2, limits, new TokenLifetimes(Duration.ofSeconds(30), null, Duration.ofHours(24)),
                PollPolicy.DEFAULT, new Crowd(300, Duration.ofSeconds(60), 0.3, Duration.ofSeconds(60),
                        Duration.ofSeconds(20)),
                Network.PLAIN, Faults.ALL, Flaws.NONE);
    }

    public Scenario withGates(int value) {
        return new Scenario(seed, value, limits, stay, poll, crowd, network, faults, flaws, opens, drawn, tiers,
                guests);
    }

    public Scenario withStay(TokenLifetimes value) {
        return new Scenario(seed, gates, limits, value, poll, crowd, network, faults, flaws, opens, drawn, tiers,
                guests);
    }

    public Scenario withPoll(PollPolicy value) {
        return new Scenario(seed, gates, limits, stay, value, crowd, network, faults, flaws, opens, drawn, tiers,
                guests);
    }

    public Scenario withCrowd(Crowd value) {
        return new Scenario(seed, gates, limits, stay, poll, value, network, faults, flaws, opens, drawn, tiers,
                guests);
    }

    public Scenario withNetwork(Network value) {
        return new Scenario(seed, gates, limits, stay, poll, crowd, value, faults, flaws, opens, drawn, tiers, guests);
    }

    public Scenario withFaults(Faults value) {
        return new Scenario(seed, gates, limits, stay, poll, crowd, network, value, flaws, opens, drawn, tiers, guests);
    }

    public Scenario withFlaws(Flaws value) {
        return new Scenario(seed, gates, limits, stay, poll, crowd, network, faults, value, opens, drawn, tiers,
                guests);
    }

    /** The room with an opening after this time, whose lobby begins with the simulation. */
    public Scenario withOpening(Duration value) {
        return new Scenario(seed, gates, limits, stay, poll, crowd, network, faults, flaws, value, drawn, tiers,
                guests);
    }

    /** The room with a draw of the places of its lobby. */
    public Scenario withDraw() {
        return new Scenario(seed, gates, limits, stay, poll, crowd, network, faults, flaws, opens, true, tiers, guests);
    }

    /** The room with these tiers. */
    public Scenario withTiers(Tiers value) {
        return new Scenario(seed, gates, limits, stay, poll, crowd, network, faults, flaws, opens, drawn, value,
                guests);
    }

    /** The room with users of several devices, and with invitations to its tiers. */
    public Scenario withGuests(Guests value) {
        return new Scenario(seed, gates, limits, stay, poll, crowd, network, faults, flaws, opens, drawn, tiers, value);
    }
}
