package dev.orderly.store.postgres.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobId;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.NodeTimes;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.job.store.UpkeepRequest.Retention;
import dev.orderly.store.postgres.Server;
import dev.orderly.testkit.ManualTime;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A node that leaves while a claim of it is under way at the server. */
class LeavingNodeTest {
    private static final QueueName MAIL = new QueueName("mail");
    private static final NodeId LEAVING = new NodeId("leaving");
    private static final NodeId OTHER = new NodeId("other");
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    @Test
    void whatAClaimUnderWayCommitsAfterTheNodeHasLeftGoesBackAtOnceWithoutACrash() throws SQLException {
        // No node is silent for too long, however slow the machine is.
        try (Server.Opened store = Server.openEmpty(new ManualTime(NOW));
                Connection late = DriverManager.getConnection(store.options().url());
                Statement statement = late.createStatement()) {
            JobStore jobs = store.jobs();
            jobs.beat(LEAVING);
            jobs.beat(OTHER);
            JobId id = jobs.push(List.of(new NewJob(MAIL, null, Priority.NORMAL, null, Payload.json("1"), Map.of(),
                    null, null, null)), NOW).stream().map(PushResult::id).findFirst().orElseThrow();
            late.setAutoCommit(false);
            statement.execute("SET search_path TO " + store.options().schema());
            assertThat(statement.executeQuery("SELECT seq FROM job_claim('leaving', " + NOW.toEpochMilli()
                    + ", 1000, '{1,2,3,4}', (SELECT array_agg(id) FROM queue), '{f}', '{10}', '{10}', '{0}', '{0}',"
                    + " '{0,0,0,0}') WHERE seq > 0").next()).isTrue();
            assertThat(jobs.leave(LEAVING, NOW)).as("waits for no claim").isZero();
            late.commit();
            assertThat(claim(jobs, LEAVING)).isEmpty();
            assertThat(jobs.upkeep(new UpkeepRequest(NodeTimes.DEAD_AFTER, 3, Map.of(), Retention.DEFAULT, 100), NOW)
                    .givenBack()).containsExactly(id);
            assertThat(claim(jobs, OTHER)).singleElement().satisfies(job -> {
                assertThat(job.id()).isEqualTo(id);
                assertThat(job.crashes()).isZero();
            });
        }
    }

    private static List<ClaimedJob> claim(JobStore jobs, NodeId node) {
        return jobs.claim(new ClaimRequest(node, List.of(new Demand(MAIL, 10))), NOW).jobs();
    }
}
