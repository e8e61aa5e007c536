package dev.orderly.testkit.sim;

import dev.orderly.room.RoomStore;
import dev.orderly.testkit.MemoryStore;
import java.util.function.UnaryOperator;

/** The one store of all gates, which goes away and dies. */
final class Depot {
    private final Agenda agenda;
    private final UnaryOperator<RoomStore> flaw;
    private MemoryStore store = new MemoryStore();
    private RoomStore rooms;
    private long awayUntil;

    /** What becomes of a call. */
    enum Trouble {
        NONE,
        BEFORE,
        AFTER
    }

    Depot(Agenda agenda, UnaryOperator<RoomStore> flaw) {
        this.agenda = agenda;
        this.flaw = flaw;
        this.rooms = flaw.apply(store.rooms());
    }

    RoomStore rooms() {
        return rooms;
    }

    void away(long millis) {
        awayUntil = Math.max(awayUntil, agenda.now() + millis);
    }

    /** Dies, and is away long enough for every gate to notice. */
    void crash(long millis) {
        store = store.crash();
        rooms = flaw.apply(store.rooms());
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
