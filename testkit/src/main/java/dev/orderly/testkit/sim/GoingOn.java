package dev.orderly.testkit.sim;

import dev.orderly.room.VisitorId;
import java.util.HashMap;
import java.util.Map;

/** Visitors whose passes have ended and whom a gate that does not reach the store lets go on. Milliseconds. */
final class GoingOn {
    /** So long after a request one is taken for inside. */
    private static final long INSIDE = 5_000;

    private final Agenda agenda;
    private final long longest;
    private final Map<VisitorId, Seen> visitors = new HashMap<>();

    private record Seen(Gate gate, int run, long at) {}

    /** @param longest after so long without the store a gate lets nobody go on any more */
    GoingOn(Agenda agenda, long longest) {
        this.agenda = agenda;
        this.longest = longest;
    }

    void seen(VisitorId visitor, Gate gate) {
        visitors.put(visitor, new Seen(gate, gate.run(), agenda.now()));
    }

    /** Has a pass that counts again, or none. */
    void gone(VisitorId visitor) {
        visitors.remove(visitor);
    }

    void clear() {
        visitors.clear();
    }

    int count() {
        visitors.values().removeIf(seen -> seen.gate().reachable() || seen.run() != seen.gate().run()
                || seen.at() + INSIDE < agenda.now() || seen.gate().away() > longest);
        return visitors.size();
    }
}
