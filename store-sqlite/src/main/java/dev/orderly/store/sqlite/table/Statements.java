package dev.orderly.store.sqlite.table;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** The statements of the writer's connection. */
public final class Statements {
    public final QueueTable queues;
    public final JobTable jobs;
    public final EndedJobTable ended;
    public final IdempotencyTable idempotency;
    public final RoomTable rooms;
    public final ScheduleTable schedules;
    private final Batches batches;
    private final PreparedStatement mark;

    public Statements(Connection connection) throws SQLException {
        batches = new Batches(connection);
        queues = new QueueTable(connection);
        // Before the rows of jobs, from which they are copied.
        ended = new EndedJobTable(connection, batches);
        idempotency = new IdempotencyTable(connection, batches);
        jobs = new JobTable(connection, batches);
        rooms = new RoomTable(connection, batches);
        schedules = new ScheduleTable(connection);
        mark = connection.prepareStatement("INSERT INTO meta(name, value) VALUES('mark', 1)"
                + " ON CONFLICT(name) DO UPDATE SET value = value + 1");
    }

    /** Writes a row that means nothing, and is another one each time. */
    public void mark() throws SQLException {
        mark.executeUpdate();
    }

    /** Runs the collected writes. */
    public void flush() throws SQLException {
        batches.flush();
    }

    public void committed() {
        idempotency.transactionEnded();
    }

    /** Drops the collected writes. */
    public void rolledBack() throws SQLException {
        idempotency.transactionEnded();
        batches.clear();
    }
}
