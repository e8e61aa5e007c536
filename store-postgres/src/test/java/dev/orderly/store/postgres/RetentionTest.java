package dev.orderly.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobId;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.NodeTimes;
import dev.orderly.job.store.Settlement;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.job.store.UpkeepRequest.Retention;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is left of done jobs. */
class RetentionTest {
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final NodeId NODE = new NodeId("node");

    private final PostgresOptions options = Server.fresh();
    private final PostgresStore postgres = PostgresStore.open(options, new Random(7));
    private final JobStore jobs = postgres.jobs();

    @AfterEach
    void close() {
        postgres.close();
        Server.run("DROP SCHEMA IF EXISTS " + options.schema() + " CASCADE");
    }

    @Test
    void whereNoDoneJobIsKeptNoneIsWritten() {
        jobs.beat(NODE);
        for (String queue : List.of("mail", "orders.fifo")) {
            keep(Retention.DEFAULT.doneMax());
            assertThat(postgres.jobViews().find(done(queue))).isPresent();
            keep(0);
            assertThat(postgres.jobViews().find(done(queue))).isEmpty();
            assertThat(Server.count("SELECT count(*) FROM " + options.schema() + ".ended")).isZero();
        }
        assertThat(postgres.jobViews().queues()).hasSize(2)
                .allSatisfy(view -> assertThat(view.waiting() + view.running() + view.done()).isZero());
    }

    private void keep(long doneMax) {
        jobs.upkeep(new UpkeepRequest(NodeTimes.DEAD_AFTER, 3, Map.of(), new Retention(Retention.DEFAULT.done(),
                doneMax, Retention.DEFAULT.dead()), 100), NOW);
    }

    private JobId done(String name) {
        QueueName queue = new QueueName(name);
        jobs.push(List.of(new NewJob(queue, queue.isFifo() ? "g" : null, Priority.NORMAL, null, Payload.text("a"),
                Map.of(), null, null, null)), NOW);
        var claimed = jobs.claim(new ClaimRequest(NODE, List.of(new Demand(queue, 1))), NOW).jobs().getFirst();
        assertThat(jobs.settle(List.of(new Settlement(NODE, claimed.attempt(), new AttemptOutcome.Done(null))), NOW))
                .containsExactly(SettleResult.ACCEPTED);
        return claimed.attempt().id();
    }
}
