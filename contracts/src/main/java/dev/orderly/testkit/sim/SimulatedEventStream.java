package dev.orderly.testkit.sim;

import dev.orderly.room.gate.LinePosition;
import dev.orderly.room.gate.RoomListener;
import org.jspecify.annotations.Nullable;

/** A connection of a visitor. Its hash, and so the order in which a gate visits it, is the same in each run. */
final class SimulatedEventStream implements RoomListener {
    private final Visitor visitor;
    private final Agenda agenda;
    private final int hash;
    private boolean last;

    SimulatedEventStream(Visitor visitor, Agenda agenda, int hash) {
        this.visitor = visitor;
        this.agenda = agenda;
        this.hash = hash;
    }

    @Override
    public void update(LinePosition standing) {
        told("how it stands");
        visitor.told(this, standing);
    }

    @Override
    public void turn() {
        told("its turn");
        hangUp();
    }

    @Override
    public void ended() {
        told("the end");
        hangUp();
    }

    private void told(String what) {
        if (last) {
            agenda.fail(new IllegalStateException("A listener is told " + what + " after its last call"));
        }
    }

    private void hangUp() {
        last = true;
        visitor.hungUp(this);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
