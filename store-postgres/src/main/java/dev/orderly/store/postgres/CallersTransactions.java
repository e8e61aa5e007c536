package dev.orderly.store.postgres;

import dev.orderly.job.PushResult;
import dev.orderly.job.StepWork;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.JobStore.StepResult;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.Settlement;
import dev.orderly.job.store.StepReport;
import dev.orderly.job.store.TransactionalJobs;
import dev.orderly.job.transaction.CallersTransaction;
import dev.orderly.job.transaction.CallersTransaction.OfDataSource;
import dev.orderly.job.transaction.CallersTransaction.OnConnection;
import dev.orderly.store.postgres.job.PostgresBatches;
import dev.orderly.store.postgres.job.PostgresPushes;
import dev.orderly.store.postgres.job.PostgresSettlements;
import dev.orderly.store.postgres.sql.LockPatience;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.postgres.sql.SqlErrors;
import dev.orderly.store.postgres.sql.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Pushes and settlements inside transactions of callers. Statements find Orderly's tables whatever the caller's
 * {@code search_path} is, and the caller's settings are the same afterwards, also after an error.
 */
final class CallersTransactions implements TransactionalJobs, PostgresBatches.Callers {
    private static final Set<String> SETTLES_IN = Set.of("read committed", "read uncommitted");
    /**
     * Reads the caller's settings, and sets Orderly's for the rest of the transaction; a shorter limit of the caller
     * stays. {@code transaction_timeout} exists from PostgreSQL 17 on and counts from this statement on. The salt tells
     * this store's database from any other.
     */
    private static final String PREPARE = """
            SELECT old.isolation, old.path, old.lock_wait, old.salt, old.of_step, set_config('search_path', ?, true),
              CASE WHEN old.idle = '0' OR old.idle::interval > ?::interval
                THEN set_config('idle_in_transaction_session_timeout', ?, true) END,
              CASE WHEN old.whole = '0' OR old.whole::interval > ?::interval
                THEN CASE WHEN ? THEN set_config('transaction_timeout', ?, true) END END
            FROM (SELECT current_setting('transaction_isolation') AS isolation, current_setting('search_path') AS path,
              current_setting('lock_timeout') AS lock_wait,
              coalesce(current_setting('orderly.step', true), '') <> '' AS of_step,
              current_setting('idle_in_transaction_session_timeout') AS idle,
              current_setting('transaction_timeout', true) AS whole, meta.salt FROM {schema}.meta OFFSET 0) AS old""";
    /** Gives back the caller's settings; the number of the transaction, if it has changed anything. */
    private static final String RESTORE = """
            SELECT pg_current_xact_id_if_assigned()::text, set_config('search_path', ?, true),
              set_config('lock_timeout', ?, true)""";

    private final PostgresOptions options;
    private final Place place;
    private final Transactions transactions;
    private final SqlErrors errors;
    private final PostgresPushes push;
    private final PostgresSettlements settle;
    private final EndedTransactions ended;
    private final StepTransactions steps;

    /** Where the tables are, and the salt of their job ids. */
    record Place(String schema, long salt) {}

    /** The statements of pushes and settlements, and the transactions of steps. */
    record Calls(PostgresPushes push, PostgresSettlements settle, StepTransactions steps) {}

    CallersTransactions(PostgresOptions options, Place place, Transactions transactions, Calls calls,
            EndedTransactions ended) {
        this.options = options;
        this.place = place;
        this.transactions = transactions;
        this.errors = new SqlErrors(options.toString());
        this.push = calls.push;
        this.settle = calls.settle;
        this.ended = ended;
        this.steps = calls.steps;
    }

    private record Session(String isolation, String path, String lockTimeout, long salt, boolean ofStep) {}

    /** The statements of a call. */
    private interface Work<T> {
        T on(Connection connection, Session session) throws SQLException;
    }

    private record Answer<T>(T value, @Nullable String transaction) {}

    @Override
    public List<PushResult> push(CallersTransaction transaction, List<NewJob> jobs, Instant now,
            @Nullable Runnable whenEnded) {
        transactions.run(own -> push.queues(own, jobs));
        boolean grouped = jobs.stream().anyMatch(job -> job.group() != null);
        PostgresPushes.PushCall call = new PostgresPushes.PushCall(jobs, now);
        Answer<List<PushResult>> answer = run(transaction, "push", grouped,
                (connection, session) -> {
                    if (jobs.stream().anyMatch(job -> job.unique() != null)
                            && !SETTLES_IN.contains(session.isolation)) {
                        throw new IllegalStateException("This transaction is "
                                + session.isolation.toUpperCase(Locale.ROOT)
                                + ", which does not see jobs of a unique key that are pushed meanwhile: push it in a"
                                + " READ COMMITTED one, as setTransactionIsolation("
                                + "Connection.TRANSACTION_READ_COMMITTED) makes it");
                    }
                    return push.write(connection, push.queuesForCaller(connection, jobs), call);
                });
        if (whenEnded != null && answer.transaction != null) {
            ended.watch(answer.transaction, whenEnded);
        }
        return answer.value;
    }

