package dev.orderly.testkit.sim;

import dev.orderly.room.store.RoomStore;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.contract.input.KeptPromises;
import java.util.function.UnaryOperator;

/** The single store of all gates, which fails and restarts. */
final class Depot {
    private final Agenda agenda;
    private final UnaryOperator<RoomStore> flaw;
    private final boolean shared;
    private MemoryStore store = new MemoryStore();
    private RoomStore rooms;
    private long awayUntil;

    /** The fate of a call. */
    enum Trouble {
        NONE,
        BEFORE,
        AFTER
    }

    Depot(Agenda agenda, UnaryOperator<RoomStore> flaw, boolean shared) {
        this.shared = shared;
        this.agenda = agenda;
        this.flaw = flaw;
        this.rooms = KeptPromises.of(flaw.apply(store.rooms()));
    }

    RoomStore rooms() {
        return rooms;
    }

    /** The store of a single gate is simulated as a store that no other process can reach. */
    boolean isShared() {
        return shared;
    }

    void away(long millis) {
        awayUntil = Math.max(awayUntil, agenda.now() + millis);
    }

    /** Crashes, and stays away long enough for every gate to notice. */
    void crash(long millis) {
        store = store.crash();
        rooms = KeptPromises.of(flaw.apply(store.rooms()));
        away(millis);
    }

    void heal() {
        awayUntil = 0;
    }

    Trouble trouble() {
        if (agenda.now() >= awayUntil) {
            return Trouble.NONE;
        }
        return agenda.chance(0.2) ? Trouble.AFTER : Trouble.BEFORE;
    }
}
