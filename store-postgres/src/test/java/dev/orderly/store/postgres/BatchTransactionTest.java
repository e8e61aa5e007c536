package dev.orderly.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.job.Batch;
import dev.orderly.job.BatchCounts;
import dev.orderly.job.BatchName;
import dev.orderly.job.BatchView;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.PushRefusedException;
import dev.orderly.job.StandardQueue;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Batches inside transactions of the application, and beside them. */
class BatchTransactionTest {
    private final PostgresOptions options = Server.fresh();
    private final Orderly orderly = Orderly.open(PostgresStore.open(options, new SecureRandom()));
    private final StandardQueue<String> emails = orderly.queue("emails", String.class);
    private final StandardQueue<String> reports = orderly.queue("reports", String.class);

    @AfterEach
    void close() {
        orderly.close();
        Server.run("DROP SCHEMA IF EXISTS " + options.schema() + " CASCADE");
    }

    private Connection connection() throws SQLException {
        Connection connection = DriverManager.getConnection(options.url());
        connection.setAutoCommit(false);
        return connection;
    }

    private List<JobId> callbacks() {
        return orderly.jobs().list(reports.name(), JobState.WAITING, null, 10).stream().map(job -> job.id()).toList();
    }

    private BatchView view(String name) {
        return orderly.jobs().batches().require(new BatchName(name));
    }

    @Test
    void batchMembersAndCloseAreOneCommit() throws SQLException {
        try (Connection own = connection()) {
            Batch batch = orderly.batch("import").in(own).then(reports, "all");
            emails.in(own).in(batch).pushAll(List.of("a", "b"));
            batch.close();
            assertThat(batch.view().state()).isEqualTo(BatchView.State.CLOSED);
            assertThat(orderly.jobs().batches().find(new BatchName("import"))).as("before the commit").isEmpty();
            assertThatExceptionOfType(PushRefusedException.class).isThrownBy(() -> emails.in(batch).push("outside"));
            own.commit();
        }
        assertThat(view("import").counts()).isEqualTo(new BatchCounts(2, 0, 0, 0));
        orderly.handle(emails, (_, _) -> {});
        orderly.start();
        await().atMost(Duration.ofSeconds(60)).until(() -> !callbacks().isEmpty());
        assertThat(view("import").counts()).isEqualTo(new BatchCounts(2, 2, 0, 0));
        assertThat(callbacks()).hasSize(1);
    }

    @Test
    void aRollbackLeavesNoBatchAndNoMember() throws SQLException {
        Batch kept = orderly.batch("kept").then(reports, "all");
        try (Connection own = connection()) {
            Batch batch = orderly.batch("import").in(own).then(reports, "all");
            emails.in(own).in(batch).push("a");
            emails.in(own).in(kept).push("b");
            own.rollback();
        }
        assertThat(orderly.jobs().batches().find(new BatchName("import"))).isEmpty();
        assertThat(orderly.jobs().list(emails.name(), JobState.WAITING, null, 10)).isEmpty();
        kept.close();
        assertThat(kept.view().state()).isEqualTo(BatchView.State.FINISHED);
        assertThat(kept.counts()).isEqualTo(BatchCounts.NONE);
    }

    @Test
    void aCloseWaitsForTheOpenTransactionThatPushesAMember() throws Exception {
        Batch batch = orderly.batch("import").then(reports, "all");
        try (Connection own = connection()) {
            emails.in(own).in(batch).push("a");
            CompletableFuture<Void> closing = CompletableFuture.runAsync(batch::close, Thread::startVirtualThread);
            await().atMost(Duration.ofSeconds(60)).until(() -> Server.count("SELECT count(*) FROM pg_stat_activity"
                    + " WHERE wait_event_type = 'Lock' AND application_name = '" + options.schema() + "'") == 1);
            own.commit();
            closing.get(60, TimeUnit.SECONDS);
        }
        assertThat(batch.view().state()).as("the member counts").isEqualTo(BatchView.State.CLOSED);
        assertThat(batch.counts()).isEqualTo(new BatchCounts(1, 0, 0, 0));
        assertThat(callbacks()).isEmpty();
    }

    @Test
    void membersThatANodeOfAnEarlierVersionEndedStillBringTheCallback() {
        Batch batch = orderly.batch("import").then(reports, "all");
        emails.in(batch).pushAll(List.of("a", "b", "c"));
        batch.close();
        Server.run("DELETE FROM " + options.schema() + ".job WHERE batch IS NOT NULL"); // without a tally
        orderly.start();
        await().atMost(Duration.ofSeconds(60)).until(() -> !callbacks().isEmpty());
        assertThat(batch.counts()).isEqualTo(new BatchCounts(3, 3, 0, 0));
    }
}
