package dev.orderly.room.store;

import dev.orderly.room.Beacon;
import dev.orderly.room.DrawLedger;
import dev.orderly.room.RoomName;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A step of the draw of an opening. A step that was made before, or that does not follow from the stored state, changes
 * nothing; the answered state says how far the draw is.
 */
public sealed interface DrawStep {
    /** The moment at which the opening begins by the configuration: its name. */
    Instant opening();

    /**
     * Commits to a seed, before the lobby.
     *
     * @param seed 32 unpredictable bytes in hexadecimal digits
     * @param tiers whether the room has tiers
     */
    record Commit(Instant opening, @Nullable Beacon beacon, String seed, boolean tiers) implements DrawStep {
        /** A commitment in a room without tiers. */
        public Commit(Instant opening, @Nullable Beacon beacon, String seed) {
            this(opening, beacon, seed, false);
        }

        @Override
        public String toString() {
            return "Commit[opening=" + opening + ", beacon=" + beacon + ", tiers=" + tiers + "]";
        }
    }

    /** Stamps the end of the lobby. Who joins after it stands behind the draw. */
    record Close(Instant opening) implements DrawStep {}

    /**
     * Publishes what the closed lobby was.
     *
     * @param root in hexadecimal digits
     * @param tiers the names of the room's lines, from the second one on
     */
    record Root(Instant opening, long count, String root, List<String> tiers) implements DrawStep {
        /** What the lobby of a room without tiers was. */
        public Root(Instant opening, long count, String root) {
            this(opening, count, root, List.of());
        }

        public Root {
            tiers = List.copyOf(tiers);
        }
    }

    /** Records the value of the beacon. */
    record Value(Instant opening, String value) implements DrawStep {}

    /** Publishes the seed. From now on tickets of the lobby have the drawn places. */
    record Reveal(Instant opening) implements DrawStep {}

    /** Drops a draw that will not be made: its opening was cancelled, or is over. */
    record Drop(Instant opening) implements DrawStep {}

    /**
     * The ledger after this step; the same one if it changes nothing.
     *
     * @param lengths the last place issued, of each line by its number
     */
    default DrawLedger applyTo(DrawLedger ledger, RoomName room, long epoch, List<Long> lengths) {
        return switch (this) {
            case Commit step -> ledger.commit(room, step.opening, step.beacon, step.seed, step.tiers);
            case Close step -> ledger.close(step.opening, lengths);
            case Root step -> ledger.root(step.opening, epoch, step.count, step.root, step.tiers);
            case Value step -> ledger.value(step.opening, step.value);
            case Reveal step -> ledger.reveal(step.opening);
            case Drop step -> ledger.drop(step.opening);
        };
    }
}
