package dev.orderly.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.ForgetQueueResult;
import dev.orderly.job.JobTerms;
import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.Declared;
import dev.orderly.job.store.DeclaredLimits;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.Settlement;
import dev.orderly.job.store.StartWindow;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.job.store.UpkeepRequest.LeaseRules;
import dev.orderly.job.store.UpkeepRequest.Retention;
import dev.orderly.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rows of keys without jobs go, and no others. */
class KeyForgettingTest {
    private static final QueueName EXPORTS = new QueueName("exports");
    private static final NodeId NODE = new NodeId("node");
    private static final Limit RATE = Limit.of(10, Duration.ofMinutes(1));

    private final PostgresOptions options = Server.fresh();
    private final ManualTime time = new ManualTime();

    @AfterEach
    void drop() {
        Server.run("DROP SCHEMA IF EXISTS " + options.schema() + " CASCADE");
    }

    private void upkeep(PostgresStore store) {
        LimitName each = LimitName.ofKeys(EXPORTS);
        store.jobs().beat(NODE);
        store.jobs().upkeep(new UpkeepRequest(Duration.ofDays(1), 3, Map.of(), Retention.DEFAULT, 1_000,
                LeaseRules.DEFAULT, new DeclaredLimits(Map.of(each, Declared.anew(RATE, NODE)), Map.of(),
                        Map.of(EXPORTS, Declared.anew(Optional.of(each), NODE)))),
                time.now());
    }

    private long keys() {
        return Server.count("SELECT count(*) FROM " + options.schema() + ".flow_key");
    }

    @Test
    void aKeyIsForgottenOnceNothingOfItRunsOrCounts() {
        try (PostgresStore store = PostgresStore.open(options, new Random(7), time)) {
            upkeep(store);
            store.jobs().push(IntStream.range(0, 20).mapToObj(n -> new NewJob(EXPORTS, null, Priority.NORMAL, null,
                    Payload.text("x"), Map.of(), null, null, null).on(JobTerms.NONE.withKey("key " + n), null))
                    .toList(),
                    time.now());
            List<ClaimedJob> jobs = store.jobs()
                    .claim(new ClaimRequest(NODE, List.of(new Demand(EXPORTS, 50))), time.now()).jobs();
            assertThat(jobs).hasSize(20);
            assertThat(keys()).isEqualTo(20);
            time.advance(Duration.ofMillis(StartWindow.span(RATE) * 2));
            upkeep(store);
            assertThat(keys()).as("jobs run").isEqualTo(20);
            store.jobs().settle(jobs.stream()
                    .map(job -> new Settlement(NODE, job.attempt(), new AttemptOutcome.Done(null))).toList(),
                    time.now());
            upkeep(store);
            assertThat(keys()).isZero();
        }
    }

    @Test
    void theKeysOfAQueueThatIsForgottenAreForgotten() {
        try (PostgresStore store = PostgresStore.open(options, new Random(7), time)) {
            upkeep(store);
            List<PushResult> pushed = store.jobs().push(IntStream.range(0, 60)
                    .mapToObj(n -> new NewJob(EXPORTS, null, Priority.NORMAL, null, Payload.text("x"), Map.of(), null,
                            null, null).on(JobTerms.NONE.withKey("key " + n % 3), null))
                    .toList(), time.now());
            List<ClaimedJob> jobs = store.jobs()
                    .claim(new ClaimRequest(NODE, List.of(new Demand(EXPORTS, 50))), time.now()).jobs();
            assertThat(jobs).as("each key rests by its rate").hasSize(30);
            store.jobs().settle(jobs.stream()
                    .map(job -> new Settlement(NODE, job.attempt(), new AttemptOutcome.Done(null))).toList(),
                    time.now());
            pushed.forEach(each -> store.jobs().cancel(each.id(), time.now()));
            store.jobs().push(List.of(new NewJob(EXPORTS, null, Priority.NORMAL, null, Payload.text("x"), Map.of(),
                    null, null, null).on(JobTerms.NONE.withKey("never claimed"), null)), time.now())
                    .forEach(each -> store.jobs().cancel(each.id(), time.now()));
            store.jobs().leave(NODE, time.now());
            assertThat(store.jobs().forget(EXPORTS)).isEqualTo(new ForgetQueueResult.Forgotten(EXPORTS));
            assertThat(Server.count("SELECT count(*) FROM " + options.schema() + ".flow_wake")).isZero();
            store.jobs().upkeep(new UpkeepRequest(Duration.ofDays(1), 3, Map.of(), Retention.DEFAULT, 1_000,
                    LeaseRules.DEFAULT, new DeclaredLimits(Map.of(),
                            Map.of(new QueueName("others"), Declared.anew(Optional.empty(), NODE)), Map.of())),
                    time.now());
            assertThat(keys()).isZero();
        }
    }
}
