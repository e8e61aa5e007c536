package dev.orderly.server.draw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import dev.orderly.http.webhook.WebhookHandler;
import dev.orderly.room.Beacon;
import dev.orderly.room.Draw;
import dev.orderly.room.Limits;
import dev.orderly.room.Opening;
import dev.orderly.room.Openings;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.store.GateId;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Nodes that fetch the value of a draw, by a clock that the test sets. */
class BeaconLoopTest {
    private static final RoomName SALE = new RoomName("sale");
    private static final int UNTIL = 30;

    private final ManualTime time = new ManualTime();
    private final MemoryStore store = new MemoryStore();
    private final HttpClient client = WebhookHandler.newClient();
    private final DrandStub drand = new DrandStub();
    private final ZonedDateTime opens = time.now().atZone(ZoneOffset.UTC).plusSeconds(UNTIL);
    private final List<String> stored = new ArrayList<>();
    private final List<Node> running = new ArrayList<>();

    BeaconLoopTest() throws IOException {}

    private record Node(RoomEngine rooms, BeaconLoop loop) implements AutoCloseable {
        @Override
        public void close() {
            loop.close();
            rooms.close();
        }
    }

    @AfterEach
    void close() {
        running.forEach(Node::close);
        client.close();
        drand.close();
        store.close();
    }

    /** A node whose draw has its beacon this many seconds after the opening. */
    private Node node(String name, int later) {
        RoomEngine rooms = new RoomEngine(store.rooms(), new RoomTokens(TokenKeys.of(List.of(new byte[32]))),
                new GateId(name), time, new Random(name.hashCode()));
        Beacon beacon = new Beacon(drand.address(), opens.plusSeconds(later).toInstant());
        rooms.declare(SALE, RoomOptions.of(new Limits(1, null)).withOpenings(new Openings(List.of(
                new Opening(opens, Duration.ofSeconds(10), null, null).drawn(beacon)), false)), RoomSignals.none());
        Node node = new Node(rooms, new BeaconLoop(rooms, (room, value) -> {
            rooms.change(room, rooms.find(room).orElseThrow().drawValue(value));
            stored.add(name + " " + value);
        }, () -> client, time));
        running.add(node);
        return node;
    }

    private void pass(int seconds, Node... nodes) {
        for (int second = 0; second < seconds; second++) {
            time.advance(Duration.ofSeconds(1));
            for (Node node : nodes) {
                node.rooms.step();
                node.loop.step();
            }
        }
    }

    /** Lets answers arrive, while the clock stands. */
    private static void answered(BooleanSupplier until, Node... nodes) {
        await().pollInterval(Duration.ofMillis(5)).until(() -> {
            for (Node node : nodes) {
                node.loop.step();
            }
            return until.getAsBoolean();
        });
    }

    private static Draw draw(Node node) {
        return node.rooms.find(SALE).orElseThrow().state().draws().draws().getLast();
    }

    private static String failure(Node node) {
        return String.valueOf(node.rooms.find(SALE).orElseThrow().beaconFailure());
    }

    @Test
    void theValueIsFetchedAtItsMomentAndNotBeforeAndThePlacesAreDrawn() {
        Node node = node("a", 5);
        pass(UNTIL + 4, node);
        assertThat(draw(node).awaitsValue()).isTrue();
        assertThat(drand.asked).hasValue(0);
        pass(1, node);
        answered(() -> !stored.isEmpty(), node);
        pass(2, node);
        assertThat(draw(node).value()).isEqualTo(DrandStub.VALUE);
        assertThat(draw(node).drawn()).isTrue();
        pass(60, node);
        assertThat(drand.asked).hasValue(1);
    }

    static List<String> wrongAnswers() {
        String value = DrandStub.VALUE;
        return List.of("", "no json", "[]", "{}", DrandStub.json(8, value, "0123"),
                DrandStub.json(7, value, "0124"), DrandStub.json(7, value, ""), DrandStub.json(7, value, "xyz"),
                DrandStub.json(7, "17", "0123"), DrandStub.json(7, value, "0123").replace("7", "\"7\""),
                DrandStub.json(7, value, "0123") + " ".repeat(20_000));
    }

