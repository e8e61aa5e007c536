package dev.orderly.store.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.orderly.Internal;
import dev.orderly.job.store.NodeTimes;
import dev.orderly.store.StoreException;
import dev.orderly.store.copy.CopySource;
import dev.orderly.store.copy.OpenCopySource;
import dev.orderly.store.postgres.copy.PostgresCopy;
import dev.orderly.store.postgres.sql.OwnSessions;
import dev.orderly.store.postgres.sql.PostgresMigrations;
import dev.orderly.store.postgres.sql.SchemaChoice;
import dev.orderly.store.postgres.sql.SchemaUse;
import dev.orderly.store.postgres.sql.SessionStart;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.postgres.sql.SqlErrors;
import dev.orderly.store.postgres.sql.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A schema that is only read, in read-only transactions, as the source of a copy: {@code USAGE} on the schema and
 * {@code SELECT} on its tables and sequences are enough. Connections of stores are kept out until it is closed
 * ({@link SchemaUse}); those of versions before that are only found by a heartbeat of the last
 * {@link CopySource#SILENCE}.
 */
@Internal(to = "dev.orderly")
public final class PostgresSource implements OpenCopySource {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresSource.class);

    private final HikariDataSource pool;
    private final Transactions transactions;
    private final PostgresCopy data;
    private final String name;
    private final SchemaUse use;

    private PostgresSource(HikariDataSource pool, String name, SchemaUse use) {
        this.pool = pool;
        this.name = name;
        this.use = use;
        SqlErrors errors = new SqlErrors(name);
        transactions = new Transactions(new OwnSessions(pool), errors);
        data = new PostgresCopy(transactions, () -> {
            try {
                return use.others();
            } catch (SQLException error) {
                throw errors.undone(error);
            }
        });
    }

    /**
     * Opens the schema of an address. Tables of an older version are updated first, if this user may do so.
     *
     * @param url in the form of {@link PostgresOptions#at}
     * @throws StoreException.Unavailable if the database is not reached
     * @throws StoreException.Unusable if the tables are of an older version and this user may not update them, of a
     *     newer one, or of another program
     */
    public static PostgresSource at(String url) {
        PostgresOptions given = PostgresOptions.at(url);
        String schema = schema(given);
        PostgresOptions options = given.withSchema(schema);
        HikariConfig config = PostgresPools.ofTables(options, schema);
        config.setReadOnly(true);
        config.setConnectionInitSql(SessionStart.settings() + "; " + SchemaChoice.searchPath(schema));
        HikariDataSource pool = new HikariDataSource(config);
        try (Connection connection = pool.getConnection()) {
            checkRights(connection, schema);
            boolean current = PostgresMigrations.isCurrent(connection, schema);
            connection.rollback();
            if (!current) {
                update(options);
            }
            return new PostgresSource(pool, options.toString(),
                    new SchemaUse(options.connect(NodeTimes.ANSWER), schema));
        } catch (SQLException error) {
            pool.close();
            throw new SqlErrors(options.toString()).undone(error);
        } catch (RuntimeException error) {
            pool.close();
            throw error;
        }
    }

    /** The schema of these options, or the standard one of the database. */
    private static String schema(PostgresOptions options) {
        if (options.schema() != null) {
            return options.schema();
        }
        try (Connection connection = options.connect(NodeTimes.BEAT_ANSWER)) {
            return SchemaChoice.standard(connection);
        } catch (SQLException error) {
            throw new SqlErrors(options.toString()).undone(error);
        }
    }

    private static void checkRights(Connection connection, String schema) throws SQLException {
        List<String> hidden = new Sql(connection, "SELECT relname::text FROM pg_class JOIN pg_namespace"
                + " ON pg_namespace.oid = relnamespace WHERE nspname = ? AND (relkind = 'r'"
                + " AND NOT has_table_privilege(pg_class.oid, 'SELECT') OR relkind = 'S'"
                + " AND NOT has_sequence_privilege(pg_class.oid, 'SELECT')) ORDER BY 1").with(schema)
                .list(row -> row.getString(1));
        if (!hidden.isEmpty()) {
            throw new StoreException.Unusable("This user may not read " + String.join(", ", hidden) + " in the schema "
                    + schema + ": as its owner run GRANT USAGE ON SCHEMA " + schema + ", GRANT SELECT ON ALL TABLES IN"
                    + " SCHEMA " + schema + " and GRANT SELECT ON ALL SEQUENCES IN SCHEMA " + schema
                    + ", each TO this user", null);
        }
    }

    private static void update(PostgresOptions options) {
        try {
            PostgresStore.open(options).close();
        } catch (StoreException e) {
            throw new StoreException.Unusable("The schema " + schema(options) + " has tables of an older"
                    + " version, and they cannot be updated (" + e.getMessage() + "): start this version on it once,"
                    + " stop it, and copy then, or copy as the owner of the schema", e);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CopySource data() {
        return data;
    }

    @Override
    public Instant now() {
        return PostgresStore.now(transactions);
    }

    @Override
    public long jobs() {
        return transactions.run(connection -> new Sql(connection, "SELECT coalesce(sum(jobs), 0)::bigint FROM tally")
                .number());
    }

    @Override
    public void close() {
        pool.close();
        try {
            use.close();
        } catch (SQLException e) {
            LOG.debug("Closing a connection failed: {}", e.getMessage());
        }
    }
}
