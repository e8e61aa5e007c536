package dev.orderly.testkit.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.Store;
import dev.orderly.flow.Lifecycle;
import dev.orderly.job.NodeId;
import dev.orderly.node.NodeDirectory;
import dev.orderly.node.NodeLoad;
import dev.orderly.node.NodeReport;
import dev.orderly.node.NodeReport.Phase;
import dev.orderly.node.NodeStatus;
import dev.orderly.node.NodeWork;
import dev.orderly.store.Bus;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nodes on one memory store that report themselves to each other. */
class NodeDirectoryTest {
    private final ManualTime time = new ManualTime();
    private final MemoryStore first = new MemoryStore(time);
    private final Store second = first.beside();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicBoolean draining = new AtomicBoolean();
    private final Lifecycle lifeOfOne = new Lifecycle();
    private final Lifecycle lifeOfTwo = new Lifecycle();
    private final NodeDirectory one = new NodeDirectory(new NodeId("one"), first.bus(), time, "1.0", new Work(),
            lifeOfOne);
    private final NodeDirectory two = new NodeDirectory(new NodeId("two"), second.bus(), time, "1.1", new Work(),
            lifeOfTwo);

    /** The work of both nodes. */
    private final class Work implements NodeWork {
        @Override
        public int running() {
            return running.get();
        }

        @Override
        public int users() {
            return 5;
        }

        @Override
        public boolean isDraining() {
            return draining.get();
        }

        @Override
        public void drain(boolean on) {
            draining.set(on);
        }
    }

    @AfterEach
    void close() {
        lifeOfOne.end();
        lifeOfTwo.end();
        second.close();
        first.close();
    }

    @Test
    void aNodeIsFirstInItsOwnListAndAlone() {
        lifeOfOne.start();
        NodeStatus self = one.nodes().getFirst();
        assertThat(self.self()).isTrue();
        assertThat(self.silent()).isFalse();
        assertThat(self.report().version()).isEqualTo("1.0");
        assertThat(one.nodes()).hasSize(1);
    }

    @Test
    void aNodeThatStartsKnowsTheOthersAtOnceAndTheyKnowIt() {
        lifeOfOne.start();
        lifeOfTwo.start();
        await().untilAsserted(() -> {
            assertThat(ids(one)).containsExactly("one", "two");
            assertThat(ids(two)).containsExactly("two", "one");
        });
    }

    @Test
    void aReportTellsHowManyJobsRunAndWhetherTheNodeStops() {
        running.set(7);
        lifeOfOne.start();
        lifeOfTwo.start();
        assertThat(new NodeDirectory(new NodeId("none"), first.bus(), time, "1.0", new Work(), new Lifecycle())
                .isAlone()).isTrue();
        await().untilAsserted(() -> assertThat(other(two).report().running()).isEqualTo(7));
        assertThat(two.isAlone()).isFalse();
        lifeOfOne.announceEnd();
        await().untilAsserted(() -> assertThat(other(two).report().phase()).isEqualTo(Phase.STOPPING));
        assertThat(two.isAlone()).as("a node that leaves takes no work").isTrue();
    }

    @Test
    void aNodeThatStopsInOrderLeavesTheList() {
        lifeOfOne.start();
        lifeOfTwo.start();
        await().untilAsserted(() -> assertThat(one.nodes()).hasSize(2));
        lifeOfTwo.end();
        await().untilAsserted(() -> assertThat(ids(one)).containsExactly("one"));
    }

    @Test
    void aNodeThatWasKilledIsSilentAfterHalfAMinuteAndForgottenAfterAnHour() {
        lifeOfOne.start();
        lifeOfTwo.start();
        await().untilAsserted(() -> assertThat(one.nodes()).hasSize(2));
        second.close(); // reports reach nobody any more
        time.advance(Duration.ofSeconds(29));
        assertThat(other(one).silent()).isFalse();
        time.advance(Duration.ofSeconds(2));
        assertThat(other(one).silent()).isTrue();
        assertThat(other(one).age()).isBetween(Duration.ofSeconds(31), Duration.ofSeconds(36));
        time.advance(Duration.ofHours(1));
        assertThat(ids(one)).containsExactly("one");
    }

    @Test
    void aReportTellsTheLoadAndWhatOnlyTheProgramKnows() {
        one.reportAlso(() -> List.of("governor of sale"), () -> 7);
        lifeOfOne.start();
        lifeOfTwo.start();
        await().untilAsserted(() -> {
            NodeLoad load = other(two).report().load();
            assertThat(load.cores()).isPositive();
            assertThat(load.heapUsed()).isPositive().isLessThanOrEqualTo(load.heapMax());
            assertThat(load.leases()).containsExactly("governor of sale");
            assertThat(load.connections()).isEqualTo(7);
            assertThat(load.users()).isEqualTo(5);
        });
        assertThat(other(one).report().load().connections()).as("of a node without an edge").isNull();
    }

    @Test
    void aReportOfAnEarlierVersionIsReadWithoutItsLoad() {
        lifeOfOne.start();
        second.bus().publish(Bus.Topic.NODES, """
                {"node":"old","host":"h","version":"0.1.0","startedAt":"2026-03-01T12:00:00Z","phase":"RUNNING",
                "running":3,"answer":false}""".getBytes(StandardCharsets.UTF_8));
        await().untilAsserted(() -> assertThat(ids(one)).containsExactly("one", "old"));
        NodeReport old = other(one).report();
        assertThat(old.running()).isEqualTo(3);
        assertThat(old.draining()).isFalse();
        assertThat(old.load()).isEqualTo(NodeLoad.UNKNOWN);
    }

    @Test
    void aNodeIsDrainedAndResumedFromAnotherNodeAndAnswersInItsReport() throws InterruptedException {
        lifeOfOne.start();
        lifeOfTwo.start();
        await().untilAsserted(() -> assertThat(one.nodes()).hasSize(2));
        for (boolean on : List.of(true, false)) {
            AtomicReference<Optional<NodeStatus>> answer = new AtomicReference<>(Optional.empty());
            Thread asking = Thread.ofVirtual().start(() -> answer.set(one.drain(new NodeId("two"), on)));
            await().until(() -> other(one).report().draining() == on); // the clocks stand still meanwhile
            await().until(() -> {
                time.advance(Duration.ofMillis(50));
                return !asking.isAlive();
            });
            assertThat(answer.get().orElseThrow().report().draining()).isEqualTo(on);
            assertThat(draining.get()).isEqualTo(on);
        }
        assertThat(one.drain(new NodeId("nobody"), true)).isEmpty();
        assertThat(one.drain(new NodeId("one"), true).orElseThrow().report().draining()).isTrue();
    }

    @Test
    void messagesThatAreNoReportsChangeNothing() {
        lifeOfOne.start();
        for (String text : List.of("x", "{}", "{\"node\":\"\"}", "{\"node\":\"three\",\"phase\":\"ASLEEP\"}", "[1]")) {
            second.bus().publish(Bus.Topic.NODES, text.getBytes(StandardCharsets.UTF_8));
        }
        lifeOfTwo.start();
        await().untilAsserted(() -> assertThat(ids(one)).containsExactly("one", "two"));
    }

    private static List<String> ids(NodeDirectory directory) {
        return directory.nodes().stream().map(node -> node.report().node().value()).toList();
    }

    private static NodeStatus other(NodeDirectory directory) {
        return directory.nodes().get(1);
    }
}
