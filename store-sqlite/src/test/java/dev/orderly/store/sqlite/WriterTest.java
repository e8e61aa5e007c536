package dev.orderly.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobFailure;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.job.store.JobStore.Heartbeat;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.Settlement;
import dev.orderly.store.StoreException;
import dev.orderly.store.sqlite.file.ConnectionFactory;
import dev.orderly.store.sqlite.file.DatabaseFiles;
import dev.orderly.store.sqlite.file.LockedJobsFile;
import dev.orderly.store.sqlite.file.SqliteErrors;
import dev.orderly.store.sqlite.file.SqliteMigrations;
import dev.orderly.store.sqlite.file.WriterConnection;
import dev.orderly.store.sqlite.port.Heartbeats;
import dev.orderly.store.sqlite.port.SqliteClaims;
import dev.orderly.store.sqlite.port.SqliteJobChanges;
import dev.orderly.store.sqlite.port.SqlitePushes;
import dev.orderly.store.sqlite.port.SqliteSettlements;
import dev.orderly.store.sqlite.state.MemoryBounds;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.writer.RequestQueue;
import dev.orderly.store.sqlite.writer.RequestQueue.Call;
import dev.orderly.store.sqlite.writer.RowCounter;
import dev.orderly.store.sqlite.writer.WriteRequest;
import dev.orderly.store.sqlite.writer.Writer;
import dev.orderly.time.Time;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The body of the writer's loop, on the test's thread. */
class WriterTest {
    private static final QueueName MAIL = new QueueName("mail");
    private static final QueueName ORDERS = new QueueName("orders.fifo");
    private static final NodeId NODE = new NodeId("node");
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    private Path folder;

    private final OpenResources closing = new OpenResources();
    private final Time time = Time.system();
    private @Nullable Connection connection;
    private @Nullable WriterState state;
    private @Nullable Writer writer;

    @BeforeEach
    void open() throws SQLException, IOException {
        Path file = folder.resolve("orderly.db");
        ConnectionFactory connector = new SqliteConnections(file, SqliteOptions.DEFAULT);
        WriterConnection writing = closing.add(new WriterConnection(new DatabaseFiles(file), connector));
        Connection opened = writing.get();
        long salt = SqliteMigrations.prepare(opened, OptionalLong.empty(), new Random(1));
        LockedJobsFile running = closing.add(LockedJobsFile.open(folder.resolve("running"), salt));
        WriterState made = closing.add(WriterState.restore(opened, salt, running, Time.system(),
                MemoryBounds.ofHeap(), folder.resolve("keys")));
        connection = opened;
        state = made;
        writer = new Writer(new RequestQueue(time), writing, made, new SqliteErrors(file), new RowCounter(connector));
        ask(Heartbeats.beat(NODE, Set.of()));
    }

    @AfterEach
    void close() {
        closing.close();
    }

    @Test
    void aBadRequestDoesNotAffectOtherRequestsOfItsTransaction() throws SQLException {
        Call<List<PushResult>> before = push(List.of(mail(1, null)));
        Call<Boolean> bad = call(WriteRequest.shared(1, _ -> {
            throw new SQLException("nonsense");
        }));
        Call<List<PushResult>> after = push(List.of(mail(1, null)));
        serve(before, bad, after);
        assertThat(result(before)).first().isInstanceOf(PushResult.Accepted.class);
        assertThatThrownBy(() -> result(bad)).isInstanceOf(StoreException.Unavailable.class)
                .hasMessageContaining("nonsense");
        assertThat(result(after)).first().isInstanceOf(PushResult.Accepted.class);
        assertThat(claim(MAIL, 10).jobs()).hasSize(2);
    }

    @Test
    void requestsOfATransactionSeeEachOther() throws SQLException {
        DedupeKey key = new DedupeKey(1, 2);
        Call<List<PushResult>> first = push(List.of(mail(1, key)));
        Call<List<PushResult>> second = push(List.of(mail(1, key)));
        serve(first, second);
        assertThat(result(second)).containsExactly(new PushResult.Duplicate(result(first).getFirst().id()));
        ClaimedJobs claims = claim(MAIL, 10);
        Settlement done = new Settlement(NODE, claims.jobs().getFirst().attempt(), new AttemptOutcome.Done(null));
        Call<List<SettleResult>> one = call(SqliteSettlements.settle(List.of(done), NOW));
        Call<List<SettleResult>> again = call(SqliteSettlements.settle(List.of(done), NOW));
        serve(one, again);
        assertThat(result(one)).containsExactly(SettleResult.ACCEPTED);
        assertThat(result(again)).containsExactly(SettleResult.LEASE_LOST);
    }

    @Test
    void aFullDiskRefusesARequestThatDoesNotFitAndServesTheRest() throws SQLException {
        ask(SqlitePushes.request(List.of(mail(1, null)), NOW));
        try (Statement statement = connection().createStatement()) {
            statement.execute("PRAGMA max_page_count = 30");
        }
        Call<List<PushResult>> large = push(Collections.nCopies(20, mail(50_000, null)));
        Call<List<PushResult>> small = push(List.of(mail(1, null)));
        serve(large, small);
        assertThatThrownBy(() -> result(large)).isInstanceOf(StoreException.Unavailable.class)
                .hasMessageContaining("No room").hasMessageContaining("orderly.db");
        assertThat(result(small)).first().isInstanceOf(PushResult.Accepted.class);
        ClaimedJobs claims = claim(MAIL, 10);
        assertThat(claims.jobs()).hasSize(2);
        assertThat(ask(SqliteSettlements.settle(claims.jobs().stream()
                .map(job -> new Settlement(NODE, job.attempt(), new AttemptOutcome.Done(null))).toList(), NOW)))
                .containsOnly(SettleResult.ACCEPTED);
    }

