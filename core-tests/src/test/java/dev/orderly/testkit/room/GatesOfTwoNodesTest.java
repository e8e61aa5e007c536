package dev.orderly.testkit.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.Store;
import dev.orderly.flow.Lifecycle;
import dev.orderly.job.NodeId;
import dev.orderly.node.NodeDirectory;
import dev.orderly.node.NodeStatus;
import dev.orderly.room.AddressLimits;
import dev.orderly.room.Limits;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.VisitorId;
import dev.orderly.room.crowd.PlaceReport;
import dev.orderly.room.gate.LinePosition;
import dev.orderly.room.gate.RefusalReport;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.RoomFront;
import dev.orderly.room.gate.RoomListener;
import dev.orderly.room.gate.RoomRefusals;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.gate.Visit;
import dev.orderly.room.gate.VisitorDiagnosis;
import dev.orderly.room.gate.VisitorDiagnosis.Cause;
import dev.orderly.room.gate.VisitorQuery;
import dev.orderly.room.gate.VisitorQuery.ById;
import dev.orderly.room.gate.VisitorQuery.ByPlace;
import dev.orderly.room.gate.VisitorQuery.ByTicket;
import dev.orderly.room.store.GateId;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.node.IdleNode;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An operator asks one gate about visitors whom another one sees. */
@Timeout(120)
class GatesOfTwoNodesTest {
    private static final RoomName SALE = new RoomName("sale");

    private final ManualTime time = new ManualTime();
    private final MemoryStore first = new MemoryStore(time);
    private final Store second = first.beside();
    private final Lifecycle lifeOfEast = new Lifecycle();
    private final Lifecycle lifeOfWest = new Lifecycle();
    private final NodeDirectory nodeOfEast = new NodeDirectory(new NodeId("east"), first.bus(), time, "1.0",
            new IdleNode(), lifeOfEast);
    private final NodeDirectory nodeOfWest = new NodeDirectory(new NodeId("west"), second.bus(), time, "1.0",
            new IdleNode(), lifeOfWest);
    private final RoomEngine east = engine("east", first, 1);
    private final RoomEngine west = engine("west", second, 2);
    private Room here;
    private Room there;

    /** A connected page that shows nothing. */
    private static final class Silent implements RoomListener {
        @Override
        public void update(LinePosition position) {}

        @Override
        public void turn() {}

        @Override
        public void ended() {}
    }

    private RoomEngine engine(String gate, Store store, int seed) {
        return new RoomEngine(store.rooms(), new RoomTokens(TokenKeys.of(List.of(new byte[32]))), new GateId(gate),
                time, new Random(seed)).withCommitsOn(Runnable::run, () -> {});
    }

    @BeforeEach
    void join() {
        RoomOptions options = RoomOptions.of(new Limits(1, null)).withAddresses(AddressLimits.NONE);
        here = east.declare(SALE, options, RoomSignals.none());
        there = west.declare(SALE, options, RoomSignals.none());
        lifeOfEast.start();
        lifeOfWest.start();
        soon().until(() -> nodeOfEast.nodes().size() == 2 && nodeOfWest.nodes().size() == 2);
        east.join(nodeOfEast.questions());
        west.join(nodeOfWest.questions());
        step();
    }

