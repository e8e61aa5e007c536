package dev.orderly.room.gate;

import dev.orderly.room.RoomState;
import dev.orderly.room.forecast.PresenceTable;
import dev.orderly.room.store.GateReport;
import dev.orderly.room.token.Ticket;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The visitors who wait at this gate: in the line of the present epoch, and in later ones, of which other gates were told
 * before this one. Thread-safe.
 */
final class LocalPresence {
    private final ConcurrentMap<Long, PresenceTable> byEpoch = new ConcurrentHashMap<>();
    private volatile long epoch;

    LocalPresence(long epoch) {
        this.epoch = epoch;
    }

    /** The present line is of this epoch; nothing is kept of earlier ones. */
    void present(long now) {
        epoch = now;
        byEpoch.keySet().removeIf(each -> each < now);
    }

    /** The places of one line. Empty, and not kept, for a line that is over. */
    PresenceTable of(long line) {
        return line < epoch ? new PresenceTable() : byEpoch.computeIfAbsent(line, _ -> new PresenceTable());
    }

    /** The visitor counts as present until then at least. */
    void seen(Ticket ticket, Instant until) {
        of(ticket.epoch()).seen(ticket.place(), until.toEpochMilli());
    }

    /** The store takes the visitor for present until then. */
    void reported(Ticket ticket, Instant until) {
        of(ticket.epoch()).reported(ticket.place(), until.toEpochMilli());
    }

    /** Whether the store takes the visitor for present. */
    boolean isReported(Ticket ticket, Instant now) {
        return of(ticket.epoch()).isReported(ticket.place(), now.toEpochMilli());
    }

    /** The visitor waits no longer. */
    void gone(Ticket ticket) {
        of(ticket.epoch()).gone(ticket.place());
    }

    /** Present visitors with lower places, counted up to {@code most}. */
    int before(Ticket ticket, int most, Instant now) {
        return of(ticket.epoch()).present(0, ticket.place() - 1, most, now.toEpochMilli()).size();
    }

    /** The lowest places of a line whose visitors are present, at most so many. */
    List<Long> first(RoomState state, int most, Instant now) {
        return of(state.epoch()).present(0, state.line().length(), most, now.toEpochMilli());
    }

    /** What the store has to hear of visitors up to the horizon; counts as reported from here on. */
    List<GateReport.Presence> pending(RoomState state, Instant now) {
        return of(state.epoch()).pending(state.line().horizon(), now.toEpochMilli());
    }

    /** The store may have forgotten all reports. */
    void reportAgain() {
        byEpoch.values().forEach(PresenceTable::reportAgain);
    }

    void tidy(Instant now) {
        byEpoch.values().forEach(each -> each.tidy(now.toEpochMilli()));
    }
}
