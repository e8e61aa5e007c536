package dev.orderly.testkit.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.RoomOptions;
import dev.orderly.room.gate.HeldRequest;
import dev.orderly.room.gate.Reply;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.gate.Visit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Requests of called visitors that wait for an admission. */
class HeldRequestTest extends RoomTest {
    private static final int CAPACITY = 4;
    private static final int HELD_MOST = 256;

    private final List<ShownTokens> inside = new ArrayList<>();

    private CompletableFuture<Visit> ask(Gate gate, ShownTokens shown, HeldRequest request) {
        Supplier<Reply<Visit>> decision = () -> gate.room().visits().arrive(shown, () -> "198.51.100.1", true);
        return gate.room().visits().hold(request, decision.get(), decision).stage().toCompletableFuture();
    }

    private CompletableFuture<Visit> ask(Gate gate, ShownTokens shown) {
        return ask(gate, shown, new HeldRequest());
    }

    /** A full room whose visitors stayed so long before. */
    private Gate full(RoomOptions options, int stay) {
        Gate gate = gate(options);
        int capacity = options.limits().mostPasses().orElse(CAPACITY);
        for (int turn = 0; turn < 8; turn++) {
            enter(gate, capacity);
            pass(stay, gate);
            inside.forEach(gate.room().visits()::leave);
            inside.clear();
            pass(1, gate);
        }
        enter(gate, capacity);
        return gate;
    }

    private void enter(Gate gate, int visitors) {
        for (int n = 0; n < visitors; n++) {
            inside.add(pass(gate.arrive()));
        }
    }

    private List<ShownTokens> called(Gate gate, int visitors) {
        List<ShownTokens> waiting = new ArrayList<>();
        for (int n = 0; n < visitors; n++) {
            waiting.add(ticket(gate.arrive()));
        }
        pass(1, gate);
        waiting.forEach(ticket -> assertThat(waiting(gate.arrive(ticket)).position().called()).isTrue());
        return waiting;
    }

    private void leaves(Gate gate) {
        gate.room().visits().leave(inside.removeFirst());
        time.advance(Duration.ofMillis(100));
        gate.engine().callUp();
    }

    @Test
    void eachVisitorWhoLeavesAdmitsTheNextInOrder() {
        Gate gate = full(room(CAPACITY), 2);
        List<ShownTokens> waiting = called(gate, 2);
        CompletableFuture<Visit> second = ask(gate, waiting.getLast());
        CompletableFuture<Visit> first = ask(gate, waiting.getFirst());
        assertThat(first).isNotDone();
        leaves(gate);
        admitted(first.join());
        assertThat(second).isNotDone();
        leaves(gate);
        admitted(second.join());
    }

    @Test
    void aRequestIsHeldForFourSecondsAtMost() {
        Gate gate = full(room(CAPACITY), 2);
        CompletableFuture<Visit> held = ask(gate, called(gate, 1).getFirst());
        pass(2, gate);
        assertThat(held).isNotDone();
        pass(2, gate);
        assertThat(waiting(held.join()).position().called()).isTrue();
    }

    @Test
    void aDroppedRequestTakesNoPlace() {
        Gate gate = full(room(CAPACITY), 2);
        HeldRequest request = new HeldRequest();
        CompletableFuture<Visit> held = ask(gate, called(gate, 1).getFirst(), request);
        request.drop();
        assertThat(held).isCompletedExceptionally();
        leaves(gate);
        gate.engine().step();
        assertThat(gate.room().state().load().active()).isEqualTo(CAPACITY - 1);
    }

    @Test
    void aRequestThatWasDroppedBeforeIsNotHeld() {
        Gate gate = full(room(CAPACITY), 2);
        HeldRequest request = new HeldRequest();
        request.drop();
        waiting(ask(gate, called(gate, 1).getFirst(), request).join());
    }

    @Test
    void whereStaysAreLongEachAnswerComesAtOnce() {
        Gate slow = full(room(CAPACITY), 30);
        waiting(ask(slow, called(slow, 1).getFirst()).join());
    }

    @Test
    void aVisitorHasOneHeldRequestAndARoomALimitedNumber() {
        Gate gate = full(room(HELD_MOST * 3 / 2), 2); // more are called than are held
        List<ShownTokens> waiting = called(gate, HELD_MOST + 1);
        List<CompletableFuture<Visit>> held = waiting.subList(0, HELD_MOST).stream().map(each -> ask(gate, each))
                .toList();
        assertThat(held).noneMatch(CompletableFuture::isDone);
        waiting(ask(gate, waiting.getFirst()).join());
        waiting(ask(gate, waiting.getLast()).join());
        leaves(gate);
        admitted(held.getFirst().join());
        assertThat(ask(gate, waiting.getLast())).isNotDone();
    }

    @Test
    void aGateThatStopsAnswersWhatItHolds() {
        Gate gate = full(room(CAPACITY), 2);
        CompletableFuture<Visit> held = ask(gate, called(gate, 1).getFirst());
        gate.engine().close();
        waiting(held.join());
    }
}