    @Override
    public SettleResult settle(CallersTransaction transaction, Settlement settlement, Instant now) {
        boolean grouped = settlement.attempt().queue().isFifo();
        return run(transaction, "complete a job", grouped, (connection, session) -> {
            if (!SETTLES_IN.contains(session.isolation)) {
                throw new IllegalStateException("This transaction is " + session.isolation.toUpperCase(Locale.ROOT)
                        + ", which does not see jobs that are pushed meanwhile: complete a job in a READ COMMITTED one,"
                        + " as setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED) makes it");
            }
            return settle.settle(connection, List.of(settlement), now, LockPatience.FULL).getFirst();
        }).value;
    }

    @Override
    public StepResult keep(CallersTransaction transaction, StepReport report, Instant now) {
        return run(transaction, "keep a step", true, (connection, session) -> {
            if (!session.ofStep) {
                throw new IllegalStateException("The work of step " + report.name() + " of job " + report.attempt().id()
                        + " has ended its transaction, with what it had done so far: leave COMMIT and ROLLBACK to the"
                        + " step");
            }
            return settle.keepAnew(connection, report, now);
        }).value;
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> T transact(StepWork.TransactionCall<T, E> work,
            Duration silence) throws E {
        return steps.run(work, silence);
    }

    @Override
    public <T> T run(CallersTransaction transaction, String to, Transactions.Work<T> work) {
        return run(transaction, to, true, (connection, _) -> work.on(connection)).value;
    }

    private <T> Answer<T> run(CallersTransaction transaction, String to, boolean holdsGroup, Work<T> work) {
        try {
            return switch (transaction) {
                case OnConnection(Connection connection) -> on(checked(connection, to), holdsGroup, work);
                case OfDataSource(DataSource source) -> {
                    try (Connection connection = source.getConnection()) {
                        yield on(bound(checked(connection, to), source), holdsGroup, work);
                    }
                }
            };
        } catch (SQLException error) {
            throw errors.inCallersTransaction(error);
        }
    }

    private static Connection checked(Connection connection, String to) throws SQLException {
        if (!connection.isWrapperFor(PGConnection.class)) {
            throw new IllegalStateException("This connection is not one of PostgreSQL's driver: use a connection to the"
                    + " database of the store");
        }
        if (connection.getAutoCommit()) {
            throw new IllegalStateException("This connection commits each statement by itself, so there is no"
                    + " transaction: call setAutoCommit(false), or begin the transaction of the DataSource, before you "
                    + to + " in it");
        }
        return connection;
    }

    /** Refuses a data source whose connections are not bound to a transaction: the close would roll the job back. */
    private static Connection bound(Connection connection, DataSource source) throws SQLException {
        try (Connection second = source.getConnection()) {
            if (!second.unwrap(PGConnection.class).equals(connection.unwrap(PGConnection.class))) {
                throw new IllegalStateException("This DataSource hands out another session each time, so there is no"
                        + " transaction on this thread to join: pass the connection itself, or a DataSource that is"
                        + " bound to the transaction, as Spring's TransactionAwareDataSourceProxy is");
            }
        }
        return connection;
    }

    private <T> Answer<T> on(Connection connection, boolean holdsGroup, Work<T> work) throws SQLException {
        Session before = prepare(connection, holdsGroup);
        T value;
        try {
            if (before.salt != place.salt) {
                throw new IllegalStateException("This connection leads to the database of another store than " + options
                        + ": use a connection to that database");
            }
            value = work.on(connection, before);
        } catch (SQLException | RuntimeException | Error error) {
            try {
                restore(connection, before);
            } catch (SQLException aborted) { // the rollback restores the settings
                error.addSuppressed(aborted);
            }
            throw error;
        }
        return new Answer<>(value, restore(connection, before));
    }

    /** Sets the schema and the lock timeout of the statements that follow, and bounds the life of the transaction. */
    private Session prepare(Connection connection, boolean holdsGroup) throws SQLException {
        String hold = options.callerHold().toMillis() + "ms";
        return new Sql(connection, PREPARE.replace("{schema}", place.schema)).with(place.schema + ", pg_temp")
                .with(hold)
                .with(hold).with(hold).with(holdsGroup).with(hold)
                .list(row -> new Session(row.getString(1), row.getString(2), row.getString(3), row.getLong(4),
                        row.getBoolean(5)))
                .getFirst();
    }

    private static @Nullable String restore(Connection connection, Session before) throws SQLException {
        return new Sql(connection, RESTORE).with(before.path).with(before.lockTimeout).first(row -> row.getString(1));
    }
}
