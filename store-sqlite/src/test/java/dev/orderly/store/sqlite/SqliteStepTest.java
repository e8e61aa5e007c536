package dev.orderly.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobStep;
import dev.orderly.job.StandardQueue;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Steps of handlers, whose records go through the group commit. */
class SqliteStepTest {
    @TempDir
    private Path folder;

    @Test
    void aStepWhoseWorkWasInterruptedIsKept() {
        int steps = 20; // the writer takes some requests before their interrupt withdraws them
        try (Orderly orderly = Orderly.open(SqliteStore.at(Places.fresh(folder)))) {
            StandardQueue<String> mails = orderly.queue("mail", String.class);
            orderly.handle(mails, (_, job) -> {
                for (int n = 0; n < steps; n++) {
                    job.step("step-" + n, () -> Thread.currentThread().interrupt());
                    assertThat(Thread.interrupted()).as("the handler learns of the interrupt").isTrue();
                }
            });
            orderly.start();
            JobId id = mails.push("hello");
            await().until(() -> orderly.jobs().find(id).orElseThrow().state() == JobState.DONE);
            assertThat(orderly.jobs().steps(id)).extracting(JobStep::attempt).containsOnly(1).hasSize(steps);
        }
    }
}
