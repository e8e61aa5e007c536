package dev.orderly.store.postgres.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.orderly.Orderly;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.StandardQueue;
import dev.orderly.store.StoreException;
import dev.orderly.store.postgres.PostgresOptions;
import dev.orderly.store.postgres.PostgresStore;
import dev.orderly.store.postgres.Server;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A store over a data source of the application. */
class CallersDataSourceTest {
    private static final String SETTINGS = "SELECT string_agg(name || '=' || setting, ' ' ORDER BY name)"
            + " FROM pg_settings WHERE context IN ('user', 'superuser') AND name NOT LIKE 'plpgsql.%'";

    private final PostgresOptions options = Server.fresh();
    private final String application = "app_" + options.schema();

    @AfterEach
    void drop() {
        Server.run("DROP SCHEMA IF EXISTS " + options.schema() + " CASCADE");
    }

    private HikariDataSource pool(Consumer<HikariConfig> change) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url());
        config.setMaximumPoolSize(4);
        config.setConnectionTimeout(1_000);
        change.accept(config);
        return new HikariDataSource(config);
    }

    /** The address of the database, for sessions that are told from those of the store. */
    private String url() {
        return options.url().replaceFirst("ApplicationName=[^&]*", "ApplicationName=" + application);
    }

    static List<Consumer<HikariConfig>> pools() {
        return List.of(config -> {}, config -> config.setAutoCommit(false), config -> config.setReadOnly(true),
                config -> config.setTransactionIsolation("TRANSACTION_SERIALIZABLE"),
                config -> config.setConnectionInitSql("SET search_path = pg_catalog; SET statement_timeout = '7s';"
                        + " SET lock_timeout = '3s'; SET enable_seqscan = on; SET work_mem = '5MB'"));
    }

    @ParameterizedTest
    @MethodSource("pools")
    void aStoreWorksOverAPoolAndGivesItsSessionsBackAsTheyWere(Consumer<HikariConfig> change) throws SQLException {
        try (HikariDataSource pool = pool(config -> {
            change.accept(config);
            config.setMaximumPoolSize(2);
        })) {
            String before = settings(pool);
            try (Orderly orderly = Orderly.open(PostgresStore.open(options, pool))) {
                StandardQueue<String> mails = orderly.queue("mails", String.class);
                orderly.handle(mails, (_, _) -> {});
                orderly.start();
                JobId first = mails.push("a");
                JobId second;
                try (Connection connection = pool.getConnection()) {
                    connection.setReadOnly(false);
                    connection.setAutoCommit(false);
                    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
                    second = mails.in(connection).push("b");
                    connection.commit();
                }
                await().atMost(Duration.ofSeconds(60)).until(() -> isDone(orderly, first) && isDone(orderly, second));
            }
            try (Connection one = pool.getConnection(); Connection two = pool.getConnection()) {
                assertThat(settings(one)).isEqualTo(before);
                assertThat(settings(two)).isEqualTo(before);
                assertThat(one.getAutoCommit()).isEqualTo(pool.isAutoCommit());
                assertThat(one.isReadOnly()).isEqualTo(pool.isReadOnly());
                assertThat(one.getNetworkTimeout()).isZero();
            }
            assertThat(Server.count("SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)"
                    + " WHERE locktype = 'advisory' AND application_name = '" + application + "'")).isZero();
        }
    }

    private static boolean isDone(Orderly orderly, JobId job) {
        return orderly.jobs().find(job).filter(view -> view.state() == JobState.DONE).isPresent();
    }

    private static String settings(DataSource source) throws SQLException {
        try (Connection connection = source.getConnection()) {
            return settings(connection);
        }
    }

    private static String settings(Connection connection) throws SQLException {
        try (var statement = connection.createStatement(); var rows = statement.executeQuery(SETTINGS)) {
            rows.next();
            return rows.getString(1);
        } finally {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
        }
    }

    @Test
    void aDataSourceWithoutAPoolWorks() {
        PGSimpleDataSource plain = new PGSimpleDataSource();
        plain.setUrl(url());
        try (Orderly orderly = Orderly.open(PostgresStore.open(options, plain))) {
            StandardQueue<String> mails = orderly.queue("mails", String.class);
            orderly.handle(mails, (_, _) -> {});
            orderly.start();
            JobId job = mails.push("a");
            await().atMost(Duration.ofSeconds(60)).until(() -> isDone(orderly, job));
        }
    }

    @Test
    void aStoreOverADataSourceHasThreeConnectionsOfItsOwn() {
        assertThat(busyConnections(null)).isEqualTo(new Connections(13, 0));
        try (HikariDataSource pool = pool(config -> {})) {
            assertThat(busyConnections(pool)).isEqualTo(new Connections(3, 4));
        }
    }

    /** Connections of the store, and of the pool of the application. */
    private record Connections(long own, long application) {}

    private Connections busyConnections(@Nullable DataSource source) {
        PostgresOptions ten = options.withConnections(PostgresOptions.CONNECTIONS);
        try (PostgresStore store = source == null ? PostgresStore.open(ten) : PostgresStore.open(ten, source);
                Orderly orderly = Orderly.open(store)) {
            StandardQueue<String> mails = orderly.queue("mails", String.class);
            orderly.handle(mails, (_, _) -> {});
            orderly.start();
            Connections expected = source == null ? new Connections(13, 0) : new Connections(3, 4);
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                JobId job = mails.push("a");
                IntStream.range(0, 64).mapToObj(_ -> CompletableFuture.runAsync(() -> orderly.jobs().find(job),
                        Thread::startVirtualThread)).toList().forEach(CompletableFuture::join);
                return connections().equals(expected);
            });
            return connections();
        }
    }

    private Connections connections() {
        return new Connections(count(String.valueOf(options.schema())), count(application));
    }

    private static long count(String name) {
        return Server.count("SELECT count(*) FROM pg_stat_activity WHERE application_name = '" + name + "'");
    }

    @Test
    void aDataSourceThatCannotBearAStoreIsRefusedWithTheReason() {
        try (HikariDataSource one = pool(config -> config.setMaximumPoolSize(1))) {
            assertThatThrownBy(() -> PostgresStore.open(options, one)).isInstanceOf(StoreException.Unusable.class)
                    .hasMessageContaining("no second connection").hasMessageContaining("two connections or more");
        }
        try (HikariDataSource readOnly = pool(
                config -> config.setConnectionInitSql("SET default_transaction_read_only = on"))) {
            assertThatThrownBy(() -> PostgresStore.open(options, readOnly)).isInstanceOf(StoreException.Unusable.class)
                    .hasMessageContaining("read-only");
        }
        try (HikariDataSource elsewhere = pool(
                config -> config.setJdbcUrl(url().replaceFirst("/[a-z]+[?]", "/template1?")))) {
            assertThatThrownBy(() -> PostgresStore.open(options, elsewhere)).isInstanceOf(StoreException.Unusable.class)
                    .hasMessageContaining("leads to another database").hasMessageContaining(options.schema());
        }
        HikariDataSource closed = pool(config -> {});
        closed.close();
        assertThatThrownBy(() -> PostgresStore.open(options, closed)).isInstanceOf(StoreException.Unavailable.class)
                .hasMessageContaining("the DataSource gives no connection").hasMessageContaining("has been closed");
        assertThatThrownBy(() -> PostgresStore.open(options, proxy(DataSource.class,
                (_, _, _) -> proxy(Connection.class, (_, _, _) -> false))))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("no connection of PostgreSQL's driver");
    }

    @Test
    void aConnectionInATransactionIsRefused() throws SQLException {
        try (HikariDataSource pool = pool(config -> {}); Connection bound = pool.getConnection()) {
            bound.setAutoCommit(false);
            try (var statement = bound.createStatement()) {
                statement.execute("SELECT 1");
            }
            DataSource proxy = proxy(DataSource.class, (_, _, _) -> bound);
            assertThatThrownBy(() -> PostgresStore.open(options, proxy)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("in a transaction already").hasMessageContaining("pass the pool itself");
        }
    }

    @Test
    void aPoolThatIsSpentAndOneThatIsClosedAreNamedAndTheStoreGoesOnAfterwards() throws SQLException {
        HikariDataSource pool = pool(config -> config.setMaximumPoolSize(2));
        try (PostgresStore store = PostgresStore.open(options, pool); Orderly orderly = Orderly.open(store)) {
            StandardQueue<String> mails = orderly.queue("mails", String.class);
            mails.push("a");
            try (Connection _ = pool.getConnection(); Connection _ = pool.getConnection()) {
                assertThatThrownBy(() -> mails.push("b")).isInstanceOf(StoreException.Unavailable.class)
                        .hasMessageContaining("the DataSource gives no connection")
                        .hasMessageContaining("beside those that handlers hold");
            }
            mails.push("c");
            pool.close();
            assertThatThrownBy(() -> mails.push("d")).isInstanceOf(StoreException.Unavailable.class)
                    .hasMessageContaining("has been closed");
        }
    }

    @Test
    void aPoolWhoseConnectionsAreBrokenIsUsedAgainOnceItHasOthers() {
        try (HikariDataSource pool = pool(config -> {});
                PostgresStore store = PostgresStore.open(options, pool);
                Orderly orderly = Orderly.open(store)) {
            StandardQueue<String> mails = orderly.queue("mails", String.class);
            mails.push("a");
            Server.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '" + application
                    + "'");
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                try {
                    return orderly.jobs().find(mails.push("b")).isPresent();
                } catch (StoreException _) { // of a broken connection, which is not used again
                    return false;
                }
            });
        }
    }

    @Test
    void aConnectionThatSawAnErrorIsNotGivenBack() throws SQLException {
        try (HikariDataSource pool = pool(config -> config.setMaximumPoolSize(2));
                PostgresStore store = PostgresStore.open(options, pool);
                Orderly orderly = Orderly.open(store)) {
            StandardQueue<String> mails = orderly.queue("mails", String.class);
            mails.push("a");
            Server.run("ALTER TABLE " + options.schema() + ".job RENAME TO gone");
            assertThatThrownBy(() -> mails.push("b")).isInstanceOf(StoreException.class);
            Server.run("ALTER TABLE " + options.schema() + ".gone RENAME TO job");
            try (Connection one = pool.getConnection(); Connection two = pool.getConnection()) {
                assertThat(List.of(settings(one), settings(two)))
                        .allMatch(text -> text.contains("enable_seqscan=on") && text.contains("search_path=\"$user\""));
            }
            mails.push("c");
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler calls) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type}, calls));
    }
}
