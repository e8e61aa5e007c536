package dev.orderly.store.sqlite.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.JobView;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.Settlement;
import dev.orderly.room.Limits;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomName;
import dev.orderly.room.SlowdownReason;
import dev.orderly.room.VisitorId;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.GateReport;
import dev.orderly.room.store.GovernorStep;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.store.sqlite.Places;
import dev.orderly.store.sqlite.SqliteStore;
import dev.orderly.testkit.ManualTime;
import dev.orderly.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The machine's clock is set back by hours while no process runs, such as by an empty battery or a wrong time server.
 */
class ClockResilienceTest {
    private static final Duration BACK = Duration.ofHours(3);
    private static final QueueName MAIL = new QueueName("mail");
    private static final QueueName ORDERS = new QueueName("orders.fifo");
    private static final NodeId NODE = new NodeId("node");
    private static final RoomName SALE = new RoomName("sale");
    private static final Duration PASS = Duration.ofMinutes(5);
    private static final Duration MOMENT = Duration.ofSeconds(2);

    @TempDir
    private Path folder = Path.of("");
    private final ManualTime time = new ManualTime();
    private final Random random = new Random(1);
    private @Nullable SqliteStore opened;

    @BeforeEach
    void open() {
        opened = SqliteStore.at(Places.fresh(folder));
    }

    @AfterEach
    void close() {
        store().close();
    }

    @Test
    void aDelayedJobBecomesDueAfterItsDelay() {
        JobId id = push(job(MAIL, null, time.now().plusSeconds(60), null)).id();
        restartWithTheClockSetBack();
        assertThat(take(MAIL)).isEmpty();
        assertThat(view(id).dueAt()).as("by the clock there is now").isBetween(time.now().plusSeconds(55),
                time.now().plusSeconds(60));
        time.advance(Duration.ofSeconds(50));
        assertThat(take(MAIL)).isEmpty();
        time.advance(Duration.ofSeconds(11));
        assertThat(take(MAIL)).extracting(ClaimedJob::id).containsExactly(id);
    }

    @Test
    void aRetryAndItsGroupGoOnAfterTheBackoff() {
        push(job(ORDERS, "g", null, null));
        ClaimedJob job = take(ORDERS).getFirst();
        store().jobs().settle(List.of(new Settlement(NODE, job.attempt(),
                new AttemptOutcome.Retry(time.now().plusSeconds(60), new JobFailure("no", "")))), time.now());
        restartWithTheClockSetBack();
        assertThat(take(ORDERS)).isEmpty();
        time.advance(Duration.ofSeconds(61));
        assertThat(take(ORDERS)).extracting(ClaimedJob::id).containsExactly(job.id());
    }

    @Test
    void aDedupeKeyIsKeptForItsWindowOnly() {
        DedupeKey key = new DedupeKey(1, 2);
        PushResult first = push(job(MAIL, null, null, key));
        restartWithTheClockSetBack();
        assertThat(push(job(MAIL, null, null, key))).isEqualTo(new PushResult.Duplicate(first.id()));
        time.advance(Duration.ofMinutes(5).plusMillis(1));
        assertThat(push(job(MAIL, null, null, key))).isInstanceOf(PushResult.Accepted.class);
    }

    @Test
    void aDedupeKeyOfAPushWhileTheClockWasAheadIsKeptForItsWindowOnly() {
        DedupeKey key = new DedupeKey(1, 2);
        time.jump(Duration.ofDays(30));
        PushResult first = push(job(MAIL, null, null, key));
        time.jump(Duration.ofDays(-30));
        assertThat(push(job(MAIL, null, null, key))).isEqualTo(new PushResult.Duplicate(first.id()));
        time.advance(Duration.ofMinutes(5).plusMillis(1));
        assertThat(push(job(MAIL, null, null, key))).isInstanceOf(PushResult.Accepted.class);
    }

