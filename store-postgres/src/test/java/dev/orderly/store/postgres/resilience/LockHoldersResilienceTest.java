package dev.orderly.store.postgres.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.orderly.flow.Lifecycle;
import dev.orderly.job.Batch;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.diagnosis.BatchDiagnosis;
import dev.orderly.job.diagnosis.BatchDiagnostics;
import dev.orderly.job.diagnosis.JobDiagnosis;
import dev.orderly.job.diagnosis.JobDiagnostics;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.engine.JobWorker;
import dev.orderly.job.engine.MessageTarget;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.transaction.CallersTransaction;
import dev.orderly.store.Bus;
import dev.orderly.store.StoreException;
import dev.orderly.store.postgres.PostgresOptions;
import dev.orderly.store.postgres.PostgresStore;
import dev.orderly.testkit.server.PostgresServer;
import dev.orderly.time.Time;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** The names of the transactions that hold a group or a batch. */
@Tag("slow") // a server of its own, since prepared transactions are a setting
class LockHoldersResilienceTest {
    private static final NewJob INTO_G = new NewJob(new QueueName("orders.fifo"), "g", Priority.NORMAL, null,
            Payload.text("a"), Map.of(), null, null, null);

    private final PostgresServer server = PostgresServer.start("fsync=off", "max_prepared_transactions=2");
    private final PostgresStore postgres = PostgresStore.open(
            PostgresOptions.at(server.url()).withSchema("holders").withConnections(4)
                    .withCallerHold(Duration.ofMinutes(2)));
    private final Lifecycle lifecycle = new Lifecycle();
    private final JobClient client = new JobClient(postgres.jobs(), postgres.jobViews(), EngineOptions.defaults(),
            Bus.ALONE, postgres.transactionalJobs(), lifecycle);
    private final JobWorker worker = new JobWorker(client, MessageTarget.NONE);
    private final FifoQueue<String> orders = client.fifo("orders.fifo", String.class, QueueOptions.FIFO);

    @AfterEach
    void close() {
        lifecycle.end();
        postgres.close();
        server.close();
    }

    @Test
    void aRefusedPushNamesTheSessionAlsoOfAGroupThatIsNotCommitted() throws SQLException {
        try (Connection own = connection()) {
            orders.in(own).group("g").push("a");
            assertThat(refusal()).contains("session " + pid(own), "application \"shop\"");
            own.commit();
            orders.in(own).group("g").push("b");
            assertThat(refusal()).contains("session " + pid(own), "application \"shop\"");
        }
    }

    @Test
    void theDiagnosisOfAJobNamesTheSessionThatHoldsItsGroup() throws SQLException {
        JobId waits = orders.group("g").push("a");
        worker.handle(orders, (_, _) -> {});
        try (Connection own = connection()) {
            orders.in(own).group("g").push("b");
            await().until(() -> why(waits).cause() == JobDiagnosis.Cause.GROUP_HELD);
            assertThat(why(waits).sentence()).contains("session " + pid(own), "application \"shop\"");
            own.rollback();
            assertThat(why(waits).cause()).isNotEqualTo(JobDiagnosis.Cause.GROUP_HELD);
        }
    }

    @Test
    void theDiagnosisOfABatchNamesTheSessionThatKeepsItFromItsCloseAndFromItsEnd() throws SQLException {
        StandardQueue<String> mails = client.queue("mails", String.class, QueueOptions.STANDARD);
        Batch batch = client.batches().opening("import").then(mails, "all");
        try (Connection own = connection()) {
            mails.in(own).in(batch).push("a");
            await().until(() -> why(batch).cause() == BatchDiagnosis.Cause.HELD);
            assertThat(why(batch).sentence()).contains("A close waits", "session " + pid(own), "application \"shop\"");
            own.rollback();
            assertThat(why(batch).cause()).isEqualTo(BatchDiagnosis.Cause.OPEN);
            JobId member = mails.in(batch).push("b");
            batch.close();
            client.batches().in(new CallersTransaction.OnConnection(own)).cancel(batch.view().member());
            client.cancel(member);
            await().until(() -> why(batch).cause() == BatchDiagnosis.Cause.HELD);
            assertThat(why(batch).sentence()).contains("All members have ended", "session " + pid(own));
            own.rollback();
            assertThat(why(batch).cause()).isEqualTo(BatchDiagnosis.Cause.READY);
        }
    }

    private BatchDiagnosis why(Batch batch) {
        return new BatchDiagnostics(client, worker, postgres.jobViews()).of(batch.name());
    }

    @Test
    void aPreparedTransactionIsNamed() throws SQLException {
        try (Connection own = connection(); Statement statement = own.createStatement()) {
            orders.in(own).group("g").push("a");
            statement.execute("PREPARE TRANSACTION 'order 4711'");
            assertThat(refusal()).contains("'order 4711'", "ROLLBACK PREPARED");
            own.setAutoCommit(true);
            statement.execute("ROLLBACK PREPARED 'order 4711'");
            postgres.jobs().push(List.of(INTO_G), Time.system().now());
        }
    }

    private JobDiagnosis why(JobId job) {
        return new JobDiagnostics(client, worker, postgres.jobViews()).of(job);
    }

    private String refusal() {
        StoreException.Blocked refused = catchThrowableOfType(StoreException.Blocked.class,
                () -> postgres.jobs().push(List.of(INTO_G), Time.system().now()));
        assertThat(refused).isNotNull();
        return String.valueOf(refused.getMessage());
    }

    private static int pid(Connection connection) throws SQLException {
        return connection.unwrap(PGConnection.class).getBackendPID();
    }

    private Connection connection() throws SQLException {
        Connection connection = DriverManager.getConnection(server.url() + "&ApplicationName=shop");
        connection.setAutoCommit(false);
        return connection;
    }
}