    @Test
    void aQueueOfARefusedFirstPushIsNotCreated() throws SQLException {
        Call<List<PushResult>> bad = push(List.of(mail(1, null)));
        serveFailing(bad);
        assertThat(state().queues.find(MAIL)).isNull();
        assertThat(ask(SqlitePushes.request(List.of(mail(1, null)), NOW))).first()
                .isInstanceOf(PushResult.Accepted.class);
    }

    @Test
    void memoryDoesNotGrowWithPendingJobs() throws SQLException {
        for (int round = 0; round < 100; round++) {
            List<NewJob> jobs = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                jobs.add(mail(20, null));
                jobs.add(order("g" + i % 50));
            }
            ask(SqlitePushes.request(jobs, NOW));
        }
        assertThat(state().queues.all()).hasSize(2).allSatisfy(index -> {
            assertThat(index.counts().waiting.get()).isEqualTo(100_000);
            assertThat(index.buffered()).isLessThan(5_000);
        });
        assertThat(state().keys.uncommitted()).isZero();
        assertThat(state().running.all()).isEmpty();
    }

    @Test
    void aGroupGoesOnFromARedrivenJobWhileALaterJobWaitsForItsRetry() throws SQLException {
        ask(SqlitePushes.request(List.of(order("g"), order("g")), NOW));
        JobFailure failure = new JobFailure("no", "");
        List<ClaimedJob> run = claim(ORDERS, 1).jobs();
        ask(SqliteSettlements.settle(
                List.of(new Settlement(NODE, run.getFirst().attempt(), new AttemptOutcome.Dead(failure, false))),
                NOW));
        assertThat(ask(SqliteJobChanges.redriveAll(ORDERS, 10))).isEqualTo(1);
        ask(SqliteSettlements.settle(List.of(new Settlement(NODE, run.getLast().attempt(),
                new AttemptOutcome.Retry(NOW.plusSeconds(60), failure))), NOW));
        assertThat(claim(ORDERS, 1).jobs()).extracting(ClaimedJob::id).containsExactly(run.getFirst().id());
    }

    @Test
    void aClaimWhoseCallerGaveUpIsUndone() throws SQLException {
        ask(SqlitePushes.request(List.of(mail(1, null)), NOW));
        Call<SqliteClaims.Claim> lost = call(
                SqliteClaims.request(new ClaimRequest(NODE, List.of(new ClaimRequest.Demand(MAIL, 1))), NOW));
        assertThat(lost.take()).isTrue();
        assertThatThrownBy(() -> lost.await(time, time.deadline(Duration.ZERO)))
                .isInstanceOf(StoreException.OutcomeUnknown.class);
        writer().serve(List.of(lost));
        assertThat(state().running.all()).isEmpty();
        assertThat(claim(MAIL, 1).jobs()).singleElement()
                .satisfies(job -> assertThat(job.attempt().number()).isEqualTo(1));
    }

    @Test
    void anInterruptDoesNotWithdrawAPush() throws SQLException {
        Call<List<PushResult>> push = new Call<>(SqlitePushes.request(List.of(mail(1, null)), NOW), false);
        Thread.currentThread().interrupt();
        serve(push);
        assertThat(result(push)).first().isInstanceOf(PushResult.Accepted.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void anInterruptWithdrawsARequestThatHasNotBegun() {
        Call<Heartbeat> waiting = call(Heartbeats.beat(NODE, Set.of()));
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> waiting.await(time, time.deadline(Duration.ofSeconds(30))))
                .isInstanceOf(StoreException.Unavailable.class).hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(waiting.take()).isFalse();
    }

    private void serveFailing(Call<List<PushResult>> push) throws SQLException {
        try (Statement statement = connection().createStatement()) {
            statement.execute(
                    "CREATE TEMP TRIGGER refuse BEFORE INSERT ON main.job BEGIN SELECT RAISE(ABORT, 'no'); END");
            connection().commit();
            serve(push);
            assertThatThrownBy(() -> result(push)).isInstanceOf(StoreException.Unavailable.class);
            statement.execute("DROP TRIGGER refuse");
            connection().commit();
        }
    }

    private static NewJob mail(int size, @Nullable DedupeKey key) {
        return new NewJob(MAIL, null, Priority.NORMAL, null, payload(size), Map.of(), null, key, null);
    }

    private static NewJob order(String group) {
        return new NewJob(ORDERS, group, Priority.NORMAL, null, payload(20), Map.of(), null, null, null);
    }

    private static Payload payload(int size) {
        return Payload.text("x".repeat(size));
    }

    private ClaimedJobs claim(QueueName queue, int limit) throws SQLException {
        return ask(SqliteClaims.request(new ClaimRequest(NODE, List.of(new ClaimRequest.Demand(queue, limit))), NOW))
                .jobs();
    }

    private static Call<List<PushResult>> push(List<NewJob> jobs) {
        return call(SqlitePushes.request(jobs, NOW));
    }

    private static <T> Call<T> call(WriteRequest<T> request) {
        return new Call<>(request, true);
    }

    private <T> T ask(WriteRequest<T> request) throws SQLException {
        Call<T> call = call(request);
        serve(call);
        return result(call);
    }

    private void serve(Call<?>... calls) throws SQLException {
        for (Call<?> call : calls) {
            assertThat(call.take()).isTrue();
        }
        writer().serve(List.of(calls));
    }

    private <T> T result(Call<T> call) {
        return call.await(time, time.deadline(Duration.ofSeconds(1)));
    }

    private Connection connection() {
        return Objects.requireNonNull(connection);
    }

    private WriterState state() {
        return Objects.requireNonNull(state);
    }

    private Writer writer() {
        return Objects.requireNonNull(writer);
    }
}
