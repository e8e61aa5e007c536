package dev.orderly.room.store;

import dev.orderly.room.Limits;
import dev.orderly.room.OpeningChange;
import dev.orderly.room.RoomMode;
import dev.orderly.text.LocalizedText;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A change of a room by an operator. */
public sealed interface RoomChange {
    /** Sets the mode. */
    record Mode(RoomMode mode) implements RoomChange {}

    /**
     * Sets the message on the waiting page.
     *
     * @param text plain text of at most 500 characters in each language; null for none
     */
    record Message(@Nullable LocalizedText text) implements RoomChange {
        private static final int MOST = 500;

        /** @throws IllegalArgumentException if the text is longer */
        public Message {
            if (text != null) {
                text.atMost("The message", MOST);
            }
        }

        /** A message for readers of all languages. */
        public static Message of(String text) {
            return new Message(LocalizedText.of(text));
        }
    }

    /**
     * Admits the next present visitors, beyond the rate and in mode {@link RoomMode#HOLD} too, but never beyond the
     * capacity.
     *
     * @param visitors 1 to 1,000,000, added to earlier grants that are not used yet
     */
    record Admit(int visitors) implements RoomChange {
        private static final int MOST = 1_000_000;

        /** @throws IllegalArgumentException if the number is out of its bounds */
        public Admit {
            if (visitors < 1 || visitors > MOST) {
                throw new IllegalArgumentException("Admitting " + visitors + " visitors: use 1 to " + MOST);
            }
        }
    }

    /**
     * Sets limits that replace the configured ones until they are removed.
     *
     * @param limits null to return to the configured limits
     */
    record Settings(@Nullable Limits limits) implements RoomChange {}

    /**
     * Replaces the changes of openings, unless they are other ones by now or it is too late: then nothing changes, and
     * the answered state has the stored ones.
     *
     * @param from the changes from which {@code changes} was made
     * @param changes all of them; empty to return to the configured openings
     * @param before the moment from which it is too late, by the clock of the store
     */
    record Openings(List<OpeningChange> from, List<OpeningChange> changes, Instant before) implements RoomChange {
        private static final int MOST = 200;

        /** @throws IllegalArgumentException if there are too many */
        public Openings {
            Objects.requireNonNull(before, "before");
            from = List.copyOf(from);
            changes = List.copyOf(changes);
            if (changes.size() > MOST) {
                throw new IllegalArgumentException(changes.size() + " changes of openings: use at most " + MOST);
            }
        }

        /** Whether it is in time, and made from the stored changes. */
        public boolean appliesTo(List<OpeningChange> stored, Instant now) {
            return now.isBefore(before) && from.equals(stored);
        }
    }

    /** A step of a draw, by the gate that governs the room or by the operator who knows the value of the beacon. */
    record Draw(DrawStep step) implements RoomChange {
        public Draw {
            Objects.requireNonNull(step, "step");
        }
    }

    /** Begins a new epoch: every ticket and pass is void. */
    record NewEpoch() implements RoomChange {}
}
