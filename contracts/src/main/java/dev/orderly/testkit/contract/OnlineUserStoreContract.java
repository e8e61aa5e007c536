package dev.orderly.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Store;
import dev.orderly.job.NodeId;
import dev.orderly.live.OnlineUserStore;
import dev.orderly.live.OnlineUserStore.Beat;
import dev.orderly.live.OnlineUserStore.Noted;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.contract.input.SampleTexts;
import dev.orderly.time.Time;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every sentence of {@link OnlineUserStore} as a test. A store is tested by a subclass that opens it. */
public abstract class OnlineUserStoreContract {
    private static final NodeId EAST = new NodeId("east");
    private static final NodeId WEST = new NodeId("west");
    private static final UserId ANN = new UserId("ann");
    private static final UserId BOB = new UserId("bob & søn \"'{}\\ \uD83D\uDE42");
    private static final Duration DEAD = Duration.ofSeconds(30);
    private static final Duration STEP = Duration.ofSeconds(8);
    private static final Set<UserId> NOBODY = Set.of();

    private final ManualTime time = new ManualTime();
    private @Nullable Store store;

    /**
     * An empty store. Closed by the contract.
     *
     * @param clock the clock by which the store finds nodes dead
     */
    protected abstract Store open(Time clock);

    @BeforeEach
    void begin() {
        store = open(time);
        beat(EAST);
        beat(WEST);
    }

    @AfterEach
    void end() {
        if (store != null) {
            store.close();
        }
    }

    private OnlineUserStore presence() {
        return Objects.requireNonNull(store).presence();
    }

    private Beat beat(NodeId node) {
        return presence().beat(node, DEAD);
    }

    /** Lets time pass while only this node sends heartbeats, until the other is dead at this node's next heartbeat. */
    private void onlyBeats(NodeId node) {
        for (int beat = 0; beat < 3; beat++) {
            time.advance(STEP);
            assertThat(beat(node)).isEqualTo(new Beat(true, NOBODY));
        }
        time.advance(STEP);
    }

    private static Noted changed(UserId... users) {
        return new Noted(true, Set.of(users));
    }

    @Test
    void aUserIsOnlineFromTheFirstNodeToTheLast() {
        assertThat(presence().note(EAST, Set.of(ANN, BOB), NOBODY)).isEqualTo(changed(ANN, BOB));
        assertThat(presence().note(WEST, Set.of(ANN), NOBODY)).isEqualTo(changed());
        assertThat(presence().note(EAST, NOBODY, Set.of(ANN, BOB))).isEqualTo(changed(BOB));
        assertThat(presence().note(WEST, NOBODY, Set.of(ANN))).isEqualTo(changed(ANN));
    }

    @Test
    void aRepeatedChangeHasNoEffect() {
        assertThat(presence().note(EAST, NOBODY, Set.of(ANN))).isEqualTo(changed());
        assertThat(presence().note(EAST, Set.of(ANN), NOBODY)).isEqualTo(changed(ANN));
        assertThat(presence().note(EAST, Set.of(ANN), NOBODY)).isEqualTo(changed());
        assertThat(presence().note(EAST, NOBODY, Set.of(ANN))).isEqualTo(changed(ANN));
        assertThat(presence().note(EAST, NOBODY, Set.of(ANN))).isEqualTo(changed());
    }

    @Test
    void oneCallMayReportArrivalsAndDepartures() {
        presence().note(EAST, Set.of(ANN), NOBODY);
        assertThat(presence().note(EAST, Set.of(BOB), Set.of(ANN))).isEqualTo(changed(ANN, BOB));
        assertThat(presence().elsewhere(WEST, Set.of(ANN, BOB))).containsExactly(BOB);
    }

    @Test
    void elsewhereIsEveryOtherNode() {
        presence().note(EAST, Set.of(ANN), NOBODY);
        presence().note(WEST, Set.of(BOB), NOBODY);
        assertThat(presence().elsewhere(EAST, Set.of(ANN, BOB))).containsExactly(BOB);
        assertThat(presence().elsewhere(WEST, Set.of(ANN, BOB))).containsExactly(ANN);
        assertThat(presence().elsewhere(new NodeId("other"), Set.of(ANN, BOB))).containsExactlyInAnyOrder(ANN, BOB);
        assertThat(presence().elsewhere(EAST, Set.of(new UserId("nobody")))).isEmpty();
    }

    @Test
    void aNodeWithoutAHeartbeatRecordsNothing() {
        NodeId mute = new NodeId("mute");
        assertThat(presence().note(mute, Set.of(ANN), NOBODY)).isEqualTo(new Noted(false, NOBODY));
        assertThat(presence().elsewhere(EAST, Set.of(ANN))).isEmpty();
        assertThat(beat(mute).known()).isFalse();
        assertThat(beat(mute).known()).isTrue();
        assertThat(presence().note(mute, Set.of(ANN), NOBODY)).isEqualTo(changed(ANN));
    }

    @Test
    void aNodesDeathMakesItsUsersOfflineUnlessConnectedElsewhere() {
        presence().note(EAST, Set.of(ANN, BOB), NOBODY);
        presence().note(WEST, Set.of(BOB), NOBODY);
        onlyBeats(WEST);
        assertThat(beat(WEST)).isEqualTo(new Beat(true, Set.of(ANN)));
        assertThat(beat(WEST)).isEqualTo(new Beat(true, NOBODY));
        assertThat(presence().elsewhere(WEST, Set.of(ANN, BOB))).isEmpty();
    }

