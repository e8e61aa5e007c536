package dev.orderly.room.gate;

import dev.orderly.room.RoomState;
import dev.orderly.room.Tiers;
import dev.orderly.room.forecast.PresenceTable;
import dev.orderly.room.store.GateReport;
import dev.orderly.room.token.Ticket;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The presence of visitors who wait at this gate: in the line of the current epoch, and in later ones that other gates
 * learned of before this gate. Thread-safe.
 */
final class LocalPresence {
    private final ConcurrentMap<Of, PresenceTable> byLine = new ConcurrentHashMap<>();
    private final PresenceTable lobby = new PresenceTable();
    private volatile RoomState state;

    /** @param number of the line in its epoch */
    private record Of(long epoch, int number) {}

    LocalPresence(RoomState first) {
        this.state = first;
    }

    /**
     * Takes over the current epoch and its draws, and drops the presence of earlier ones. Visitors of a lobby that has
     * ended are present at their places from then on.
     *
     * @param places the place of the number of a ticket: the drawn one, if there was a draw
     */
    void present(RoomState latest, LongUnaryOperator places, Instant now) {
        long epoch = latest.epoch();
        if (epoch > state.epoch()) {
            lobby.moveTo(_ -> new PresenceTable(), place -> place, now.toEpochMilli());
        }
        state = latest;
        byLine.keySet().removeIf(known -> known.epoch < epoch);
        if (!latest.draws().hasLobby() && !latest.draws().open()) {
            lobby.moveTo(place -> of(epoch, place), places, now.toEpochMilli());
        }
    }

    /** The table of a ticket: nobody in a lobby is present in line before the draw. */
    PresenceTable of(Ticket ticket) {
        RoomState known = state;
        boolean waits = DrawnPlaces.isUndrawn(known, ticket) || (ticket.epoch() == known.epoch() && !ticket.isDrawn()
                && known.draws().drawOf(ticket.epoch(), ticket.issued()).isPresent());
        return waits ? lobby : of(ticket.epoch(), ticket.place());
    }

    /** The places of the line of a place in an epoch. Empty and not kept for an epoch that is over. */
    PresenceTable of(long ofEpoch, long place) {
        return ofEpoch < state.epoch()
                ? new PresenceTable()
                : byLine.computeIfAbsent(new Of(ofEpoch, Tiers.line(place)), _ -> new PresenceTable());
    }

    /** Marks the visitor as present until then at least. */
    void seen(Ticket ticket, Instant until) {
        of(ticket).seen(ticket.place(), until.toEpochMilli());
    }

    /** Records the deadline until which the store counts the visitor as present. */
    void reported(Ticket ticket, Instant until) {
        of(ticket).reported(ticket.place(), until.toEpochMilli());
    }

    /** Whether the store counts the visitor as present. */
    boolean isReported(Ticket ticket, Instant now) {
        return of(ticket).isReported(ticket.place(), now.toEpochMilli());
    }

    /** The moment until which the visitor of a place is or was present; null for a visitor who is not known here. */
    @Nullable
    Instant until(long ofEpoch, long place) {
        long until = of(ofEpoch, place).until(place);
        return until == 0 ? null : Instant.ofEpochMilli(until);
    }

    /** Whether the visitor of a place was seen at this gate last, as far as it knows. */
    boolean isHere(long ofEpoch, long place) {
        return of(ofEpoch, place).isHere(place);
    }

    /** Removes a visitor who no longer waits. */
    void gone(Ticket ticket) {
        of(ticket).gone(ticket.place());
    }

    /** Present visitors with lower places of the same line, counted up to {@code most}. */
    int before(Ticket ticket, int most, Instant now) {
        return of(ticket.epoch(), ticket.place()).present(0, ticket.place() - 1, most, now.toEpochMilli()).size();
    }

    /** The lowest places of each line whose visitors are present, at most {@code most} of each. */
    List<Long> first(RoomState state, int most, Instant now) {
        return state.lines().flatMap(line -> of(state.epoch(), line.horizon())
                .present(0, line.length(), most, now.toEpochMilli()).stream()).toList();
    }

    /** The lowest places of each line whose visitors are present, also those that were issued since the last round. */
    List<Long> lowest(RoomState state, int most, Instant now) {
        return state.lines().flatMap(line -> of(state.epoch(), line.horizon())
                .present(0, Long.MAX_VALUE, most, now.toEpochMilli()).stream()).toList();
    }

    /** Presence up to the horizon that is not reported yet; counts as reported from here on. */
    List<GateReport.Presence> pending(RoomState state, Instant now) {
        return state.lines().flatMap(line -> of(state.epoch(), line.horizon())
                .pending(line.horizon(), now.toEpochMilli()).stream()).toList();
    }

    /** Marks all presence as not reported, since the store may have lost earlier reports. */
    void reportAgain() {
        byLine.values().forEach(PresenceTable::reportAgain);
    }

    void tidy(Instant now) {
        byLine.values().forEach(table -> table.tidy(now.toEpochMilli()));
        lobby.tidy(now.toEpochMilli());
    }
}
