package dev.orderly.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.JobStore.UpkeepReport;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.job.store.UpkeepRequest.Retention;
import dev.orderly.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Properties of the memory store beyond the port, on which users' tests rely. */
class MemoryStoreCrashTest {
    private static final QueueName MAIL = new QueueName("mail");
    private static final NodeId NODE = new NodeId("node");
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    @Test
    void afterACrashTheNextUpkeepGivesBackClaimsAtOnce() {
        try (MemoryStore first = new MemoryStore(); MemoryStore second = claimed(first).crash()) {
            JobId id = second.jobViews().list(MAIL, JobState.RUNNING, null, 10).getFirst().id();
            UpkeepReport report = second.jobs()
                    .upkeep(new UpkeepRequest(Duration.ofSeconds(30), 3, Map.of(), Retention.DEFAULT, 10), NOW);
            assertThat(report.givenBack()).containsExactly(id);
            assertThat(second.jobViews().list(MAIL, JobState.WAITING, null, 10)).hasSize(1);
        }
    }

    @Test
    void aCrashedProcessCanDoNothingMore() {
        try (MemoryStore first = new MemoryStore(); MemoryStore second = claimed(first).crash()) {
            assertThatThrownBy(() -> first.jobs().beat(NODE)).isInstanceOf(StoreException.Unavailable.class);
            assertThatThrownBy(() -> first.jobViews().queues()).isInstanceOf(StoreException.Unavailable.class);
            assertThat(second.jobViews().queues()).hasSize(1);
        }
    }

    private static MemoryStore claimed(MemoryStore store) {
        NewJob job = new NewJob(MAIL, null, Priority.NORMAL, null, Payload.text("a"), Map.of(), null, null, null);
        assertThat(store.jobs().push(List.of(job), NOW)).hasSize(1);
        assertThat(store.jobs().beat(NODE).alive()).isTrue();
        assertThat(store.jobs().claim(new ClaimRequest(NODE, List.of(new Demand(MAIL, 1))), NOW).jobs()).hasSize(1);
        return store;
    }
}
