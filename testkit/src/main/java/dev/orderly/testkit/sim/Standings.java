package dev.orderly.testkit.sim;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Who waits and is present, as design and page define it: by what visitors did and were told. Milliseconds. */
final class Standings {
    private final Agenda agenda;
    private final TreeMap<Long, Here> places = new TreeMap<>();

    /** At one run of one gate; there for good while {@code connections} is above 0. */
    private static final class Here {
        Gate gate;
        int run;
        long from;
        long until;
        int connections;

        Here(Gate gate) {
            this.gate = gate;
            this.run = gate.run();
        }
    }

    Standings(Agenda agenda) {
        this.agenda = agenda;
    }

    /** Asked a gate just now, and was told to ask again so soon that it counts until then. */
    void asked(long place, long until, Gate gate) {
        at(place, gate).until = until;
    }

    /** Counts from {@code from} on: a gate has to tell the store first. */
    void connected(long place, long from, Gate gate) {
        Here here = at(place, gate);
        here.connections++;
        here.from = from;
    }

    void disconnected(long place, Gate gate) {
        Here here = places.get(place);
        if (here != null && here.gate == gate && here.run == gate.run()) {
            here.connections = Math.max(0, here.connections - 1);
        }
    }

    void gone(long place) {
        places.remove(place);
    }

    void clear() {
        places.clear();
    }

    /** Present visitors with lower places, counted until there are more than {@code most}; of one gate if it is named. */
    long before(long place, long most, @Nullable Gate at) {
        long count = 0;
        for (Iterator<Here> each = places.headMap(place, false).values().iterator(); each.hasNext() && count <= most;) {
            Here here = each.next();
            if (isOver(here)) {
                each.remove();
            } else if (counts(here, at)) {
                count++;
            }
        }
        return count;
    }

    boolean anybody() {
        for (Iterator<Here> each = places.values().iterator(); each.hasNext();) {
            Here here = each.next();
            if (!isOver(here)) {
                return true;
            }
            each.remove();
        }
        return false;
    }

    String describe(long place, @Nullable Gate at) {
        List<String> named = new ArrayList<>();
        places.headMap(place, false).forEach((number, here) -> {
            if (!isOver(here) && counts(here, at) && named.size() < 10) {
                named.add(number + " at " + here.gate + (here.connections > 0
                        ? " connected since " + here.from
                        : " until " + here.until));
            }
        });
        return String.join(", ", named);
    }

    private Here at(long place, Gate gate) {
        return places.compute(place, (_, here) -> here == null || here.gate != gate || here.run != gate.run()
                ? new Here(gate)
                : here);
    }

    private boolean isOver(Here here) {
        return here.run != here.gate.run() || (here.connections == 0 && here.until <= agenda.now());
    }

    private boolean counts(Here here, @Nullable Gate at) {
        boolean now = here.until > agenda.now() || (here.connections > 0 && here.from <= agenda.now());
        return now && (at == null ? here.gate.reachable() : here.gate == at);
    }
}
