package dev.orderly.testkit.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.flow.OriginTraffic;
import dev.orderly.room.SlowdownReason;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.govern.SignalHealth;
import dev.orderly.room.store.GateId;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.room.RoomTest;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Signals that slow a room, and that fail or do not answer. */
class SignalResilienceTest extends RoomTest {
    private final AtomicBoolean down = new AtomicBoolean();

    private RoomSignals halved() {
        return new RoomSignals(new OriginTraffic(), () -> {
            if (down.get()) {
                throw new StoreException.Unavailable("The store of jobs is away", null);
            }
            return 0.5;
        });
    }

    @Test
    void aBacklogThatFailsKeepsItsLastValueForAMinuteAndThenIsIgnored() {
        Gate gate = gate("a", room(10), halved());
        pass(2, gate);
        down.set(true);
        pass(50, gate);
        assertThat(gate.room().state().limits().capacity()).isEqualTo(5);
        assertThat(gate.room().state().slowed()).isEqualTo(SlowdownReason.BACKLOG);
        assertThat(gate.room().backlogSignal()).isEqualTo(SignalHealth.HELD);
        pass(15, gate);
        assertThat(gate.room().state().limits().capacity()).isEqualTo(10);
        assertThat(gate.room().state().slowed()).isEqualTo(SlowdownReason.NO);
        assertThat(gate.room().backlogSignal()).isEqualTo(SignalHealth.LOST);
        down.set(false);
        pass(2, gate);
        assertThat(gate.room().state().limits().capacity()).isEqualTo(5);
        assertThat(gate.room().backlogSignal()).isEqualTo(SignalHealth.FRESH);
    }

    @Test
    void visitorsEnterWhileTheBacklogFails() {
        down.set(true);
        Gate gate = gate("a", room(2), halved());
        pass(2, gate);
        admitted(gate.arrive());
        down.set(false);
        pass(2, gate);
        down.set(true);
        pass(100, gate);
        admitted(gate.arrive());
        admitted(gate.arrive());
    }

    @Test
    void aRoomDoesNotWaitForABacklogThatHangs() {
        Queue<Runnable> asked = new ArrayDeque<>();
        RoomEngine engine = new RoomEngine(store.rooms(), tokens, new GateId("a"), time, new Random(1))
                .withCommitsOn(asked::add, () -> {});
        Room room = engine.declare(NAME, room(10), halved());
        Gate gate = new Gate(engine, room);
        pass(62, gate);
        assertThat(asked).as("one call at a time").hasSize(1);
        assertThat(room.backlogSignal()).isEqualTo(SignalHealth.LOST);
        assertThat(room.state().limits().capacity()).isEqualTo(10);
        assertThat(room.state().at()).isEqualTo(time.now());
    }
}