    @ParameterizedTest
    @MethodSource("wrongAnswers")
    void anAnswerThatIsNotOfTheRoundCountsForNothingAndIsSaid(String body) {
        drand.answers(200, body);
        Node node = node("a", 0);
        pass(UNTIL, node);
        answered(() -> !failure(node).equals("null"), node);
        assertThat(failure(node)).startsWith("it gave no value: ");
        pass(2, node);
        assertThat(draw(node).awaitsValue()).isTrue();
        assertThat(stored).isEmpty();
    }

    @Test
    void aRedirectIsNotFollowed() {
        drand.redirects(drand.address() + "/elsewhere");
        Node node = node("a", 0);
        pass(UNTIL, node);
        answered(() -> failure(node).contains("answered 302"), node);
        assertThat(drand.asked).hasValue(1);
    }

    @Test
    void aBeaconThatIsNotThereIsAskedAgainEverLaterUntilItIs() {
        Node node = node("a", 0);
        drand.answers(401, "{}");
        pass(UNTIL, node);
        for (int tries = 1; tries <= 8; tries++) {
            String said = "answered " + (400 + tries);
            answered(() -> failure(node).contains(said), node);
            assertThat(drand.asked).hasValue(tries);
            if (tries == 8) {
                drand.knowsTheRound();
            } else {
                drand.answers(401 + tries, "{}");
            }
            pass(Math.min(30, 1 << (tries - 1)) - 1, node);
            assertThat(drand.asked).hasValue(tries);
            pass(1, node);
        }
        answered(() -> !stored.isEmpty(), node);
        pass(2, node);
        assertThat(draw(node).drawn()).isTrue();
        assertThat(failure(node)).isEqualTo("null");
    }

    @Test
    void anotherNodeFetchesTheValueWhereTheOneThatGovernsTheRoomCannot() {
        Node one = node("a", 0);
        Node two = node("b", 0);
        pass(UNTIL, one, two);
        // The first node, which governs the room, gets no answer taken: its loop stands still.
        for (int second = 0; second < 5; second++) {
            time.advance(Duration.ofSeconds(1));
            one.rooms.step();
            two.rooms.step();
            two.loop.step();
        }
        answered(() -> !stored.isEmpty(), two);
        assertThat(stored).containsExactly("b " + DrandStub.VALUE);
    }

    @Test
    void twoNodesThatFetchTheValueAtOnceDrawOnce() {
        Node one = node("a", 0);
        Node two = node("b", 0);
        pass(UNTIL, one, two);
        time.advance(Duration.ofSeconds(5));
        two.loop.step();
        await().until(() -> drand.asked.get() == 2);
        answered(() -> stored.size() == 2, one, two);
        pass(2, one, two);
        assertThat(draw(one).value()).isEqualTo(DrandStub.VALUE);
        assertThat(draw(one).drawn()).isTrue();
        assertThat(draw(one)).isEqualTo(draw(two));
    }

    @Test
    void theValueThatAnOperatorTypedFirstCounts() {
        drand.answers(503, "");
        Node node = node("a", 0);
        pass(UNTIL, node);
        answered(() -> failure(node).contains("answered 503"), node);
        drand.knowsTheRound();
        String typed = "ab".repeat(32);
        Room room = node.rooms.find(SALE).orElseThrow();
        assertThatIllegalArgumentException().isThrownBy(() -> room.drawValue("17")).withMessageContaining("64 digits");
        node.rooms.change(SALE, room.drawValue(typed));
        pass(60, node);
        assertThat(draw(node).value()).isEqualTo(typed);
        assertThat(draw(node).drawn()).isTrue();
        assertThat(drand.asked).hasValue(1);
    }

    @Test
    void aValueIsNotTypedBeforeItsMoment() {
        Node node = node("a", 5);
        pass(UNTIL + 4, node);
        Room room = node.rooms.find(SALE).orElseThrow();
        assertThatIllegalArgumentException().isThrownBy(() -> room.drawValue(DrandStub.VALUE))
                .withMessageContaining("wait until then");
    }

    @Test
    void aNodeThatStartsAgainFetchesTheValueThatTheOldOneDidNotGet() {
        drand.answers(503, "");
        Node before = node("a", 0);
        pass(UNTIL, before);
        answered(() -> failure(before).contains("answered 503"), before);
        String root = Objects.requireNonNull(draw(before).root());
        before.close();
        drand.knowsTheRound();
        Node after = node("b", 0);
        pass(12, after);
        answered(() -> !stored.isEmpty(), after);
        pass(2, after);
        assertThat(draw(after).drawn()).isTrue();
        assertThat(draw(after).root()).isEqualTo(root);
    }
}
