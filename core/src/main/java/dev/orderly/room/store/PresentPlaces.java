package dev.orderly.room.store;

import dev.orderly.room.store.GateReport.Presence;
import java.util.List;

/**
 * The lowest places whose visitors are present at any gate.
 *
 * @param epoch the epoch of the places
 * @param upTo no other visitor with a place up to this one is known as present
 * @param presences in the order of places, each with the end of the presence
 */
public record PresentPlaces(long epoch, long upTo, List<Presence> presences) {
    public PresentPlaces {
        presences = List.copyOf(presences);
    }

    /**
     * The answer of a store.
     *
     * @param horizon gates report visitors with places up to this one
     * @param most the bound of the answer: places behind the last one are not known if it is reached
     */
    public static PresentPlaces of(long epoch, long horizon, List<Presence> presences, int most) {
        return new PresentPlaces(epoch,
                presences.isEmpty() || presences.size() < most ? horizon : presences.getLast().place(), presences);
    }
}