    @Test
    void aNodeThatWasDeclaredDeadStartsEmpty() {
        presence().note(EAST, Set.of(ANN), NOBODY);
        onlyBeats(WEST);
        beat(WEST);
        assertThat(presence().note(EAST, Set.of(BOB), NOBODY).known()).isFalse();
        assertThat(beat(EAST)).isEqualTo(new Beat(false, NOBODY));
        assertThat(presence().note(EAST, Set.of(ANN), NOBODY)).isEqualTo(changed(ANN));
    }

    @Test
    void aClockThatIsSetMakesNoUserOffline() {
        presence().note(EAST, Set.of(ANN), NOBODY);
        for (Duration step : List.of(Duration.ofHours(1), Duration.ofHours(-2))) {
            time.jump(step);
            assertThat(beat(WEST)).isEqualTo(new Beat(true, NOBODY));
            assertThat(beat(EAST)).isEqualTo(new Beat(true, NOBODY));
        }
        onlyBeats(WEST);
        assertThat(beat(WEST)).isEqualTo(new Beat(true, Set.of(ANN)));
    }

    @Test
    void nodesThatWereAllSuspendedMakeNoUserOffline() {
        presence().note(EAST, Set.of(ANN), NOBODY);
        time.advance(Duration.ofHours(1));
        assertThat(beat(WEST)).isEqualTo(new Beat(true, NOBODY));
        time.advance(Duration.ofSeconds(5));
        assertThat(beat(WEST)).isEqualTo(new Beat(true, NOBODY));
        assertThat(beat(EAST)).isEqualTo(new Beat(true, NOBODY));
    }

    @Test
    void onlyOneOfConcurrentNodesReportsTheUsersOfADeadNode() throws Exception {
        presence().note(EAST, Set.of(ANN, BOB), NOBODY);
        beat(new NodeId("witness"));
        onlyBeats(new NodeId("witness"));
        CountDownLatch together = new CountDownLatch(1);
        var answers = IntStream.range(0, 4).mapToObj(n -> CompletableFuture.supplyAsync(() -> {
            try {
                together.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return beat(new NodeId("finder" + n)).offline();
        }, task -> Thread.ofVirtual().start(task))).toList();
        together.countDown();
        Set<UserId> all = answers.stream().flatMap(answer -> answer.join().stream()).collect(Collectors.toSet());
        assertThat(answers.stream().mapToInt(answer -> answer.join().size()).sum()).isEqualTo(2);
        assertThat(all).containsExactlyInAnyOrder(ANN, BOB);
    }

    @Test
    void onlyOneOfConcurrentNodesReportsAUserOnlineOrOffline() {
        for (int round = 0; round < 20; round++) {
            UserId user = new UserId("user" + round);
            var came = Set.of(EAST, WEST).stream().map(node -> CompletableFuture.supplyAsync(
                    () -> presence().note(node, Set.of(user), NOBODY), task -> Thread.ofVirtual().start(task)))
                    .toList();
            assertThat(came.stream().filter(one -> one.join().changed().contains(user))).hasSize(1);
            var left = Set.of(EAST, WEST).stream().map(node -> CompletableFuture.supplyAsync(
                    () -> presence().note(node, NOBODY, Set.of(user)), task -> Thread.ofVirtual().start(task)))
                    .toList();
            assertThat(left.stream().filter(one -> one.join().changed().contains(user))).hasSize(1);
        }
    }

    @Test
    void aNodeThatStopsLeavesNoUserOnline() {
        presence().note(EAST, Set.of(ANN, BOB), NOBODY);
        presence().note(WEST, Set.of(BOB), NOBODY);
        assertThat(presence().leave(EAST)).containsExactly(ANN);
        assertThat(presence().leave(EAST)).isEmpty();
        assertThat(presence().elsewhere(WEST, Set.of(ANN, BOB))).isEmpty();
        assertThat(beat(EAST).known()).isFalse();
    }

    @Test
    void manyUsersAreRecordedInOneCall() {
        Set<UserId> crowd = IntStream.range(0, 10_000).mapToObj(n -> new UserId("user" + n)).collect(
                Collectors.toSet());
        assertThat(presence().note(EAST, crowd, NOBODY).changed()).isEqualTo(crowd);
        assertThat(presence().note(WEST, crowd, NOBODY).changed()).isEmpty();
        assertThat(presence().leave(WEST)).isEmpty();
        assertThat(presence().leave(EAST)).isEqualTo(crowd);
    }

    @Test
    void usersAndNodesWithSimilarNamesAreDifferent() {
        Set<UserId> crowd = SampleTexts.ALIKE.stream().map(UserId::new).collect(Collectors.toSet());
        UserId one = new UserId(SampleTexts.longest(UserId.MAX, 'x'));
        UserId other = new UserId(SampleTexts.longest(UserId.MAX, 'y'));
        crowd.add(one);
        assertThat(presence().note(EAST, crowd, NOBODY)).isEqualTo(new Noted(true, crowd));
        assertThat(presence().elsewhere(WEST, crowd)).isEqualTo(crowd);
        assertThat(presence().elsewhere(WEST, Set.of(other))).isEmpty();
        assertThat(presence().note(EAST, NOBODY, Set.of(new UserId("e\u0301")))).isEqualTo(
                changed(new UserId("e\u0301")));
        assertThat(presence().elsewhere(WEST, Set.of(new UserId("\u00e9"), new UserId("e\u0301"))))
                .containsExactly(new UserId("\u00e9"));
        for (String name : SampleTexts.ALIKE) {
            assertThat(beat(new NodeId(name)).known()).as(name).isFalse();
        }
        assertThat(presence().note(new NodeId("\u00e9"), Set.of(ANN), NOBODY)).isEqualTo(changed(ANN));
        assertThat(presence().elsewhere(new NodeId("e\u0301"), Set.of(ANN))).containsExactly(ANN);
        assertThat(presence().elsewhere(new NodeId("\u00e9"), Set.of(ANN))).isEmpty();
    }
}
