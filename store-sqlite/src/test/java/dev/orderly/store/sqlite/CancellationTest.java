package dev.orderly.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.NodeTimes;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.job.store.UpkeepRequest.Retention;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests to cancel are in the database; which jobs run is in a file beside it, which a power failure may lose. */
class CancellationTest {
    private static final QueueName MAIL = new QueueName("mail");
    private static final QueueName ORDERS = new QueueName("orders.fifo");
    private static final NodeId NODE = new NodeId("node");
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    @TempDir
    private Path folder;

    private static NewJob job(QueueName queue, @Nullable String group, String text) {
        return new NewJob(queue, group, Priority.NORMAL, null, Payload.text(text), Map.of(), null, null, null);
    }

    private static List<ClaimedJob> claim(SqliteStore store) {
        store.jobs().beat(NODE);
        return store.jobs().claim(new ClaimRequest(NODE, List.of(new Demand(MAIL, 10), new Demand(ORDERS, 10))), NOW)
                .jobs();
    }

    private static List<String> texts(List<ClaimedJob> jobs) {
        return jobs.stream().map(job -> job.payload().asText()).toList();
    }

    @Test
    void aJobThatIsToBeCancelledDoesNotRunThoughTheFileOfRunningJobsIsLost() throws IOException {
        Path file = Places.fresh(folder);
        SqliteStore store = SqliteStore.at(file);
        List<JobId> ids = store.jobs()
                .push(List.of(job(MAIL, null, "mail"), job(ORDERS, "g", "1"), job(ORDERS, "g", "2"),
                        job(ORDERS, "g", "3")), NOW)
                .stream().map(PushResult::id).toList();
        assertThat(claim(store)).hasSize(4);
        List<JobId> cancelled = List.of(ids.get(0), ids.get(2));
        cancelled.forEach(id -> store.jobs().cancel(id, NOW));
        Path left = Places.asKilled(file, folder);
        store.close();
        Files.delete(left.resolveSibling("orderly.db-running"));
        try (SqliteStore next = SqliteStore.at(left)) {
            assertThat(texts(claim(next))).as("before the first upkeep").isEmpty();
            assertThat(next.jobs().upkeep(
                    new UpkeepRequest(NodeTimes.DEAD_AFTER, 3, Map.of(), Retention.DEFAULT, 100), NOW).cancelled())
                    .containsExactlyElementsOf(cancelled);
            assertThat(texts(claim(next))).containsExactly("1", "3");
            assertThat(cancelled).allSatisfy(id -> assertThat(next.jobViews().find(id).orElseThrow().state())
                    .isEqualTo(JobState.CANCELLED));
        }
    }
}
