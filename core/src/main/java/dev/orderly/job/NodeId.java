package dev.orderly.job;

import dev.orderly.text.StoredText;

/** The name of one Orderly process among those that share a store; unique per run of the process. */
public record NodeId(String value) {
    /** @throws IllegalArgumentException unless the value has 1 to 100 characters and satisfies {@link StoredText} */
    public NodeId {
        if (value.isEmpty() || value.length() > 100) {
            throw new IllegalArgumentException("A node id has 1 to 100 characters, not " + value.length());
        }
        StoredText.check("The node id", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
