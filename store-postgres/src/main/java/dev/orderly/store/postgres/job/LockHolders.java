package dev.orderly.store.postgres.job;

import dev.orderly.store.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Names the transactions of others that hold a group, a key or a batch, for an operator. */
final class LockHolders {
    /** Age from which a transaction is named; those of nodes are shorter. */
    private static final Duration OPEN_FOR = Duration.ofMillis(200);

    /**
     * The holder of a row with this {@code xmax}; under the condition, a transaction that has written the table, since
     * the row may be one that is not committed. A prepared transaction has no process.
     */
    private static final String HOLDER = """
            SELECT held.pid, session.application_name, coalesce(session.usename, prepared.owner) AS user_name, session.state,
              (extract(epoch FROM clock_timestamp() - coalesce(session.xact_start, prepared.prepared)))::bigint AS seconds,
              prepared.gid
            FROM (SELECT (%1$s) AS xmax OFFSET 0) AS wanted CROSS JOIN pg_locks AS held
              LEFT JOIN pg_stat_activity AS session ON session.pid = held.pid
              LEFT JOIN pg_prepared_xacts AS prepared ON held.pid IS NULL AND EXISTS (
                SELECT FROM pg_locks AS own WHERE own.pid IS NULL AND own.locktype = 'transactionid'
                  AND own.transactionid = prepared.transaction AND own.virtualtransaction = held.virtualtransaction)
            WHERE held.granted AND held.pid IS DISTINCT FROM pg_backend_pid() AND (
                (held.locktype = 'transactionid' AND held.transactionid = wanted.xmax)
                OR (%2$s AND held.locktype = 'relation' AND held.mode = 'RowExclusiveLock'
                  AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())))
              AND coalesce(session.xact_start, prepared.prepared) < clock_timestamp() - interval '%3$d milliseconds'
            ORDER BY coalesce(session.xact_start, prepared.prepared) LIMIT 1""";
    private static final String OF_LANE = HOLDER.formatted(
            "SELECT lane.xmax FROM lane WHERE lane.queue = ? AND lane.name = ?",
            "coalesce(wanted.xmax::text, '0') = '0' AND held.relation = 'lane'::regclass", OPEN_FOR.toMillis());
    private static final String OF_KEYS = HOLDER.formatted("NULL::xid", "held.relation = 'recent'::regclass",
            OPEN_FOR.toMillis());
    private static final String OF_JOB = HOLDER.formatted("""
            SELECT nullif(lane.xmax::text, '0')::xid FROM job JOIN lane ON lane.queue = job.queue
              AND lane.name = job.grp WHERE job.seq = ? AND job.state <= DELAYED""", "false", OPEN_FOR.toMillis());
    private static final String OF_BATCH = HOLDER.formatted(
            "SELECT nullif(batch.xmax::text, '0')::xid FROM batch WHERE batch.id = ?", "false", OPEN_FOR.toMillis());

    private LockHolders() {}

    /** The oldest transaction that holds a group, or that may hold a group which is not committed. */
    static Optional<Holder> of(Connection connection, Lane lane) throws SQLException {
        return first(new Sql(connection, OF_LANE).with(lane.queue()).with(lane.name()));
    }

    /** The oldest transaction that may hold a key. */
    static Optional<Holder> ofKeys(Connection connection) throws SQLException {
        return first(new Sql(connection, OF_KEYS));
    }

    /** The transaction that holds the group of a job. */
    static Optional<Holder> ofJob(Connection connection, long seq) throws SQLException {
        return first(new Sql(connection, OF_JOB).with(seq));
    }

    /** The only transaction that holds a batch. */
    static Optional<Holder> ofBatch(Connection connection, long batch) throws SQLException {
        return first(new Sql(connection, OF_BATCH).with(batch));
    }

    private static Optional<Holder> first(Sql sql) throws SQLException {
        return Optional.ofNullable(sql.first(Holder::of));
    }

    /**
     * A transaction of another application.
     *
     * @param pid of its session; zero for a prepared transaction
     * @param seconds since it began
     * @param prepared its name, if it was prepared
     */
    record Holder(int pid, String application, String user, String state, long seconds, @Nullable String prepared) {
        private static Holder of(ResultSet row) throws SQLException {
            return new Holder(row.getInt("pid"), text(row.getString("application_name")),
                    text(row.getString("user_name")),
                    text(row.getString("state")), row.getLong("seconds"), row.getString("gid"));
        }

        private static String text(@Nullable String column) {
            return Objects.requireNonNullElse(column, "");
        }

        /** The transaction, and what ends it. */
        @Override
        public String toString() {
            return prepared == null
                    ? "the transaction of session " + pid + " (application \"" + application + "\", user " + user + ", "
                            + state + "), open for " + seconds + " s: SELECT pg_terminate_backend(" + pid
                            + ") ends it"
                    : "the prepared transaction '" + prepared + "' of user " + user + ", since " + seconds
                            + " s: only COMMIT PREPARED or ROLLBACK PREPARED ends it";
        }
    }
}
