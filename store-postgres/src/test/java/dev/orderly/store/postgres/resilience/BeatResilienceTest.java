package dev.orderly.store.postgres.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.NodeTimes;
import dev.orderly.job.store.Settlement;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.job.store.UpkeepRequest.Retention;
import dev.orderly.store.postgres.PostgresOptions;
import dev.orderly.store.postgres.Server;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A node that beats stays alive while all connections are taken, rows are locked, and clocks of nodes are wrong. */
class BeatResilienceTest {
    private static final QueueName MAIL = new QueueName("mail");
    private static final NodeId NODE = new NodeId("node");
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    private final PostgresOptions fresh = Server.fresh();
    private final PostgresOptions options = PostgresOptions.at(fresh.url()).withSchema(fresh.schema())
            .withConnections(2);
    private final Server.Opened store = Server.open(options);
    private final JobStore jobs = store.jobs();

    @AfterEach
    void end() {
        store.close();
    }

    private List<PushResult> push() {
        return jobs.push(List.of(
                new NewJob(MAIL, null, Priority.NORMAL, null, Payload.text("a"), Map.of(), null, null, null)), NOW);
    }

    private ClaimedJob claimed() {
        assertThat(push()).hasSize(1);
        assertThat(jobs.beat(NODE).alive()).isTrue();
        return jobs.claim(new ClaimRequest(NODE, List.of(new Demand(MAIL, 1))), NOW).jobs().getFirst();
    }

    private UpkeepRequest request() {
        return new UpkeepRequest(NodeTimes.DEAD_AFTER, 3, Map.of(), Retention.DEFAULT, 100);
    }

    @Test
    void aNodeBeatsWhileAllItsOtherConnectionsAreTaken() throws SQLException {
        assertThat(jobs.beat(NODE).alive()).isTrue();
        List<CompletableFuture<List<PushResult>>> pushes = new ArrayList<>();
        try (Connection other = other(); Statement statement = other.createStatement()) {
            statement.execute("LOCK TABLE tally IN ACCESS EXCLUSIVE MODE");
            for (int n = 0; n < 6; n++) {
                pushes.add(CompletableFuture.supplyAsync(this::push, task -> Thread.ofVirtual().start(task)));
            }
            await().until(() -> Server.count("SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = '"
                    + options.schema() + ".tally'::regclass") == 2);
            assertThat(jobs.beat(NODE).alive()).isTrue();
            assertThat(pushes).noneMatch(CompletableFuture::isDone);
        }
        pushes.forEach(CompletableFuture::join);
    }

    @Test
    void aClaimInProgressDelaysNoBeatAndItsNodeIsNotDeclaredDead() throws SQLException {
        ClaimedJob job = claimed();
        try (Connection other = other(); Statement statement = other.createStatement()) {
            statement.execute("SELECT id FROM node FOR KEY SHARE");
            assertThat(jobs.beat(NODE).alive()).isTrue();
            assertThat(jobs.upkeep(new UpkeepRequest(Duration.ofSeconds(-1), 3, Map.of(), Retention.DEFAULT, 100), NOW)
                    .givenBack()).isEmpty();
        }
        assertThat(done(job)).isEqualTo(SettleResult.ACCEPTED);
    }

    @Test
    void theClockOfTheNodeThatDoesUpkeepDeclaresNobodyDead() {
        ClaimedJob job = claimed();
        for (Duration wrong : List.of(Duration.ofHours(2), Duration.ofHours(-2), Duration.ofDays(300))) {
            assertThat(jobs.upkeep(request(), NOW.plus(wrong)).givenBack()).isEmpty();
        }
        assertThat(jobs.beat(NODE).alive()).isTrue();
        assertThat(done(job)).isEqualTo(SettleResult.ACCEPTED);
    }

    private SettleResult done(ClaimedJob job) {
        return jobs.settle(List.of(new Settlement(NODE, job.attempt(), new AttemptOutcome.Done(null))), NOW).getFirst();
    }

    /** A connection outside the store. */
    private Connection other() throws SQLException {
        Connection connection = DriverManager.getConnection(options.url());
        connection.setSchema(options.schema());
        connection.setAutoCommit(false);
        return connection;
    }
}
