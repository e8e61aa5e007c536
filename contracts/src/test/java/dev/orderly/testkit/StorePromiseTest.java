package dev.orderly.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.BatchName;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.WhenDead;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.BatchStore;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobObserver;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.job.store.NewBatch;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.ObservedJobStore;
import dev.orderly.job.store.Settlement;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.RoomState.Line;
import dev.orderly.room.RoomState.Load;
import dev.orderly.room.store.ObservedRoomStore;
import dev.orderly.room.store.RoomChange;
import dev.orderly.room.store.RoomStore;
import dev.orderly.store.ObservedCalls;
import dev.orderly.store.StoreException;
import dev.orderly.store.StoreObserver;
import dev.orderly.store.StoreOperation;
import dev.orderly.store.StorePromise;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Answers of a store that contradict a promise are reported, and none that every store may give. */
class StorePromiseTest {
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final QueueName ORDERS = new QueueName("orders.fifo");
    private static final NodeId NODE = new NodeId("node");
    private static final RoomName SALE = new RoomName("sale");

    private final MemoryStore store = new MemoryStore();
    private final List<StorePromise> broken = new ArrayList<>();
    private final List<StoreOperation> seen = new ArrayList<>();
    private final ObservedCalls calls = new ObservedCalls(new StoreObserver() {
        @Override
        public void called(StoreOperation operation, int items, long nanos, @Nullable StoreException failure) {
            seen.add(operation);
        }

        @Override
        public void broken(StorePromise promise, String answer) {
            broken.add(promise);
        }
    }, () -> 0);

    private List<ClaimedJob> claim(UnaryOperator<List<ClaimedJob>> fault) {
        store.jobs().beat(NODE);
        store.jobs().push(Stream.of("a", "a", "b").map(group -> new NewJob(ORDERS, group, Priority.NORMAL, null,
                Payload.text("x"), Map.of(), null, null, null)).toList(), NOW);
        JobStore faulty = PortProxy.around(JobStore.class, store.jobs(), (_, _, work) -> {
            Object answer = work.get();
            return answer instanceof ClaimedJobs claimed
                    ? new ClaimedJobs(fault.apply(claimed.jobs()), claimed.nextDue(), claimed.paused(),
                            claimed.limited())
                    : answer;
        });
        return ObservedJobStore.of(faulty, calls, JobObserver.NONE)
                .claim(new ClaimRequest(NODE, List.of(new Demand(ORDERS, 2))), NOW).jobs();
    }

    @Test
    void callsThatChangeBatchesAreSeenByObservers() {
        BatchStore batches = ObservedJobStore.of(store.jobs(), calls, JobObserver.NONE).batches();
        long number = batches.open(new NewBatch(new BatchName("import"), WhenDead.FINISH, new NewJob(ORDERS, "a",
                Priority.NORMAL, null, Payload.text("x"), Map.of(), null, null, null)), NOW).batch().number();
        assertThat(batches.find(number)).isPresent();
        assertThat(batches.close(number, NOW)).isPresent();
        assertThat(batches.cancel(number, NOW)).isPresent();
        assertThat(batches.finish(NOW).callbacks()).containsExactly(ORDERS);
        assertThat(seen).containsExactly(StoreOperation.OPEN_BATCH, StoreOperation.CLOSE_BATCH,
                StoreOperation.CANCEL_BATCH, StoreOperation.FINISH_BATCHES);
    }

    @Test
    void aRunOfAGroupBesideAnotherGroupIsWhatWasAskedFor() {
        assertThat(claim(jobs -> jobs)).hasSize(3);
        assertThat(broken).isEmpty();
    }

    @Test
    void jobsOfAGroupOutOfTheirOrderAreReported() {
        claim(List::reversed);
        assertThat(broken).containsExactly(StorePromise.GROUP_ORDER);
    }

    @Test
    void aJobThatIsHandedOutTwiceIsReported() {
        claim(jobs -> List.of(jobs.getFirst(), jobs.getFirst()));
        assertThat(broken).containsExactly(StorePromise.GROUP_ORDER, StorePromise.CLAIM);
    }

    @Test
    void aJobThatNobodyAskedForIsReported() {
        List<ClaimedJob> jobs = claim(all -> all);
        List<ClaimedJob> more = List.of(jobs.getFirst());
        JobStore faulty = PortProxy.around(JobStore.class, store.jobs(),
                (_, _, _) -> new ClaimedJobs(more, null, Set.of(), Set.of()));
        ObservedJobStore.of(faulty, calls, JobObserver.NONE)
                .claim(new ClaimRequest(NODE, List.of(new Demand(new QueueName("mail"), 1))), NOW);
        assertThat(broken).containsExactly(StorePromise.CLAIM);
    }

    @Test
    void reportsWithoutAnAnswerAreReported() {
        ClaimedJob job = claim(jobs -> jobs).getFirst();
        JobStore faulty = PortProxy.around(JobStore.class, store.jobs(), (_, _, _) -> List.of());
        ObservedJobStore.of(faulty, calls, JobObserver.NONE)
                .settle(List.of(new Settlement(NODE, job.attempt(), new AttemptOutcome.Done(null))), NOW);
        assertThat(broken).containsExactly(StorePromise.ANSWERS);
    }

    @Test
    void aRoomThatCalledAPlaceWhichItHasNotIssuedAndANegativeCountAreReported() {
        RoomState state = store.rooms().change(SALE, new RoomChange.NewEpoch(), NOW);
        List<RoomState> answers = new ArrayList<>(List.of(state,
                with(state, new Line(4, 5, 5, false), state.load()),
                with(state, new Line(5, 5, 5, false), new Load(-1, 0, 0, 0, 0, 1))));
        RoomStore faulty = PortProxy.around(RoomStore.class, store.rooms(), (_, _, _) -> answers.removeFirst());
        RoomStore observed = new ObservedRoomStore(faulty, calls);
        observed.change(SALE, new RoomChange.NewEpoch(), NOW);
        assertThat(broken).isEmpty();
        observed.change(SALE, new RoomChange.NewEpoch(), NOW);
        observed.change(SALE, new RoomChange.NewEpoch(), NOW);
        assertThat(broken).containsExactly(StorePromise.LINE, StorePromise.ROOM_COUNTS);
    }

    private static RoomState with(RoomState state, Line line, Load load) {
        return new RoomState(SALE, state.epoch(), state.mode(), state.message(), line, load, state.pace(),
                state.limits(), state.slowed(), state.override(), state.voided(), state.moved(), NOW);
    }
}