    @Test
    void aDelayedCallDoesNotSetTheStoredTimeBack() {
        JobId id = push(job(MAIL, null, time.now().plusSeconds(7_200), null)).id();
        Instant before = time.now();
        time.advance(Duration.ofHours(1));
        assertThat(take(MAIL)).isEmpty();
        store().jobs().claim(new ClaimRequest(NODE, List.of(new ClaimRequest.Demand(MAIL, 1))), before);
        time.advance(Duration.ofMinutes(59));
        assertThat(take(MAIL)).as("an hour has passed once").isEmpty();
        time.advance(Duration.ofMinutes(1));
        assertThat(take(MAIL)).extracting(ClaimedJob::id).containsExactly(id);
    }

    @Test
    void nothingBecomesDueEarlyWhenTheClockIsRightAgainAfterAnotherRestart() {
        assertThat(take(MAIL)).isEmpty();
        restartWithTheClockSetBack();
        JobId id = push(job(MAIL, null, time.now().plusSeconds(600), null)).id();
        time.jump(BACK);
        reopen();
        assertThat(take(MAIL)).isEmpty();
        time.advance(Duration.ofSeconds(590));
        assertThat(take(MAIL)).isEmpty();
        time.advance(Duration.ofSeconds(20));
        assertThat(take(MAIL)).extracting(ClaimedJob::id).containsExactly(id);
    }

    @Test
    void visitorsEnterWhenPassesEndAndTheRateAllows() {
        Limits limits = new Limits(1, new Rate(1, Duration.ofMinutes(10)));
        Time gate = store().roomClock(time);
        govern(gate, limits);
        assertThat(join(gate)).isInstanceOf(JoinResult.Entered.class);
        assertThat(join(gate)).isInstanceOf(JoinResult.Placed.class);
        restartWithTheClockSetBack();
        Time next = store().roomClock(time);
        assertThat(next.now()).as("never before the last moment of the room").isAfterOrEqualTo(gate.now());
        govern(next, limits);
        assertThat(join(next)).isInstanceOf(JoinResult.Placed.class);
        time.advance(PASS.plus(MOMENT));
        govern(next, limits);
        assertThat(join(next)).as("the pass has ended, the rate holds").isInstanceOf(JoinResult.Placed.class);
        time.advance(PASS);
        govern(next, limits);
        assertThat(join(next)).isInstanceOf(JoinResult.Entered.class);
    }

    private void restartWithTheClockSetBack() {
        time.jump(BACK.negated());
        reopen();
    }

    private void reopen() {
        opened = Places.reopened(store(), folder);
        store().jobs().beat(NODE);
        assertThat(take(new QueueName("nothing"))).isEmpty();
    }

    private PushResult push(NewJob job) {
        return store().jobs().push(List.of(job), time.now()).getFirst();
    }

    private static NewJob job(QueueName queue, @Nullable String group, @Nullable Instant runAt,
            @Nullable DedupeKey dedupe) {
        return new NewJob(queue, group, Priority.NORMAL, runAt, Payload.text("x"), Map.of(), null, dedupe, null);
    }

    private List<ClaimedJob> take(QueueName queue) {
        store().jobs().beat(NODE);
        return store().jobs().claim(new ClaimRequest(NODE, List.of(new ClaimRequest.Demand(queue, 10))), time.now())
                .jobs();
    }

    private JobView view(JobId id) {
        return store().jobViews().find(id).orElseThrow();
    }

    /** Runs two steps: the first sets limits, the second admits. */
    private void govern(Time gate, Limits limits) {
        for (int step = 0; step < 2; step++) {
            long epoch = store().rooms().rooms(gate.now()).stream().findFirst().map(room -> room.epoch()).orElse(1L);
            store().rooms().sync(SALE, new GateReport(new GateId("gate"), epoch, 1_000_000, List.of()), gate.now());
            assertThat(store().rooms().govern(SALE, new GovernorStep(new GateId("governor"), gate.now().plusSeconds(3),
                    limits, SlowdownReason.NO, 0, 1_000_000, gate.now().minus(Duration.ofDays(1))), gate.now()))
                    .isPresent();
        }
    }

    private JoinResult join(Time gate) {
        return store().rooms()
                .join(SALE, List.of(new JoinRequest(VisitorId.random(random), gate.now(), gate.now().plus(PASS))),
                        gate.now())
                .getFirst();
    }

    private SqliteStore store() {
        return Objects.requireNonNull(opened);
    }
}
