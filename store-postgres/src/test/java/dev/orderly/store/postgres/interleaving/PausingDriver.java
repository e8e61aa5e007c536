package dev.orderly.store.postgres.interleaving;

import dev.orderly.store.postgres.interleaving.PausePoints.Defect;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL's driver for the sessions of one application: pauses each before each of its statements, as {@link
 * PausePoints} do in functions, and puts another text in place of a defect's. While it is open, no other driver
 * connects these sessions.
 */
final class PausingDriver implements Driver, AutoCloseable {
    private final Driver real = new org.postgresql.Driver();
    private final String schema;
    private final @Nullable Defect defect;
    private final AtomicBoolean pauses = new AtomicBoolean();
    private final AtomicBoolean used = new AtomicBoolean();

    /**
     * @param schema of the sessions, and the name of their application
     * @param defect in the statements of nodes, null for none
     */
    PausingDriver(String schema, @Nullable Defect defect) throws SQLException {
        this.schema = schema;
        this.defect = defect;
        // The first driver that accepts an address connects.
        List<Driver> others = Collections.list(DriverManager.getDrivers());
        for (Driver other : others) {
            DriverManager.deregisterDriver(other);
        }
        DriverManager.registerDriver(this);
        for (Driver other : others) {
            DriverManager.registerDriver(other);
        }
    }

    /** Pauses statements of the scheduler's callers from now on: the schema has its points. */
    void pause() {
        pauses.set(true);
    }

    /** Whether a statement had the text of the defect. */
    boolean isUsed() {
        return used.get();
    }

    @Override
    public void close() throws SQLException {
        DriverManager.deregisterDriver(this);
    }

    @Override
    public boolean acceptsURL(String url) throws SQLException {
        return url.contains("ApplicationName=" + schema) && real.acceptsURL(url);
    }

    @Override
    public @Nullable Connection connect(String url, Properties info) throws SQLException {
        Connection connection = acceptsURL(url) ? real.connect(url, info) : null;
        return connection == null
                ? null
                : (Connection) Proxy.newProxyInstance(Connection.class.getClassLoader(),
                        new Class<?>[]{Connection.class},
                        (_, method, arguments) -> call(connection, method, arguments));
    }

    private @Nullable Object call(Connection connection, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (arguments != null && arguments.length > 0 && arguments[0] instanceof String statement
                && method.getName().equals("prepareStatement")) {
            if (defect != null && statement.contains(defect.text())) {
                used.set(true);
                arguments[0] = statement.replace(defect.text(), defect.replacement());
            }
            if (pauses.get() && StatementScheduler.isCaller(Thread.currentThread())) {
                try (Statement pause = connection.createStatement()) {
                    pause.execute("SELECT " + schema + ".pause()");
                }
            }
        }
        try {
            return method.invoke(connection, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) throws SQLException {
        return real.getPropertyInfo(url, info);
    }

    @Override
    public int getMajorVersion() {
        return real.getMajorVersion();
    }

    @Override
    public int getMinorVersion() {
        return real.getMinorVersion();
    }

    @Override
    public boolean jdbcCompliant() {
        return real.jdbcCompliant();
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getGlobal();
    }
}
