package dev.orderly.room.gate;

import dev.orderly.room.Draw;
import dev.orderly.room.DrawLedger;
import dev.orderly.room.Opening;
import dev.orderly.room.OpeningStatus;
import dev.orderly.room.OpeningStatus.Phase;
import dev.orderly.room.RoomState;
import dev.orderly.room.RoomState.TierLine;
import dev.orderly.room.draw.LobbyTree;
import dev.orderly.room.store.DrawStep;
import dev.orderly.room.store.RoomChange;
import dev.orderly.room.store.RoomStore;
import dev.orderly.time.Time;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The steps of the draws of a room, which the gate that governs it makes as they fall due. Each step follows from the
 * stored state alone, so that another gate goes on where one has died, and makes the same step again. Called by the
 * thread of the rounds.
 */
final class DrawSteps {
    /** A draw has six steps at most, and one may drop another draw before. */
    private static final int MOST = 8;

    private final RoomStore store;
    private final RoomCache cache;
    private final Time time;
    private final RandomGenerator random;

    DrawSteps(GateContext context, RoomCache cache) {
        this.store = context.store();
        this.time = context.time();
        this.random = context.random();
        this.cache = cache;
    }

    /** Makes all steps that are due. */
    void proceed(boolean governs) {
        for (int n = 0; governs && n < MOST; n++) {
            DrawLedger before = cache.state().draws();
            DrawStep due = due(cache.state(), time.now());
            if (due == null) {
                return;
            }
            cache.update(store.change(cache.name(), new RoomChange.Draw(due), time.now()));
            if (cache.state().draws().equals(before)) {
                return;
            }
        }
    }

    private @Nullable DrawStep due(RoomState state, Instant now) {
        Draw pending = state.draws().pending().orElse(null);
        if (pending != null && !cache.options().openings().isToCome(pending.opening(), state.openings(), now)) {
            return new DrawStep.Drop(pending.opening());
        }
        OpeningStatus status = cache.opening(now);
        Instant name = status == null ? null : status.announced();
        Opening opening = status == null ? null : status.opening();
        if (status == null || name == null || opening == null || !opening.draw()) {
            return null;
        }
        Draw draw = state.draws().of(name).orElse(null);
        if (draw == null) {
            return pending == null ? new DrawStep.Commit(name, opening.beacon(), seed(), hasTiers(state)) : null;
        }
        if (hasTiers(state) && draw.equals(pending) && state.draws().canHaveTiers()) {
            return new DrawStep.Commit(name, opening.beacon(), seed(), true);
        }
        return draw.drawn() || status.phase() != Phase.DRAWING ? null : afterTheLobby(draw, state);
    }

    private boolean hasTiers(RoomState state) {
        return !cache.options().tiers().isEmpty() || !state.tiers().isEmpty();
    }

    private @Nullable DrawStep afterTheLobby(Draw draw, RoomState state) {
        DrawLedger draws = state.draws();
        if (draws.open()) {
            return new DrawStep.Close(draw.opening());
        }
        if (!draw.isClosed()) {
            List<String> tiers = state.tiers().stream().map(TierLine::name).toList();
            LobbyTree tree = DrawReceipts.read(store, cache.name(), draws.lobby(tiers), time);
            return new DrawStep.Root(draw.opening(), tree.count(), tree.root(), tiers);
        }
        return draw.awaitsValue() ? null : new DrawStep.Reveal(draw.opening());
    }

    private String seed() {
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
