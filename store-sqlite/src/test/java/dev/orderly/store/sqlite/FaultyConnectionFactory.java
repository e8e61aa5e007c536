package dev.orderly.store.sqlite;

import dev.orderly.store.sqlite.file.ConnectionFactory;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * Connections that fail with a result code of SQLite at chosen calls, like a faulty disk. A failure also rolls back the
 * transaction without the driver's knowledge, as SQLite does after severe errors.
 */
public final class FaultyConnectionFactory implements ConnectionFactory {
    private static final Set<String> RUNS = Set.of("executeQuery", "executeBatch", "executeUpdate", "execute");

    private final ConnectionFactory connector;
    private final AtomicInteger syncs = new AtomicInteger();
    private final AtomicInteger left = new AtomicInteger();
    private final AtomicReference<Fault> fault = new AtomicReference<>(new Fault(SQLiteErrorCode.SQLITE_OK, ""));

    private final AtomicReference<@Nullable Before> next = new AtomicReference<>();

    private record Before(String where, Action action) {}

    /** @param where {@code commit}, {@code sync}, or a part of the SQL of the failing statement */
    private record Fault(SQLiteErrorCode code, String where) {}

    private FaultyConnectionFactory(ConnectionFactory connector) {
        this.connector = connector;
    }

    public static FaultyConnectionFactory of(Path file) {
        return new FaultyConnectionFactory(new SqliteConnections(file, SqliteOptions.DEFAULT));
    }

    /** A store on these connections. */
    public SqliteStore open(Path file) {
        return SqliteStore.open(file, this);
    }

    /** Makes the given number of matching calls fail. */
    public void fail(SQLiteErrorCode code, String where, int times) {
        fault.set(new Fault(code, where));
        left.set(times);
    }

    /** Has an action run once, on the connection, right before the next matching statement. */
    public void before(String where, Action action) {
        next.set(new Before(where, action));
    }

    /** What another program does between two statements of this one. */
    @FunctionalInterface
    public interface Action {
        void run(Connection own) throws SQLException;
    }

    /** Number of failures still to come. */
    public int left() {
        return left.get();
    }

    @Override
    public Connection writer() throws SQLException {
        strike(null, "open");
        return faulty(connector.writer());
    }

    @Override
    public Connection reader() throws SQLException {
        return faulty(connector.reader());
    }

    @Override
    public void sync(FileChannel log) throws IOException {
        try {
            strike(null, "sync");
        } catch (SQLException e) {
            throw new IOException(e);
        }
        connector.sync(log);
        syncs.incrementAndGet();
    }

    /** Number of times that the log was synced. */
    public int syncs() {
        return syncs.get();
    }

    private Connection faulty(Connection real) {
        return proxy(Connection.class, real, (method, arguments) -> {
            if (method.equals("commit")) {
                strike(real, "commit");
            }
        }, answer -> switch (answer.result()) {
            case PreparedStatement statement -> run(PreparedStatement.class, statement, real,
                    String.valueOf(answer.argument()));
            case Statement statement -> run(Statement.class, statement, real, "");
            default -> answer.result();
        });
    }

    private <T extends Statement> T run(Class<T> type, T statement, Connection real, String sql) {
        return proxy(type, statement, (method, arguments) -> {
            if (RUNS.contains(method)) {
                strike(real, sql.isEmpty() && arguments != null ? String.valueOf(arguments[0]) : sql);
            }
        }, Answer::result);
    }

    private void strike(@Nullable Connection real, String what) throws SQLException {
        Before due = next.get();
        if (real != null && due != null && what.contains(due.where) && next.compareAndSet(due, null)) {
            due.action.run(real);
        }
        Fault now = fault.get();
        if (left.get() > 0 && what.contains(now.where) && left.getAndDecrement() > 0) {
            if (real != null) {
                try (Statement statement = real.createStatement()) {
                    statement.execute("ROLLBACK");
                }
            }
            throw new SQLiteException(now.code + " by the test", now.code);
        }
    }

    private interface Check {
        void call(String method, Object @Nullable [] arguments) throws SQLException;
    }

    private record Answer(Object result, @Nullable Object argument) {}

    private interface After {
        Object wrap(Answer answer);
    }

    private static <T> T proxy(Class<T> type, T real, Check before, After after) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type},
                (_, method, arguments) -> {
                    before.call(method.getName(), arguments);
                    try {
                        Object result = method.invoke(real, arguments);
                        return result == null
                                ? null
                                : after.wrap(new Answer(result, arguments == null ? null : arguments[0]));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
