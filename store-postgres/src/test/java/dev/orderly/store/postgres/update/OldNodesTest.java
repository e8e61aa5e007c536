package dev.orderly.store.postgres.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.store.postgres.PostgresStore;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A large schema of 0.1.0 is updated while a node of 0.1.0 is at work. {@code -Dorderly.update.jobs} sets the size;
 * some millions take minutes.
 */
@Tag("slow")
class OldNodesTest {
    private static final int JOBS = Integer.getInteger("orderly.update.jobs", 200_000);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final FirstRelease store = new FirstRelease();

    @AfterEach
    void drop() {
        store.drop();
    }

    @Test
    void noCallOfAnOldNodeFailsOrWaitsLongWhileALargeSchemaIsUpdated() throws Exception {
        store.grow(JOBS);
        try (OldNode old = new OldNode(store)) {
            await().atMost(PATIENCE).until(() -> old.calls() > 20);
            PostgresStore.open(store.options()).close();
            int then = old.calls();
            await().atMost(PATIENCE).until(() -> old.calls() > then + 20 || !old.failures().isEmpty());
            assertThat(old.failures()).isEmpty();
        }
        assertThat(store.count("SELECT count(*) FROM $job WHERE state >= 3 AND error IS DISTINCT FROM 0")).isZero();
        assertThat(store.count("SELECT count(*) FROM pg_index WHERE NOT indisvalid")).isZero();
        assertThat(store.count("SELECT count(*) FROM $queue WHERE name LIKE 'load%' AND (SELECT sum(jobs) FROM $tally"
                + " WHERE queue = id) <> (SELECT count(*) FROM $job WHERE job.queue = id)"
                + " + (SELECT count(*) FROM $ended WHERE ended.queue = id)")).as("queues with a wrong count").isZero();
    }
}