    @AfterEach
    void close() {
        east.close();
        west.close();
        lifeOfEast.end();
        lifeOfWest.end();
        second.close();
        first.close();
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(60));
    }

    private void step() {
        time.advance(Duration.ofSeconds(1));
        west.step();
        east.step();
    }

    private static Visit arrive(Room room, ShownTokens shown) {
        return room.visits().arrive(shown, () -> "198.51.100.1", true).stage().toCompletableFuture().join();
    }

    private static ShownTokens waits(Room room) {
        return new ShownTokens(List.of(String.valueOf(((Visit.Waiting) arrive(room, ShownTokens.NONE)).token())),
                List.of());
    }

    /** The visitor of place 1 is inside, and shows the pass. */
    private ShownTokens enter() {
        Visit.Admitted in = (Visit.Admitted) arrive(there, ShownTokens.NONE);
        step();
        return new ShownTokens(List.of(), List.of(String.valueOf(in.token())));
    }

    private VisitorDiagnosis find(VisitorQuery query, Cause cause) {
        VisitorDiagnosis found = east.diagnose(SALE, query);
        assertThat(found.cause()).as(found.sentence()).isEqualTo(cause);
        return found;
    }

    @Test
    void aVisitorWhomAnotherGateSeesIsPresentByTicketAndByTheNumberOnThePage() {
        enter();
        ShownTokens waiting = waits(there);
        VisitorDiagnosis found = find(new ByTicket(waiting.tickets().getFirst()), Cause.CAPACITY);
        assertThat(found.presence().until()).isAfter(time.now());
        assertThat(found.presence().gate()).isNotNull();
        assertThat(found.unreachable()).isEmpty();
        VisitorDiagnosis byNumber = find(VisitorQuery.parse("2"), Cause.CAPACITY);
        assertThat(byNumber.presence()).isEqualTo(found.presence());
        assertThat(byNumber.place()).isEqualTo(2);
        find(new ByPlace(3), Cause.NOT_ISSUED);
        time.advance(Duration.ofMinutes(10));
        soon().until(() -> nodeOfEast.nodes().stream().noneMatch(NodeStatus::silent));
        step();
        assertThat(find(new ByPlace(2), Cause.NOT_PRESENT).presence().gate()).isNotNull();
    }

    @Test
    void aVisitorWithAConnectedPageIsFoundByIdWithThePlaceAndByTheNumberWithTheId() {
        enter();
        ShownTokens waiting = waits(there);
        VisitorId id = there.visits().visitor(waiting).orElseThrow();
        find(new ById(id), Cause.UNKNOWN);
        assertThat(there.visits().listen(waiting, new Silent())).isTrue();
        time.advance(Duration.ofSeconds(1));
        VisitorDiagnosis found = find(new ById(id), Cause.CAPACITY);
        assertThat(found.place()).isEqualTo(2);
        assertThat(found.presence().connected()).isTrue();
        assertThat(found.history().joined()).isNotNull();
        assertThat(find(new ByPlace(2), Cause.CAPACITY).history().visitor()).isEqualTo(id);
    }

    @Test
    void aVisitorInsideIsFoundByTheNumberThatThePageHadShown() {
        ShownTokens inside = enter();
        VisitorId id = find(new ByPlace(1), Cause.INSIDE).history().visitor();
        assertThat(id).isNotNull();
        assertThat(there.visits().leave(inside).toCompletableFuture().join()).isTrue();
        find(new ByPlace(1), Cause.USED);
    }

    @Test
    void theFrontHasTheVisitorsOfAllGatesInTheOrderOfTheirPlaces() {
        enter();
        waits(there);
        waits(here);
        ShownTokens third = waits(there);
        assertThat(there.visits().listen(third, new Silent())).isTrue();
        RoomFront front = east.front(SALE, 10);
        assertThat(front.visitors()).extracting(RoomFront.Visitor::place).containsExactly(2L, 3L, 4L);
        assertThat(front.visitors()).allSatisfy(one -> assertThat(one.presence().gate()).isNotNull());
        assertThat(front.visitors()).extracting(one -> one.presence().connected()).containsExactly(false, false, true);
        assertThat(front.visitors().getLast().id()).isEqualTo(there.visits().visitor(third).orElseThrow());
        assertThat(east.front(SALE, 2).visitors()).hasSize(2);
        step();
        assertThat(east.front(SALE, 10).visitors()).as("what gates share is there once")
                .extracting(RoomFront.Visitor::place).containsExactly(2L, 3L, 4L);
    }

    @Test
    void refusalsOfAllGatesAreCounted() {
        ShownTokens forged = new ShownTokens(List.of("forged"), List.of());
        arrive(here, forged);
        arrive(there, forged);
        arrive(there, forged);
        RefusalReport report = east.refusals(SALE);
        assertThat(report.rows()).singleElement().satisfies(row -> {
            assertThat(row.cause()).isEqualTo(RoomRefusals.Cause.TOKEN);
            assertThat(row.count()).isEqualTo(3);
        });
    }

    @Test
    void placesOfAllGatesAreCountedByTheirTakers() {
        arrive(here, ShownTokens.NONE);
        arrive(there, ShownTokens.NONE);
        there.visits().arrive(ShownTokens.NONE, () -> "203.0.113.9", true);
        PlaceReport report = east.places(SALE, 10);
        assertThat(report.places()).isEqualTo(3);
        assertThat(report.addresses().rows()).containsExactly(new PlaceReport.Row("198.51.100.1", 2),
                new PlaceReport.Row("203.0.113.9", 1));
        assertThat(report.networks().rows()).extracting(PlaceReport.Row::taker)
                .containsExactly("198.51.100.0/24", "203.0.113.0/24");
        assertThat(report.unreachable()).isEmpty();
    }

    @Test
    void aGateThatIsOutOfReachIsNamedAndNotWaitedFor() {
        enter();
        ShownTokens waiting = waits(there);
        second.close();
        soon().until(() -> {
            time.advance(Duration.ofSeconds(1));
            return nodeOfEast.nodes().getLast().silent();
        });
        String name = nodeOfWest.questions().self();
        assertThat(east.front(SALE, 10).unreachable()).containsExactly(name);
        assertThat(east.refusals(SALE).unreachable()).containsExactly(name);
        assertThat(east.places(SALE, 10).unreachable()).containsExactly(name);
        VisitorDiagnosis found = find(new ByTicket(waiting.tickets().getFirst()), Cause.NOT_PRESENT);
        assertThat(found.unreachable()).containsExactly(name);
        assertThat(found.sentence()).contains("any gate that answers");
    }
}
