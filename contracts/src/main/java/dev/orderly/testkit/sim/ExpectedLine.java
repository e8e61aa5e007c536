package dev.orderly.testkit.sim;

import dev.orderly.room.Tiers;
import dev.orderly.room.token.Ticket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The visitors of one epoch who wait and are present, as the promises define presence: by their requests and the
 * answers. Tickets of other epochs change nothing. Milliseconds.
 */
final class ExpectedLine {
    private final Agenda agenda;
    private static final int CHUNK = 10;

    /** Where the visitor of a place is present. */
    private final TreeMap<Long, List<Here>> places = new TreeMap<>();
    /** The number of those places in each thousand of each line: enough to see that nobody can have been overtaken. */
    private final Map<Integer, int[]> counts = new HashMap<>();
    private long epoch = 1;

    /** Presence at one run of one gate; without an end while {@code connections} is above 0. */
    private static final class Here {
        final Gate gate;
        final int run;
        long from;
        long until;
        int connections;
        boolean asks;

        Here(Gate gate) {
            this.gate = gate;
            this.run = gate.run();
        }
    }

    ExpectedLine(Agenda agenda) {
        this.agenda = agenda;
    }

    /** A visitor who is present asks: the visitor stays present until the answer, however long it takes. */
    void asks(Ticket ticket, Gate gate) {
        if (known(ticket).stream().anyMatch(here -> !isOver(here))) {
            at(ticket.place(), gate).asks = true;
        }
    }

    /** The visitor does not wait for any answer. */
    void stopsAsking(Ticket ticket) {
        known(ticket).forEach(here -> here.asks = false);
    }

    /** A poll was answered, and the visitor is present until the next poll is due. */
    void asked(Ticket ticket, long until, Gate gate) {
        if (ticket.epoch() == epoch) {
            Here here = at(ticket.place(), gate);
            here.until = until;
            here.asks = false;
        }
    }

    /** Counts from {@code from} on, since the gate has to tell the store first. */
    void connected(Ticket ticket, long from, Gate gate) {
        if (ticket.epoch() == epoch) {
            Here here = at(ticket.place(), gate);
            here.connections++;
            here.from = from;
        }
    }

    void disconnected(Ticket ticket, Gate gate) {
        known(ticket).stream().filter(here -> here.gate == gate && here.run == gate.run())
                .forEach(here -> here.connections = Math.max(0, here.connections - 1));
    }

    void gone(long place) {
        if (places.remove(place) != null) {
            count(place, -1);
        }
    }

    private void count(long place, int more) {
        counts(place)[chunk(place)] += more;
    }

    private static int chunk(long place) {
        return (int) (Tiers.number(place) >>> CHUNK);
    }

    /** Those of the line of a place, up to it at least. */
    private int[] counts(long place) {
        return Objects.requireNonNull(counts.compute(Tiers.line(place), (_, known) -> known == null
                ? new int[Math.max(64, chunk(place) * 2)]
                : chunk(place) < known.length ? known : Arrays.copyOf(known, chunk(place) * 2)));
    }

    /** The number of recorded visitors with lower places in the line; up to a thousand too many. */
    private long noted(long place) {
        int[] known = counts(place);
        long noted = 0;
        for (int chunk = chunk(place); chunk >= 0; chunk--) {
            noted += known[chunk];
        }
        return noted;
    }

    void beginEpoch(long number) {
        epoch = number;
        places.clear();
        counts.clear();
    }

    /**
     * The number of present visitors with lower places in the line, of a single gate if it is given. Counted up to
     * {@code most} plus one, and not at all if there cannot be more than {@code most}.
     */
    long before(long place, long most, @Nullable Gate at) {
        if (noted(place) <= most) {
            return 0; // a lower bound is enough
        }
        long count = 0;
        for (Iterator<Map.Entry<Long, List<Here>>> each = lower(place).entrySet().iterator(); each
                .hasNext() && count <= most;) {
            Map.Entry<Long, List<Here>> known = each.next();
            known.getValue().removeIf(this::isOver);
            if (known.getValue().isEmpty()) {
                each.remove();
                count(known.getKey(), -1);
            } else if (known.getValue().stream().anyMatch(here -> counts(here, at))) {
                count++;
            }
        }
        return count;
    }

    String describe(long place, @Nullable Gate at) {
        List<String> named = new ArrayList<>();
        lower(place).forEach((number, known) -> {
            known.stream().filter(here -> !isOver(here) && counts(here, at) && named.size() < 10)
                    .forEach(here -> named.add(number + " at " + here.gate
                            + (here.connections > 0 ? " connected since " + here.from : " until " + here.until)
                            + (here.asks ? ", asks" : "")));
        });
        return String.join(", ", named);
    }

    private NavigableMap<Long, List<Here>> lower(long place) {
        return places.subMap(Tiers.start(Tiers.line(place)), false, place, false);
    }

    private List<Here> known(Ticket ticket) {
        return ticket.epoch() == epoch ? places.getOrDefault(ticket.place(), List.of()) : List.of();
    }

    private Here at(long place, Gate gate) {
        List<Here> known = places.get(place);
        if (known == null) {
            known = new ArrayList<>();
            places.put(place, known);
            count(place, 1);
        }
        for (Here here : known) {
            if (here.gate == gate && here.run == gate.run()) {
                return here;
            }
        }
        Here fresh = new Here(gate);
        known.add(fresh);
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
