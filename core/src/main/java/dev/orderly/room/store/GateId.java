package dev.orderly.room.store;

import dev.orderly.text.StoredText;

/**
 * The id of a gate: one process that guards rooms.
 *
 * @param value 1 to 100 characters; unique among the processes that share a store, and per run
 */
public record GateId(String value) {
    /** @throws IllegalArgumentException if the value is blank or too long, or breaks the rule of {@link StoredText} */
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
