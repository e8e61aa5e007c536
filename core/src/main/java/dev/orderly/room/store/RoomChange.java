package dev.orderly.room.store;

import dev.orderly.room.Limits;
import dev.orderly.room.RoomMode;
import dev.orderly.text.StoredText;
import org.jspecify.annotations.Nullable;

/** What an operator does to a room. */
public sealed interface RoomChange {
    record Mode(RoomMode mode) implements RoomChange {}

    /**
     * What the waiting page says.
     *
     * @param text plain, at most 500 characters; null for nothing
     */
    record Message(@Nullable String text) implements RoomChange {
        private static final int MOST = 500;

        /** @throws IllegalArgumentException if it is longer, or not whole after {@link StoredText} */
        public Message {
            if (text != null && text.length() > MOST) {
                throw new IllegalArgumentException("The message has " + text.length() + " characters: use at most "
                        + MOST);
            }
            if (text != null) {
                StoredText.check("The message", text);
            }
        }
    }

    /**
     * Lets in the next present visitors, beyond the rate and in mode {@link RoomMode#HOLD} too, but never beyond the
     * capacity.
     *
     * @param visitors 1 to 1,000,000, beside those still to be admitted from before
     */
    record Admit(int visitors) implements RoomChange {
        private static final int MOST = 1_000_000;

        /** @throws IllegalArgumentException if it is out of its bounds */
        public Admit {
            if (visitors < 1 || visitors > MOST) {
                throw new IllegalArgumentException("Admitting " + visitors + " visitors: use 1 to " + MOST);
            }
        }
    }

    /**
     * Limits that count instead of the configured ones, until they are taken back.
     *
     * @param limits null to go back to the configured ones
     */
    record Settings(@Nullable Limits limits) implements RoomChange {}

    /** Begins a new line: every ticket and pass is void. */
    record NewEpoch() implements RoomChange {}
}
