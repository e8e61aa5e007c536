package dev.orderly.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.orderly.Store;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.NewJob;
import dev.orderly.store.StoreException;
import dev.orderly.store.copy.CopyResult;
import dev.orderly.store.copy.OpenCopySource;
import dev.orderly.store.copy.StoreCopy;
import dev.orderly.testkit.contract.copy.CopyState;
import dev.orderly.testkit.contract.copy.CopyTrial;
import dev.orderly.testkit.contract.copy.CopyViews;
import dev.orderly.testkit.contract.copy.StoppedSource;
import dev.orderly.time.Time;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A schema that is read as a user with {@code SELECT} only. */
class PostgresSourceTest {
    private final Server.Opened source = Server.openEmpty();
    private final String schema = Objects.requireNonNull(source.options().schema());
    private final String reader = "reader_of_" + schema;

    PostgresSourceTest() {
        Server.run("CREATE ROLE " + reader + " LOGIN PASSWORD 'reads'",
                "GRANT USAGE ON SCHEMA " + schema + " TO " + reader,
                "GRANT SELECT ON ALL TABLES IN SCHEMA " + schema + " TO " + reader,
                "GRANT SELECT ON ALL SEQUENCES IN SCHEMA " + schema + " TO " + reader);
    }

    @AfterEach
    void drop() {
        Server.run("DROP OWNED BY " + reader, "DROP ROLE " + reader);
        source.close();
    }

    private String url() {
        return "postgres://" + reader + ":reads@127.0.0.1:" + Server.port() + "/postgres?schema=" + schema;
    }

    @Test
    void aUserWhoMayOnlyReadCopiesAllData() {
        CopyState state = new CopyState(41, source.clock(Time.system()).now());
        state.fill(source);
        Store target = Server.openEmpty();
        try (OpenCopySource reading = PostgresSource.at(url())) {
            assertThat(reading.jobs()).isPositive();
            assertThat(new StoreCopy(new StoppedSource(reading.data()), target.copying(), CopyTrial.SILENT)
                    .run("a test", reading.now())).isInstanceOfSatisfying(CopyResult.Compared.class,
                            result -> assertThat(result.equal()).isTrue());
        }
        try (Store copy = Server.reopened(target)) {
            new CopyViews(state).compare(source, copy);
        }
    }

    @Test
    void aLiveNodeIsSeen() {
        source.jobs().beat(new NodeId("node-1"));
        try (OpenCopySource reading = PostgresSource.at(url())) {
            assertThat(reading.data().liveNodes()).contains("node node-1");
        }
    }

    @Test
    void anInstanceThatOnlyPushesIsSeenAndNotCopiedAway() {
        push(source);
        Store target = Server.openEmpty();
        try (target; OpenCopySource reading = PostgresSource.at(url())) {
            CopyResult refused = new StoreCopy(reading.data(), target.copying(), CopyTrial.SILENT)
                    .run("a test", reading.now());
            assertThat(refused).isInstanceOfSatisfying(CopyResult.Refused.class, result -> assertThat(result.reason())
                    .contains("the source by ").contains(" open connections of " + schema).contains("stop every node"));
            push(source);
            assertThat(target.jobViews().queues()).isEmpty();
        }
    }

    @Test
    void nothingConnectsToAStoreWhileItIsCopied() {
        PostgresOptions options = Server.fresh();
        String address = options.url().replaceFirst("^jdbc:postgresql:", "postgres:") + "&schema=" + options.schema();
        try (Store store = PostgresStore.open(options)) {
            push(store);
        }
        try (OpenCopySource reading = PostgresSource.at(address)) {
            assertThat(reading.data().liveNodes()).isEmpty();
            assertThatThrownBy(() -> PostgresStore.open(options)).isInstanceOf(StoreException.Unavailable.class)
                    .hasMessageContaining("is being copied to another store")
                    .hasMessageContaining("stop this process, and start it with the new store");
            assertThat(reading.data().liveNodes()).isEmpty();
        }
        try (Store store = PostgresStore.open(options)) {
            push(store);
            assertThat(store.jobViews().queues().getFirst().waiting()).isEqualTo(2);
        }
        Server.run("DROP SCHEMA " + options.schema() + " CASCADE");
    }

    private static void push(Store store) {
        store.jobs().push(List.of(new NewJob(new QueueName("mail"), null, Priority.NORMAL, null, Payload.text("a"),
                Map.of(), null, null, null)), Instant.parse("2026-03-01T12:00:00Z"));
    }

    @Test
    void tablesOfAnOlderVersionAreRefusedToAReaderAndUpdatedForTheOwner() {
        Server.run("UPDATE " + schema + ".meta SET version = version - 1");
        assertThatThrownBy(() -> PostgresSource.at(url())).isInstanceOf(StoreException.Unusable.class)
                .hasMessageContaining("tables of an older version")
                .hasMessageContaining("start this version on it once, stop it, and copy then, or copy as the owner");
        String owner = source.options().url().replaceFirst("^jdbc:postgresql:", "postgres:");
        try (OpenCopySource reading = PostgresSource.at(owner + "&schema=" + schema)) {
            assertThat(reading.data().identity()).isPresent();
        }
    }

    @Test
    void aSchemaWithoutRightsIsRefusedWithTheRemedy() {
        Server.run("REVOKE ALL ON ALL TABLES IN SCHEMA " + schema + " FROM " + reader);
        assertThatThrownBy(() -> PostgresSource.at(url())).isInstanceOf(StoreException.class)
                .hasMessageContaining("This user may not read admission, audit, ")
                .hasMessageContaining("run GRANT USAGE ON SCHEMA " + schema);
    }

    @Test
    void aRollbackOfTheFirstTransactionKeepsTheSchemaOfAConnection() throws SQLException {
        try (HikariDataSource pool = new HikariDataSource(PostgresPools.ofTables(source.options(), schema));
                Connection connection = pool.getConnection()) {
            connection.rollback();
            try (ResultSet row = connection.createStatement().executeQuery("SELECT current_schema()")) {
                row.next();
                assertThat(row.getString(1)).isEqualTo(schema);
            }
        }
    }
}
