package dev.orderly.room.store;

import dev.orderly.text.StoredText;

/**
 * One process that stands in front of rooms.
 *
 * @param value 1 to 100 characters; unique among the processes that share a store, and per run
 */
public record GateId(String value) {
    /** @throws IllegalArgumentException if it is empty or too long, or is not whole after {@link StoredText} */
    public GateId {
        if (value.isBlank() || value.length() > 100) {
            throw new IllegalArgumentException("A gate id has 1 to 100 characters, not " + value.length());
        }
        StoredText.check("The gate id", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
