package dev.orderly.room;

import java.util.HashMap;
import java.util.Map;

/** The gates that were heard of lately, and up to where each has told who is present. Not thread-safe. */
final class Gates {
    /** A gate counts until this many governor steps have passed without a word from it. */
    private static final int ROUNDS = 10;

    private final Map<GateId, Gate> all = new HashMap<>();
    private long rounds;

    private record Gate(long covered, long round) {}

    int count() {
        return all.size();
    }

    void heard(GateId gate, long covered) {
        all.put(gate, new Gate(covered, rounds));
    }

    /** A step of the governor: who was silent for too many holds nobody up any more. */
    void round() {
        rounds++;
        all.values().removeIf(gate -> rounds - gate.round() > ROUNDS);
    }

    /** Up to where all of them have told who is present; 0 as long as there is none. */
    long covered() {
        return all.values().stream().mapToLong(Gate::covered).min().orElse(0);
    }

    /** What they told is about a line that is no more. */
    void forget() {
        all.replaceAll((_, gate) -> new Gate(0, gate.round()));
    }
}
