package dev.orderly.room.gate;

import dev.orderly.room.Draw;
import dev.orderly.room.RoomState;
import dev.orderly.room.draw.DrawOrder;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The orders of the draws of a room's epoch, which every gate computes from what the store keeps of them. Written by
 * the thread of the rounds, read by any.
 */
final class DrawnPlaces {
    private volatile Map<Instant, DrawOrder> orders = Map.of();

    /** Computes the orders of new draws, before the state that tells of them is taken over. */
    void update(RoomState state) {
        if (state.draws().draws().stream().noneMatch(draw -> isOfLine(draw, state))) {
            orders = Map.of();
            return;
        }
        Map<Instant, DrawOrder> known = new HashMap<>();
        for (Draw draw : state.draws().draws()) {
            if (isOfLine(draw, state)) {
                DrawOrder order = orders.get(draw.opening());
                known.put(draw.opening(), order == null ? order(draw) : order);
            }
        }
        orders = Map.copyOf(known);
    }

    private static boolean isOfLine(Draw draw, RoomState state) {
        return draw.drawn() && draw.epoch() == state.epoch();
    }

    private static DrawOrder order(Draw draw) {
        return DrawOrder.of(Objects.requireNonNull(draw.seed()), Objects.requireNonNull(draw.root()), draw.value(),
                Math.toIntExact(draw.count()));
    }

    /** The place of a ticket by its number: the drawn one, if it was in a lobby that is drawn. */
    long of(RoomState state, long issued) {
        return state.draws().drawOf(state.epoch(), issued).map(draw -> {
            DrawOrder order = orders.get(draw.opening());
            return order == null ? issued : draw.base() + 1 + order.place((int) (issued - draw.base() - 1));
        }).orElse(issued);
    }
}
