package dev.orderly.store.sqlite;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** The statements of the writer's connection. */
final class Tables {
    final QueueTable queues;
    final JobTable jobs;
    final EndedTable ended;
    final IdempotencyTable idempotency;
    final RoomTable rooms;
    final ScheduleTable schedules;
    private final Batches batches;
    private final PreparedStatement mark;

    Tables(Connection connection) throws SQLException {
        batches = new Batches(connection);
        queues = new QueueTable(connection);
        // Before the rows of jobs, from which they are copied.
        ended = new EndedTable(connection, batches);
        idempotency = new IdempotencyTable(connection, batches);
        jobs = new JobTable(connection, batches);
        rooms = new RoomTable(connection, batches);
        schedules = new ScheduleTable(connection);
        mark = connection.prepareStatement("INSERT INTO meta(name, value) VALUES('mark', 1)"
                + " ON CONFLICT(name) DO UPDATE SET value = value + 1");
    }

    /** Writes a row that means nothing, and is another one each time. */
    void mark() throws SQLException {
        mark.executeUpdate();
    }

    /** Runs the collected writes. */
    void flush() throws SQLException {
        batches.flush();
    }

    void committed() {
        idempotency.transactionEnded();
    }

    /** Drops the collected writes. */
    void rolledBack() throws SQLException {
        idempotency.transactionEnded();
        batches.clear();
    }
}
