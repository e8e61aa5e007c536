package dev.orderly.testkit.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.AddressLimits;
import dev.orderly.room.Limits;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomObserver;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.gate.LinePosition;
import dev.orderly.room.gate.Reply;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.RoomListener;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.gate.Visit;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.RoomStore;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.testkit.FaultyStore;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The fixture of tests of rooms: one memory store that may fail, manual clocks, and calls that are answered at once.
 */
public abstract class RoomTest {
    protected static final RoomName NAME = new RoomName("sale");
    private static final byte[] SECRET = "a secret of tests, 32 bytes and more".getBytes(StandardCharsets.US_ASCII);

    protected final ManualTime time = new ManualTime();
    protected final FaultyStore store = new FaultyStore(new MemoryStore());
    protected final RoomTokens tokens = new RoomTokens(TokenKeys.of(List.of(SECRET)));
    final CountedRooms rooms = new CountedRooms(store.rooms(), false);

    /** A gate, and the room at it. */
    public record Gate(RoomEngine engine, Room room) {
        public Visit arrive(ShownTokens shown) {
            return arrive(shown, "198.51.100.1");
        }

        public Visit arrive(ShownTokens shown, String address) {
            return answer(room.visits().arrive(shown, () -> address, true));
        }

        public Visit arrive() {
            return arrive(ShownTokens.NONE);
        }
    }

    protected final Gate gate(String name, RoomOptions options, RoomSignals signals) {
        return gate(name, rooms, options, signals);
    }

    /** A gate that reaches the store through this wrapper. */
    protected final Gate gate(String name, RoomStore reached, RoomOptions options, RoomSignals signals) {
        RoomEngine engine = new RoomEngine(reached, tokens, new GateId(name), time, new Random(name.hashCode()))
                .withCommitsOn(Runnable::run, () -> {});
        Gate gate = new Gate(engine, engine.declare(NAME, options, signals));
        engine.step();
        return gate;
    }

    /** A gate whose visitors are observed. */
    protected final Gate gate(RoomOptions options, RoomObserver observer) {
        RoomEngine engine = new RoomEngine(rooms, tokens, new GateId("observed"), time, new Random(7))
                .observedBy(observer).withCommitsOn(Runnable::run, () -> {});
        Gate gate = new Gate(engine, engine.declare(NAME, options, RoomSignals.none()));
        engine.step();
        return gate;
    }

    protected final Gate gate(RoomOptions options) {
        return gate("a", options, RoomSignals.none());
    }

    /** Options of a room with this capacity and no other bounds. */
    protected static RoomOptions room(int capacity) {
        return RoomOptions.of(new Limits(capacity, null)).withAddresses(AddressLimits.NONE);
    }

    /** Advances the time by seconds, with a round of each gate after each. */
    protected final void pass(int seconds, Gate... gates) {
        for (int second = 0; second < seconds; second++) {
            time.advance(Duration.ofSeconds(1));
            for (Gate gate : gates) {
                gate.engine().step();
            }
        }
    }

    protected static Visit answer(Reply<Visit> visit) {
        return visit.stage().toCompletableFuture().join();
    }

    protected static Visit.Admitted admitted(Visit visit) {
        assertThat(visit).isInstanceOf(Visit.Admitted.class);
        return (Visit.Admitted) visit;
    }

    protected static Visit.Waiting waiting(Visit visit) {
        assertThat(visit).isInstanceOf(Visit.Waiting.class);
        return (Visit.Waiting) visit;
    }

    protected static ShownTokens pass(Visit visit) {
        return new ShownTokens(List.of(), List.of(String.valueOf(admitted(visit).token())));
    }

    protected static ShownTokens ticket(Visit visit) {
        return new ShownTokens(List.of(String.valueOf(waiting(visit).token())), List.of());
    }

    /** A listener that records its calls. */
    static final class RecordingListener implements RoomListener {
        final List<LinePosition> positions = new ArrayList<>();
        boolean turn;
        boolean ended;

        @Override
        public void update(LinePosition position) {
            positions.add(position);
        }

        @Override
        public void turn() {
            turn = true;
        }

        @Override
        public void ended() {
            ended = true;
        }
    }
}
