package dev.orderly.store.postgres.sql;

import dev.orderly.store.StoreException;
import dev.orderly.store.postgres.sql.SchemaChange.Brief;
import dev.orderly.store.postgres.sql.SchemaChange.Index;
import dev.orderly.store.postgres.sql.SchemaChange.Rows;
import dev.orderly.time.Time;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The creation of a schema, in one transaction, and its update from an older version, beside nodes of that version at
 * work. Each version of an update is a transaction, apart from its indexes and changes of rows, which come before it in
 * several. Each step may be repeated, so that an update that was killed continues at the next start.
 */
final class SchemaUpdate {
    private static final Logger LOG = LoggerFactory.getLogger(SchemaUpdate.class);

    private static final String NOT_OWNER = "42501";
    /** A chunk of rows is as many blocks of the table as take about this long. */
    private static final Duration CHUNK = Duration.ofMillis(100);
    private static final long FIRST_BLOCKS = 64;
    private static final long MOST_BLOCKS = 8_192;

    private final MigrationSession session;
    private final String schema;
    private final Time time;

    private SchemaUpdate(MigrationSession session, String schema, Time time) {
        this.session = session;
        this.schema = schema;
        this.time = time;
    }

    /** Creates the tables in the connection's transaction, unless another node just has. */
    static void create(Connection connection, String schema, RandomGenerator random) throws SQLException {
        try {
            lock(connection, schema);
            if (version(connection, schema) == 0) {
                execute(connection, "SET LOCAL statement_timeout = 0");
                if (new Sql(connection, "SELECT count(*) FROM pg_namespace WHERE nspname = ?").with(schema)
                        .number() == 0) {
                    execute(connection, "CREATE SCHEMA " + schema);
                }
                SchemaChoice.checkNew(connection, schema);
                execute(connection, "CREATE TABLE meta(version int NOT NULL, salt bigint NOT NULL)");
                new Sql(connection, "INSERT INTO meta VALUES(0, ?)").with(random.nextLong()).update();
                execute(connection, PostgresMigrations.VERSIONS);
                finish(connection);
            }
        } catch (SQLException error) {
            throw translated(error, schema);
        }
    }

    /** Nodes that open a schema wait for this lock, until the end of the transaction; also those of version 0.1.0. */
    static void lock(Connection connection, String schema) throws SQLException {
        new Sql(connection, "SELECT pg_advisory_xact_lock(hashtextextended(?, 1866))").with("orderly " + schema)
                .list(_ -> true);
    }

    /** Updates the tables, or waits until another node has. Blocks for as long as that takes. */
    static void run(PostgresMigrations.Connector connector, String schema, Time time) throws SQLException {
        try (MigrationSession session = MigrationSession.open(connector, schema, time)) {
            if (session.begin(connection -> version(connection, schema) == PostgresMigrations.latest())) {
                new SchemaUpdate(session, schema, time).update();
            }
        } catch (SQLException error) {
            throw translated(error, schema);
        }
    }

    private static SQLException translated(SQLException error, String schema) {
        if (NOT_OWNER.equals(error.getSQLState())) {
            throw new StoreException.Unusable("This user may not create or update the tables in the schema " + schema
                    + " (" + error.getMessage() + "): open the store once as the owner of the schema, as orderly store"
                    + " migrate does", error);
        }
        return error;
    }

    private void update() throws SQLException {
        int version = version(session.connection(), schema);
        if (version < PostgresMigrations.FIRST_RELEASED) {
            int from = version;
            version = PostgresMigrations.FIRST_RELEASED;
            session.transaction(connection -> {
                execute(connection, PostgresMigrations.VERSIONS.subList(from, PostgresMigrations.FIRST_RELEASED));
                write(connection, PostgresMigrations.FIRST_RELEASED);
            });
        }
        if (version < PostgresMigrations.latest()) {
            LOG.info("The schema {} is updated from version {} to {}. Nodes that use it go on; if this process ends,"
                    + " the next start continues", schema, version, PostgresMigrations.latest());
            while (version < PostgresMigrations.latest()) {
                version++;
                step(version);
            }
            LOG.info("The schema {} has version {}", schema, version);
        }
    }

