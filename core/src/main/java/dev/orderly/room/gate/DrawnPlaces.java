package dev.orderly.room.gate;

import dev.orderly.room.Draw;
import dev.orderly.room.Draw.Lobby;
import dev.orderly.room.DrawLedger;
import dev.orderly.room.RoomState;
import dev.orderly.room.draw.DrawOrder;
import dev.orderly.room.token.Ticket;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The orders of the draws of a room's epoch, which every gate computes from what the store keeps of them. Written by
 * the thread of the rounds, read by any.
 */
final class DrawnPlaces {
    /** Of each draw those of its lines. */
    private volatile Map<Instant, List<DrawOrder>> orders = Map.of();

    /** Computes the orders of new draws, before the state that tells of them is taken over. */
    void update(RoomState state) {
        if (state.draws().draws().stream().noneMatch(draw -> isOfLine(draw, state))) {
            orders = Map.of();
            return;
        }
        Map<Instant, List<DrawOrder>> known = new HashMap<>();
        for (Draw draw : state.draws().draws()) {
            if (isOfLine(draw, state)) {
                List<DrawOrder> made = orders.get(draw.opening());
                known.put(draw.opening(), made == null ? orders(draw) : made);
            }
        }
        orders = Map.copyOf(known);
    }

    private static boolean isOfLine(Draw draw, RoomState state) {
        return draw.drawn() && draw.epoch() == state.epoch();
    }

    private static List<DrawOrder> orders(Draw draw) {
        List<DrawOrder> made = new ArrayList<>();
        long first = 0;
        for (Lobby line : draw.lobby()) {
            made.add(DrawOrder.of(Objects.requireNonNull(draw.seed()), Objects.requireNonNull(draw.root()),
                    draw.value(), first, Math.toIntExact(line.count())));
            first += line.count();
        }
        return made;
    }

    /**
     * Whether the number of a ticket is no place yet, since a draw is to come. A lobby may be newer than the state: one
     * that is open there, without its first ticket, has all later tickets with a nonce.
     */
    static boolean isUndrawn(RoomState state, Ticket ticket) {
        DrawLedger draws = state.draws();
        boolean begun = draws.isInLobby(ticket.issued())
                || (draws.open() && !draws.hasLobby() && ticket.entry() != null
                        && ticket.issued() > state.lineOf(ticket.issued()).length());
        return begun && ticket.epoch() == state.epoch() && !ticket.isDrawn();
    }

    /** The place of a ticket by its number: the drawn one, if it was in a lobby that is drawn. */
    long of(RoomState state, long issued) {
        return state.draws().drawOf(state.epoch(), issued).map(draw -> place(draw, issued)).orElse(issued);
    }

    private long place(Draw draw, long issued) {
        List<DrawOrder> made = orders.get(draw.opening());
        List<Lobby> lobby = draw.lobby();
        for (int n = 0; made != null && n < lobby.size(); n++) {
            Lobby line = lobby.get(n);
            if (line.has(issued)) {
                return line.base() + 1 + made.get(n).place((int) (issued - line.base() - 1));
            }
        }
        return issued;
    }
}
