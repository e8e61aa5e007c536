package dev.orderly.room.store;

import dev.orderly.room.Beacon;
import dev.orderly.room.DrawLedger;
import dev.orderly.room.RoomName;
import java.time.Instant;
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
     */
    record Commit(Instant opening, @Nullable Beacon beacon, String seed) implements DrawStep {
        @Override
        public String toString() {
            return "Commit[opening=" + opening + ", beacon=" + beacon + "]";
        }
    }

    /** Stamps the end of the lobby. Who joins after it stands behind the draw. */
    record Close(Instant opening) implements DrawStep {}

    /**
     * Publishes what the closed lobby was.
     *
     * @param root in hexadecimal digits
     */
    record Root(Instant opening, long count, String root) implements DrawStep {}

    /** Records the value of the beacon. */
    record Value(Instant opening, String value) implements DrawStep {}

    /** Publishes the seed. From now on tickets of the lobby have the drawn places. */
    record Reveal(Instant opening) implements DrawStep {}

    /** Drops a draw that will not be made: its opening was cancelled, or is over. */
    record Drop(Instant opening) implements DrawStep {}

    /**
     * The ledger after this step; the same one if it changes nothing.
     *
     * @param length the last place issued
     */
    default DrawLedger applyTo(DrawLedger ledger, RoomName room, long epoch, long length) {
        return switch (this) {
            case Commit step -> ledger.commit(room, step.opening, step.beacon, step.seed);
            case Close step -> ledger.close(step.opening, length);
            case Root step -> ledger.root(step.opening, epoch, step.count, step.root);
            case Value step -> ledger.value(step.opening, step.value);
            case Reveal step -> ledger.reveal(step.opening);
            case Drop step -> ledger.drop(step.opening);
        };
    }
}