    /** Changes of rows and indexes of their own accord, the others together with the number of the version. */
    private void step(int version) throws SQLException {
        String doing = version + " of " + PostgresMigrations.latest();
        session.report(doing);
        List<String> brief = new ArrayList<>();
        for (SchemaChange change : SchemaChange.of(PostgresMigrations.VERSIONS.get(version - 1))) {
            switch (change) {
                case Brief(String sql) -> brief.add(sql);
                case Rows rows -> {
                    run(brief);
                    change(rows, doing);
                }
                case Index index -> {
                    run(brief);
                    session.report(doing + ", index " + index.name());
                    build(index);
                }
            }
        }
        session.transaction(connection -> {
            execute(connection, brief);
            if (version == PostgresMigrations.latest()) {
                finish(connection);
            } else {
                write(connection, version);
            }
        });
    }

    /** Runs the statements in a transaction, and removes them. */
    private void run(List<String> brief) throws SQLException {
        if (!brief.isEmpty()) {
            session.transaction(connection -> execute(connection, brief));
            brief.clear();
        }
    }

    /**
     * Sets the value block by block. The rows that others add or change meanwhile are behind the last block or theirs
     * to fill.
     */
    private void change(Rows rows, String doing) throws SQLException {
        long all = new Sql(session.connection(), "SELECT pg_relation_size(?::regclass)"
                + " / current_setting('block_size')::bigint").with(rows.table()).number();
        String sql = "UPDATE " + rows.table() + " SET " + rows.column() + " = " + rows.value() + " WHERE ("
                + rows.condition() + ") AND " + rows.column() + " IS DISTINCT FROM " + rows.value()
                + " AND ctid >= ?::tid AND ctid < ?::tid";
        long blocks = FIRST_BLOCKS;
        long next = time.nanos();
        for (long from = 0; from < all;) {
            if (time.reached(next)) {
                session.report(doing + ", rows of " + rows.table() + ", " + 100 * from / all + " %");
                next = time.deadline(Duration.ofSeconds(1));
            }
            String first = "(" + from + ",0)";
            String last = "(" + (from + blocks) + ",0)";
            long began = time.nanos();
            session.transaction(connection -> {
                execute(connection, "SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = off;"
                        + " SET LOCAL enable_bitmapscan = off");
                new Sql(connection, sql).with(first).with(last).update();
            });
            from += blocks;
            boolean quick = time.nanos() - began < CHUNK.toNanos();
            blocks = quick ? Math.min(MOST_BLOCKS, 2 * blocks) : Math.max(1, blocks / 2);
        }
    }

    /** Builds an index, unless it is there. One of an attempt that was ended is there, but is not valid. */
    private void build(Index index) throws SQLException {
        session.alone(connection -> {
            Boolean valid = new Sql(connection, "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(?)")
                    .with(schema + "." + index.name()).first(row -> row.getBoolean(1));
            if (valid != null && !valid) {
                LOG.info("The index {} of an attempt that was ended is built again", index.name());
                execute(connection, "DROP INDEX CONCURRENTLY " + index.name());
            }
            if (valid == null || !valid) {
                execute(connection, "CREATE " + index.unique() + "INDEX CONCURRENTLY " + index.name() + " ON "
                        + index.of());
            }
        });
    }

    /** Functions of the present version, which old nodes call from here on, and its number. */
    private static void finish(Connection connection) throws SQLException {
        execute(connection, PostgresMigrations.FUNCTIONS);
        List<String> former = new Sql(connection, "SELECT oid::regprocedure::text FROM pg_proc"
                + " WHERE pronamespace = current_schema()::regnamespace"
                + " AND (starts_with(proname, 'job_') OR starts_with(proname, 'room_'))"
                + " AND xmin <> pg_current_xact_id()::xid").list(row -> row.getString(1));
        for (String function : former) {
            execute(connection, "DROP FUNCTION " + function);
        }
        write(connection, PostgresMigrations.latest());
    }

    private static int version(Connection connection, String schema) throws SQLException {
        return (int) PostgresMigrations.version(connection, schema);
    }

    private static void write(Connection connection, int version) throws SQLException {
        new Sql(connection, "UPDATE meta SET version = ?").with(version).update();
    }

    private static void execute(Connection connection, List<String> statements) throws SQLException {
        for (String sql : statements) {
            execute(connection, sql);
        }
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
