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
    private final PreparedStatement mark;

    Tables(Connection connection) throws SQLException {
        queues = new QueueTable(connection);
        jobs = new JobTable(connection);
        ended = new EndedTable(connection);
        idempotency = new IdempotencyTable(connection);
        rooms = new RoomTable(connection);
        schedules = new ScheduleTable(connection);
        mark = connection.prepareStatement("INSERT INTO meta(name, value) VALUES('mark', 1)"
                + " ON CONFLICT(name) DO UPDATE SET value = value + 1");
    }

    /** Writes a row that means nothing, and is another one each time. */
    void mark() throws SQLException {
        mark.executeUpdate();
    }

    /** Runs the collected writes. Rows of jobs go last: what ends is copied from them first. */
    void flush() throws SQLException {
        ended.flush();
        idempotency.flush();
        jobs.flush();
        rooms.flush();
    }

    /** Drops the collected writes. */
    void forget() throws SQLException {
        ended.forget();
        idempotency.forget();
        jobs.forget();
        rooms.forget();
    }
}
