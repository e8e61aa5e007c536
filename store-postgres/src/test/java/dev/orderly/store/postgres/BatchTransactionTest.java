package dev.orderly.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.job.Batch;
import dev.orderly.job.BatchCounts;
import dev.orderly.job.BatchName;
import dev.orderly.job.BatchView;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.PushRefusedException;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.store.BatchStore;
import dev.orderly.store.StoreException;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Batches inside transactions of the application, and beside them. */
class BatchTransactionTest {
    private static final int HELD = 100;
    private final PostgresOptions options = Server.fresh();
    private final PostgresStore store = PostgresStore.open(options, new SecureRandom());
    private final Orderly orderly = Orderly.open(store);
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
        return orderly.engines().jobs().batches().require(new BatchName(name));
    }

    @Test
    void batchMembersAndCloseAreOneCommit() throws SQLException {
        try (Connection own = connection()) {
            Batch batch = orderly.batch("import").in(own).then(reports, "all");
            emails.in(own).in(batch).pushAll(List.of("a", "b"));
            batch.close();
            assertThat(batch.view().state()).isEqualTo(BatchView.State.CLOSED);
            assertThat(orderly.engines().jobs().batches().find(new BatchName("import"))).as("before the commit")
                    .isEmpty();
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
        assertThat(orderly.engines().jobs().batches().find(new BatchName("import"))).isEmpty();
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

    @Test
    void aMemberThatAnOpenTransactionHoldsKeepsNothingElseFromBeingCancelled() throws SQLException {
        Batch first = orderly.batch("first").then(reports, "first");
        Batch second = orderly.batch("second").then(reports, "second");
        JobId held = emails.in(first).push("held");
        emails.in(first).pushAll(List.of("a", "b"));
        emails.in(second).push("c");
        orderly.start();
        try (Connection own = connection(); Statement statement = own.createStatement()) {
            statement.execute("SELECT FROM " + options.schema() + ".job WHERE seq = " + held.sequence()
                    + " FOR UPDATE");
            first.cancel();
            second.cancel();
            await().atMost(Duration.ofSeconds(60)).until(
                    () -> view("first").counts().cancelled() == 2 && !callbacks().isEmpty());
            assertThat(view("second").state()).isEqualTo(BatchView.State.FINISHED);
            assertThat(view("first").state()).isEqualTo(BatchView.State.CANCELLED);
            own.rollback();
        }
        await().atMost(Duration.ofSeconds(60)).until(() -> callbacks().size() == 2);
        assertThat(view("first").counts()).isEqualTo(new BatchCounts(3, 0, 0, 3));
    }

    @Test
    void aMemberWaitsForTheGroupThatAnOpenTransactionHoldsAsAnyPushDoes() throws Exception {
        FifoQueue<String> orders = orderly.fifo("orders.fifo", String.class);
        Batch batch = orderly.batch("import").then(reports, "all");
        CompletableFuture<JobId> member;
        try (Connection own = connection()) {
            orders.in(own).group("g").push("first");
            member = CompletableFuture.supplyAsync(() -> orders.in(batch).group("g").push("second"),
                    Thread::startVirtualThread);
            assertWaits(member);
            own.commit();
        }
        member.get(60, TimeUnit.SECONDS);
        assertThat(batch.counts().pushed()).isOne();
    }

    @Test
    void callbacksIntoHeldGroupsHoldUpNoOtherCallback() throws Exception {
        FifoQueue<String> sums = orderly.fifo("sums.fifo", String.class);
        BatchStore batches = store.jobs().batches();
        try (Connection own = connection()) {
            for (int n = 0; n < HELD; n++) {
                var _ = orderly.batch("held-" + n).then(sums, "g" + n, "all");
                sums.in(own).group("g" + n).push("before");
                var _ = batches.close(view("held-" + n).number(), orderly.jobs().now());
            }
            Batch free = orderly.batch("free").then(reports, "all");
            CompletableFuture<Void> closing = CompletableFuture.runAsync(free::close, Thread::startVirtualThread);
            closing.get(HELD / 5, TimeUnit.SECONDS); // a wait of a quarter of a second for each would take longer
            assertThat(free.view().state()).isEqualTo(BatchView.State.FINISHED);
            assertThat(view("held-0").state()).isEqualTo(BatchView.State.CLOSED);
            own.commit();
        }
        assertThat(batches.finish(orderly.jobs().now()).callbacks()).hasSize(HELD);
        assertThat(orderly.jobs().list(sums.name(), JobState.WAITING, null, 1_000)).hasSize(2 * HELD);
    }

    @Test
    void aMemberWaitsForAnOpenTransactionThatClosesItsBatch() throws Exception {
        Batch batch = orderly.batch("import").then(reports, "all");
        CompletableFuture<JobId> member;
        try (Connection own = connection()) {
            orderly.batch("import").in(own).then(reports, "all").close();
            member = CompletableFuture.supplyAsync(() -> emails.in(batch).push("a"), Thread::startVirtualThread);
            assertWaits(member);
            own.rollback();
        }
        member.get(60, TimeUnit.SECONDS);
        assertThat(batch.counts().pushed()).isOne();
    }

    @Test
    void manyThatWaitForAnOpenTransactionLeaveTheConnectionsToOthers() throws Exception {
        Batch closing = orderly.batch("closing").then(reports, "all");
        List<CompletableFuture<Void>> waiting = new ArrayList<>();
        try (Connection own = connection()) {
            emails.in(own).in(closing).push("a");
            orderly.batch("opening").in(own).then(reports, "all");
            for (int n = 0; n < 20; n++) {
                waiting.add(CompletableFuture.runAsync(closing::close, Thread::startVirtualThread));
                waiting.add(CompletableFuture.runAsync(() -> orderly.batch("opening").then(reports, "all"),
                        Thread::startVirtualThread));
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> Server.count("SELECT count(*) FROM pg_stat_activity"
                    + " WHERE wait_event_type = 'Lock' AND application_name = '" + options.schema() + "'") > 4);
            emails.push("other");
            assertThat(waiting).as("wait longer than a push that does not concern them").noneMatch(Future::isDone);
            own.rollback();
        }
        for (CompletableFuture<Void> each : waiting) {
            each.get(60, TimeUnit.SECONDS);
        }
        assertThat(closing.view().state()).isEqualTo(BatchView.State.FINISHED);
        assertThat(view("opening").state()).isEqualTo(BatchView.State.OPEN);
    }

    @Test
    void aBatchThatAnOpenTransactionHoldsIsNamedInTheRefusal() throws SQLException {
        Batch batch = orderly.batch("import").then(reports, "all");
        try (Connection own = connection()) {
            emails.in(own).in(batch).push("a");
            orderly.batch("opening").in(own).then(reports, "all");
            assertThatExceptionOfType(StoreException.Unavailable.class).isThrownBy(batch::close)
                    .withMessageContaining("Batch import is not closed").withMessageContaining("end sooner");
            assertThatExceptionOfType(StoreException.Unavailable.class)
                    .isThrownBy(() -> orderly.batch("opening").then(reports, "all"))
                    .withMessageContaining("Batch opening is not opened").withMessageContaining("end sooner");
            own.rollback();
        }
    }

    /** Longer than a lone try for a lock, and far less than the time for which a push waits. */
    private static void assertWaits(CompletableFuture<JobId> push) {
        assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> push.get(1, TimeUnit.SECONDS));
    }
}
