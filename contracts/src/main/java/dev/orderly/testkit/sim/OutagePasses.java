package dev.orderly.testkit.sim;

import dev.orderly.room.VisitorId;
import java.util.HashMap;
import java.util.Map;

/** Visitors with expired passes whom a gate without its store still lets through. Milliseconds. */
final class OutagePasses {
    /** The time after a request for which a visitor counts as inside. */
    private static final long INSIDE = 5_000;

    private final Agenda agenda;
    private final long longest;
    private final Map<VisitorId, LastRequest> visitors = new HashMap<>();

    private record LastRequest(Gate gate, int run, long at) {}

    /** @param longest the time without the store after which a gate lets expired passes through no more */
    OutagePasses(Agenda agenda, long longest) {
        this.agenda = agenda;
        this.longest = longest;
    }

    void seen(VisitorId visitor, Gate gate) {
        visitors.put(visitor, new LastRequest(gate, gate.run(), agenda.now()));
    }

    /** The visitor has a valid pass again, or none. */
    void gone(VisitorId visitor) {
        visitors.remove(visitor);
    }

    void clear() {
        visitors.clear();
    }

    int count() {
        visitors.values().removeIf(seen -> seen.gate().reachable() || seen.run() != seen.gate().run()
                || seen.at() + INSIDE < agenda.now() || seen.gate().outageTime() > longest);
        return visitors.size();
    }
}
