package dev.orderly.testkit.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Limits;
import dev.orderly.room.RoomMode;
import dev.orderly.room.TokenLifetimes;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.gate.Visit;
import dev.orderly.room.store.RoomChange;
import dev.orderly.testkit.FaultyStore;
import dev.orderly.testkit.FaultyStore.Call;
import dev.orderly.testkit.FaultyStore.Fault;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.room.RoomTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A gate that is cut off from a store that other gates reach. */
class CutOffGateResilienceTest extends RoomTest {
    private static final int CAPACITY = 10;
    private static final int FOR_EVER = 100_000;

    private final MemoryStore shared = new MemoryStore();
    private final FaultyStore wayOfA = new FaultyStore(shared);
    private final FaultyStore wayOfB = new FaultyStore(shared);

    private Gate gate(String name, FaultyStore way) {
        return gate(name, way.rooms(), room(CAPACITY), RoomSignals.none());
    }

    private static void cutOff(FaultyStore way) {
        for (Call call : List.of(Call.ROOM_JOIN, Call.ROOM_ADMIT, Call.ROOM_RENEW, Call.ROOM_DEPART, Call.ROOM_SYNC,
                Call.ROOM_GOVERN)) {
            way.failNext(call, Fault.BEFORE, FOR_EVER);
        }
    }

    /** Visitors at one gate who make a request every two seconds. */
    private static final class Group {
        private final Gate gate;
        private final List<ShownTokens> shown = new ArrayList<>();
        private final Map<Integer, Boolean> inside = new HashMap<>();

        Group(Gate gate, int size) {
            this.gate = gate;
            for (int i = 0; i < size; i++) {
                shown.add(ShownTokens.NONE);
            }
        }

        void ask(int second) {
            for (int i = second % 2; i < shown.size(); i += 2) {
                Visit visit = gate.arrive(shown.get(i));
                inside.put(i, visit instanceof Visit.Admitted);
                if (visit instanceof Visit.Admitted(_, String token, String ticket) && token != null) {
                    shown.set(i, new ShownTokens(ticket == null ? shown.get(i).tickets() : List.of(ticket),
                            List.of(token)));
                } else if (visit instanceof Visit.Waiting(_, String token, _) && token != null) {
                    shown.set(i, new ShownTokens(List.of(token), shown.get(i).passes()));
                }
            }
        }

        int inside() {
            return (int) inside.values().stream().filter(Boolean::booleanValue).count();
        }
    }

    @Test
    void theCapacityHoldsHoweverLongOneOfTwoGatesIsCutOff() {
        Gate a = gate("a", wayOfA);
        Gate b = gate("b", wayOfB);
        pass(2, a, b);
        Group atA = new Group(a, CAPACITY);
        Group atB = new Group(b, CAPACITY);
        for (int second = 0; second < 4; second++) {
            atA.ask(second);
            pass(1, a, b);
        }
        assertThat(atA.inside()).isEqualTo(CAPACITY);
        cutOff(wayOfA);
        int others = 0;
        for (int second = 0; second < 700; second++) {
            atA.ask(second);
            atB.ask(second);
            assertThat(atA.inside() + atB.inside()).as("inside after %s s", second).isLessThanOrEqualTo(CAPACITY);
            others = Math.max(others, atB.inside());
            pass(1, a, b);
        }
        assertThat(others).as("their places are given to others in the end").isEqualTo(CAPACITY);
        wayOfA.heal();
        for (int second = 0; second < 10; second++) {
            pass(1, a, b);
            atA.ask(second);
            atB.ask(second);
            assertThat(atA.inside() + atB.inside()).isLessThanOrEqualTo(CAPACITY);
        }
    }

    @Test
    void theCapacityHoldsWhenTheOnlyGateIsCutOffAndAnotherStarts() {
        Gate a = gate("a", wayOfA);
        pass(2, a);
        Group inside = new Group(a, CAPACITY - 4);
        for (int second = 0; second < 4; second++) {
            inside.ask(second);
            pass(1, a);
        }
        a.engine().change(NAME, new RoomChange.Mode(RoomMode.HOLD));
        pass(1, a);
        Group waiting = new Group(a, CAPACITY);
        waiting.ask(0);
        waiting.ask(1);
        a.engine().change(NAME, new RoomChange.Mode(RoomMode.AUTO));
        pass(1, a);
        cutOff(wayOfA);
        pass(1, a);
        Gate b = gate("b", wayOfB);
        Group others = new Group(b, CAPACITY);
        for (int second = 0; second < 90; second++) {
            pass(1, a, b);
            waiting.ask(second);
            inside.ask(second);
            others.ask(second);
            assertThat(inside.inside() + waiting.inside() + others.inside()).as("inside after %s s", second)
                    .isLessThanOrEqualTo(CAPACITY);
        }
    }

    @Test
    void aVisitorInsideStaysInsideThroughAShortOutageOfASharedStore() {
        Gate a = gate("a", wayOfA.rooms(), room(1).withStay(
                new TokenLifetimes(Duration.ofSeconds(10), null, Duration.ofHours(1))), RoomSignals.none());
        pass(2, a);
        ShownTokens pass = pass(a.arrive());
        cutOff(wayOfA);
        for (int second = 0; second < 55; second++) {
            pass(1, a);
            admitted(a.arrive(pass));
        }
        wayOfA.heal();
        pass(1, a);
        assertThat(admitted(a.arrive(pass)).token()).as("renewed").isNotNull();
    }

    @Test
    void aStoppedGateKeepsNoCapacity() {
        Gate a = gate("a", wayOfA);
        Gate b = gate("b", wayOfB);
        pass(2, a, b);
        for (int i = 0; i < CAPACITY; i++) {
            admitted(a.arrive());
        }
        a.engine().close();
        pass(61, b);
        assertThat(b.room().state().limits()).isEqualTo(new Limits(CAPACITY, null));
        assertThat(b.room().state().load().active()).isZero();
    }
}
