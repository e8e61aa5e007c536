package dev.orderly.testkit.sim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The visitors who wait and are present, as the promises define presence: by their requests and the answers.
 * Milliseconds.
 */
final class ExpectedLine {
    private final Agenda agenda;
    private static final int CHUNK = 10;

    private final TreeMap<Long, Here> places = new TreeMap<>();
    /** The number of those places in each thousand: enough to see that nobody can have been overtaken. */
    private int[] counts = new int[64];

    /** Presence at one run of one gate; without an end while {@code connections} is above 0. */
    private static final class Here {
        final long place;
        Gate gate;
        int run;
        long from;
        long until;
        int connections;
        boolean asks;

        Here(long place, Gate gate) {
            this.place = place;
            this.gate = gate;
            this.run = gate.run();
        }
    }

    ExpectedLine(Agenda agenda) {
        this.agenda = agenda;
    }

    /** A visitor who is present asks: the visitor stays present until the answer, however long it takes. */
    void asks(long place, Gate gate) {
        Here here = places.get(place);
        if (here != null && !isOver(here)) {
            at(place, gate).asks = true;
        }
    }

    /** The visitor does not wait for the answer. */
    void stopsAsking(long place) {
        Here here = places.get(place);
        if (here != null) {
            here.asks = false;
        }
    }

    /** A poll was answered, and the visitor is present until the next poll is due. */
    void asked(long place, long until, Gate gate) {
        Here here = at(place, gate);
        here.until = until;
        here.asks = false;
    }

    /** Counts from {@code from} on, since the gate has to tell the store first. */
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
        if (places.remove(place) != null) {
            count(place, -1);
        }
    }

    private void count(long place, int more) {
        int chunk = chunk(place);
        counts[chunk] += more;
    }

    private int chunk(long place) {
        int chunk = (int) (place >>> CHUNK);
        if (chunk >= counts.length) {
            counts = Arrays.copyOf(counts, chunk * 2);
        }
        return chunk;
    }

    /** The number of recorded visitors with lower places; up to a thousand too many. */
    private long noted(long place) {
        long noted = 0;
        for (int chunk = chunk(place); chunk >= 0; chunk--) {
            noted += counts[chunk];
        }
        return noted;
    }

    void clear() {
        places.clear();
        Arrays.fill(counts, 0);
    }

    /**
     * The number of present visitors with lower places, of a single gate if it is given. Counted up to {@code most}
     * plus one, and not at all if there cannot be more than {@code most}.
     */
    long before(long place, long most, @Nullable Gate at) {
        if (noted(place) <= most) {
            return 0; // a lower bound is enough
        }
        long count = 0;
        for (Iterator<Here> each = places.headMap(place, false).values().iterator(); each.hasNext() && count <= most;) {
            Here here = each.next();
            if (isOver(here)) {
                each.remove();
                count(here.place, -1);
            } else if (counts(here, at)) {
                count++;
            }
        }
        return count;
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
        Here here = places.get(place);
        if (here != null && here.gate == gate && here.run == gate.run()) {
            return here;
        }
        Here fresh = new Here(place, gate);
        if (places.put(place, fresh) == null) {
            count(place, 1);
        }
        return fresh;
    }

    private boolean isOver(Here here) {
        return here.run != here.gate.run()
                || (here.connections == 0 && !here.asks && here.until <= agenda.now());
    }

    private boolean counts(Here here, @Nullable Gate at) {
        boolean now = here.asks || here.until > agenda.now() || (here.connections > 0 && here.from <= agenda.now());
        return now && (at == null ? here.gate.reachable() : here.gate == at);
    }
}
