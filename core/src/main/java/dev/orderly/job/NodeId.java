package dev.orderly.job;

/** The name of one Orderly process among those that share a store; unique per run of the process. */
public record NodeId(String value) {
    /** @throws IllegalArgumentException unless 1 to 100 characters long */
    public NodeId {
        if (value.isEmpty() || value.length() > 100) {
            throw new IllegalArgumentException("A node id has 1 to 100 characters, not " + value.length());
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
