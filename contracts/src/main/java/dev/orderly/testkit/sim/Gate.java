package dev.orderly.testkit.sim;

import dev.orderly.room.Opening;
import dev.orderly.room.Openings;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomObserver;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.RoomStore;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.store.StoreException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One process in front of the room, with its own phase within the second; may be killed and restarted. */
final class Gate {
    static final RoomName ROOM = new RoomName("sim");
    private static final long ROUND = 1_000;
    /** The delay from a departure until the engine's loop handles it. */
    private static final long RING = 2;
    /** The delay of a store's answer. */
    private static final long TRIP = 40;

    final Set<Visitor> connected = new LinkedHashSet<>();
    private final int number;
    private final Agenda agenda;
    private final RoomTokens tokens;
    private RoomOptions options;
    private final GateStore wire;
    private final RoomStore store;
    private final boolean late;
    private @Nullable RoomEngine engine;
    private @Nullable Room room;
    private int run;
    private int nextCall;
    private long failedAt = -1;
    private int absent;
    private final RoomObserver absences = new RoomObserver() {
        @Override
        public void becameAbsent(RoomName room, int visitors) {
            absent += visitors;
        }
    };

    /** @param wire the observed and unreliable way to the store */
    Gate(int number, Agenda agenda, RoomTokens tokens, Scenario scenario, GateStore wire) {
        this.number = number;
        this.agenda = agenda;
        this.tokens = tokens;
        this.options = RoomOptions.of(scenario.limits()).withStay(scenario.stay()).withPoll(scenario.poll())
                .withOpenings(openings(scenario, agenda)).withTiers(scenario.tiers())
                .withOnePerUser(scenario.guests().devices() > 0);
        this.late = scenario.faults() != Scenario.Faults.NONE;
        this.wire = wire;
        UnaryOperator<RoomStore> flaw = scenario.flaws().gate();
        wire.onFailure(this::failed);
        this.store = flaw.apply(wire);
    }

    private static Openings openings(Scenario scenario, Agenda agenda) {
        Duration opens = scenario.opens();
        if (opens.isZero()) {
            return Openings.NONE;
        }
        Opening opening = new Opening(agenda.time.now().plus(opens).atZone(ZoneOffset.UTC), opens, null, null);
        return new Openings(List.of(scenario.drawn() ? opening.drawn(null) : opening), false);
    }

    /** Starts, as soon as the store answers. */
    void start() {
        int mine = ++run;
        RoomEngine starting = new RoomEngine(store, tokens, new GateId(number + "/" + run), agenda.time,
                agenda.random).observedBy(absences).withCommitsOn(commit -> agenda.in(agenda.between(1, TRIP), () -> {
                    if (run == mine) {
                        commit.run();
                    }
                }), () -> rung(mine));
        try {
            room = starting.declare(ROOM, options, RoomSignals.none());
            engine = starting;
            failedAt = -1;
            agenda.in(agenda.between(0, ROUND), () -> round(mine));
        } catch (StoreException e) {
            agenda.in(ROUND, () -> {
                if (run == mine) {
                    start();
                }
            });
        }
    }

    /** Reads a changed configuration. */
    void change(UnaryOperator<RoomOptions> to) {
        options = to.apply(options);
        if (room != null) {
            room.change(options);
        }
    }

    /** Crashes: loses all state, and answers no pending request. */
    void kill() {
        run++;
        wire.died(this);
        engine = null;
        room = null;
        List<Visitor> cut = List.copyOf(connected);
        connected.clear();
        cut.forEach(Visitor::cutOff);
    }

    private void round(int mine) {
        RoomEngine stepping = engine;
        if (run != mine || stepping == null) {
            return;
        }
        long failed = failedAt;
        failedAt = -1;
        stepping.step();
        callUpIn(mine, RING);
        if (failedAt >= 0 && failed >= 0) {
            failedAt = failed;
        }
        agenda.in(ROUND + (late && agenda.chance(0.1) ? agenda.between(0, 700) : agenda.between(0, 20)),
                () -> round(mine));
    }

    /** Sets whether the gate is cut off from the store; visitors reach it all the same. */
    void cutOff(boolean value) {
        wire.cutOff(value);
    }

    private void rung(int mine) {
        callUpIn(mine, RING);
    }

    /** As the engine's loop does; only one call runs at a time. */
    private void callUpIn(int mine, long millis) {
        int number = ++nextCall;
        agenda.in(millis, () -> {
            RoomEngine calling = engine;
            if (run == mine && number == nextCall && calling != null) {
                callUpIn(mine, calling.callUp().toMillis() + 1);
            }
        });
    }

    private void failed() {
        failedAt = failedAt < 0 ? agenda.now() : failedAt;
    }

    /** Null while the gate is dead. */
    @Nullable
    Room room() {
        return room;
    }

    @Nullable
    RoomEngine engine() {
        return engine;
    }

    /** Visitors whom this gate counted as absent. */
    int absent() {
        return absent;
    }

    /** The number of restarts. */
    int run() {
        return run;
    }

    /** Whether the gate lives, and its last call to the store was answered. */
    boolean reachable() {
        return room != null && failedAt < 0;
    }

    /** The time since the store's last answer. */
    long outageTime() {
        return failedAt < 0 ? 0 : agenda.now() - failedAt;
    }

    @Override
    public String toString() {
        return "gate " + number + "/" + run;
    }
}
