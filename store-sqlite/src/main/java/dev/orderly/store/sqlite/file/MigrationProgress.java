package dev.orderly.store.sqlite.file;

import dev.orderly.time.Time;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.ProgressHandler;
import org.sqlite.SQLiteConnection;

/** Says in the log which statement of a migration runs, as long as it lasts. */
final class MigrationProgress extends ProgressHandler {
    private static final Logger LOG = LoggerFactory.getLogger(MigrationProgress.class);

    private static final Duration REPORTS = Duration.ofSeconds(10);
    /** Steps of SQLite's machine between two looks at the clock: some milliseconds. */
    private static final int STEPS = 100_000;

    private final Time time;
    private final int statements;
    private long next;
    private int number;
    private String running = "";

    private MigrationProgress(Time time, int statements) {
        this.time = time;
        this.statements = statements;
        next = time.deadline(REPORTS);
    }

    /** @param statements their number in the migration */
    static MigrationProgress of(Connection connection, Time time, int statements) throws SQLException {
        MigrationProgress progress = new MigrationProgress(time, statements);
        setHandler(connection.unwrap(SQLiteConnection.class), STEPS, progress);
        return progress;
    }

    void begin(String sql) {
        number++;
        running = sql.lines().findFirst().orElse("");
    }

    void end(Connection connection) throws SQLException {
        clearHandler(connection.unwrap(SQLiteConnection.class));
    }

    @Override
    protected int progress() {
        if (time.reached(next)) {
            LOG.info("The database is updated: statement {} of {}, {}", number, statements, running);
            next = time.deadline(REPORTS);
        }
        return 0;
    }
}
