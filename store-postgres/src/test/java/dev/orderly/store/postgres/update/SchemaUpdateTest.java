package dev.orderly.store.postgres.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.orderly.store.StoreException;
import dev.orderly.store.postgres.PostgresOptions;
import dev.orderly.store.postgres.PostgresStore;
import dev.orderly.store.postgres.Server;
import dev.orderly.testkit.resilience.LogLines;
import dev.orderly.testkit.server.FaultProxy;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The update of a schema of 0.1.0 that meets long transactions, other nodes, losses of its connection, and users. */
@Tag("slow")
class SchemaUpdateTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String SESSION = "dev.orderly.store.postgres.sql.MigrationSession";
    private static final String UPDATE = "dev.orderly.store.postgres.sql.SchemaUpdate";
    private static final String INDEXES = "SELECT count(*) FROM pg_index WHERE indrelid = '$job'::regclass";

    private final FirstRelease store = new FirstRelease();

    @AfterEach
    void drop() {
        store.drop();
    }

    @Test
    void anUpdateWhoseSessionWasEndedContinuesAndBuildsTheIndexAgain() throws Exception {
        try (Connection report = report()) {
            CompletableFuture<Void> opening = open(store.options());
            awaitTheIndex();
            Server.run("SELECT pg_terminate_backend(" + store.updating() + ")");
            assertUnavailable(opening);
            report.rollback();
        }
        assertThat(store.version()).isEqualTo(10);
        assertThat(store.count(INDEXES + " AND NOT indisvalid")).isOne();
        try (LogLines log = LogLines.of(UPDATE, Level.INFO)) {
            PostgresStore.open(store.options()).close();
            assertThat(log.with("from version 10 to ")).isNotEmpty();
            assertThat(log.with("The index job_dead_error of an attempt that was ended is built again")).isNotEmpty();
        }
        assertThat(store.count(INDEXES + " AND NOT indisvalid")).isZero();
        assertThat(store.version()).isGreaterThanOrEqualTo(15);
    }

    @Test
    void nothingOfAnUpdateStaysInTheServerWhenItsProcessIsGone() throws Exception {
        int port = URI.create(store.options().url().substring("jdbc:".length())).getPort();
        try (Connection report = report(); FaultProxy network = new FaultProxy(port)) {
            CompletableFuture<Void> opening = open(PostgresOptions.at(store.options().url()
                    .replaceFirst(":" + port + "/", ":" + network.port() + "/")).withSchema(store.schema())
                    .withConnections(2));
            awaitTheIndex();
            network.refuse();
            assertUnavailable(opening);
            await().atMost(PATIENCE).until(() -> store.updating() == 0);
            report.rollback();
        }
    }

    @Test
    void oneNodeUpdatesWithoutALimitOfTimeAndTheOthersWaitAndNameIt() throws Exception {
        PostgresOptions impatient = PostgresOptions.at(store.options().url() + "&socketTimeout=1"
                + "&options=-c%20statement_timeout=1000").withSchema(store.schema()).withConnections(2);
        try (Connection report = report(); LogLines log = LogLines.of(SESSION, Level.INFO)) {
            CompletableFuture<Void> first = open(impatient);
            awaitTheIndex();
            long session = store.updating();
            CompletableFuture<Void> second = open(store.options());
            await().atMost(PATIENCE).until(() -> log.with("this node waits").stream()
                    .anyMatch(line -> line.contains("session " + session) && line.contains("index job_dead_error")
                            && line.contains("old snapshots")));
            await().atMost(PATIENCE).until(() -> store.count("SELECT count(*) FROM pg_stat_activity WHERE pid = "
                    + session + " AND clock_timestamp() - query_start > '1500ms'") == 1);
            assertThat(first).isNotDone();
            assertThat(second).isNotDone();
            report.rollback();
            first.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            second.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Test
    void aTransactionThatKeepsATableHoldsUpTheUpdateAndNobodyElse() throws Exception {
        try (Connection report = report();
                Statement statement = report.createStatement();
                OldNode old = new OldNode(store);
                LogLines log = LogLines.of(SESSION, Level.INFO)) {
            statement.execute("SELECT count(*) FROM " + store.schema() + ".job");
            CompletableFuture<Void> opening = open(store.options());
            await().atMost(PATIENCE).until(() -> !log.with("meets a lock").isEmpty());
            assertThat(log.with("meets a lock").getFirst()).contains("idle in transaction");
            int then = old.calls();
            await().atMost(PATIENCE).until(() -> old.calls() > then + 20 || !old.failures().isEmpty());
            assertThat(opening).isNotDone();
            report.rollback();
            opening.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(old.failures()).isEmpty();
        }
    }

    /** A function that is dropped is missed by calls that are under way, even if it is created again. */
    @Test
    void theFunctionsThatOldNodesCallAreReplacedInPlace() {
        String functions = "FROM pg_proc WHERE pronamespace = '" + store.schema() + "'::regnamespace";
        long last = Server.count("SELECT max(oid)::bigint " + functions);
        String old = "SELECT count(*) " + functions + " AND oid::bigint <= " + last;
        long before = Server.count(old);
        PostgresStore.open(store.options()).close();
        assertThat(Server.count(old)).isEqualTo(before).isPositive();
        assertThat(Server.count("SELECT count(*) " + functions + " AND proname = 'job_heartbeat'")).isOne();
    }

    @Test
    void aUserThatOwnsTheSchemaNeedsNoRightsOnTheDatabaseAndAnotherUserIsToldTheRemedy() {
        String owner = store.schema() + "_owner";
        String other = store.schema() + "_other";
        store.drop();
        Server.run("CREATE ROLE " + owner + " LOGIN", "CREATE ROLE " + other + " LOGIN",
                "CREATE SCHEMA " + store.schema() + " AUTHORIZATION " + owner);
        try {
            PostgresStore.open(as(owner)).close();
            Server.run("GRANT USAGE ON SCHEMA " + store.schema() + " TO " + other, "GRANT ALL ON ALL TABLES IN SCHEMA "
                    + store.schema() + " TO " + other);
            store.run("UPDATE meta SET version = version - 1");
            assertThatThrownBy(() -> PostgresStore.open(as(other))).isInstanceOf(StoreException.Unusable.class)
                    .hasMessageContaining("owner").hasMessageContaining("orderly store migrate");
            PostgresStore.open(as(owner)).close();
        } finally {
            store.drop();
            Server.run("DROP ROLE " + owner, "DROP ROLE " + other);
        }
    }

    private PostgresOptions as(String user) {
        return PostgresOptions.at(store.options().url().replaceFirst("user=[a-z]+", "user=" + user))
                .withSchema(store.schema()).withConnections(2);
    }

    /** A transaction with a snapshot, which each index that is built beside it waits for. */
    private Connection report() throws SQLException {
        Connection report = DriverManager.getConnection(store.options().url());
        report.setAutoCommit(false);
        report.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (Statement statement = report.createStatement()) {
            statement.execute("SELECT 1");
        }
        return report;
    }

    private static CompletableFuture<Void> open(PostgresOptions options) {
        return CompletableFuture.runAsync(() -> PostgresStore.open(options).close(), task -> Thread.ofPlatform()
                .start(task));
    }

    private void awaitTheIndex() {
        await().atMost(PATIENCE)
                .until(() -> store.count("SELECT count(*) FROM pg_stat_progress_create_index WHERE pid = "
                        + store.updating() + " AND phase = 'waiting for old snapshots'") == 1);
    }

    private static void assertUnavailable(CompletableFuture<Void> opening) {
        assertThatThrownBy(() -> opening.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class).hasCauseInstanceOf(StoreException.Unavailable.class);
    }
}
