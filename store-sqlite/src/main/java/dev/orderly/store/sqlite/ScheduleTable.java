package dev.orderly.store.sqlite;

import dev.orderly.job.JobId;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.ScheduleState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The statements on table {@code schedule}. They run at once, so that requests of one transaction see each other's. */
final class ScheduleTable {
    private static final String COLUMNS = "name, timing, version, reached, fired, skipped, job";

    private final PreparedStatement write;
    private final PreparedStatement find;

    ScheduleTable(Connection connection) throws SQLException {
        write = connection.prepareStatement(
                "INSERT OR REPLACE INTO schedule(" + COLUMNS + ") VALUES(?, ?, ?, ?, ?, ?, ?)");
        find = connection.prepareStatement("SELECT " + COLUMNS + " FROM schedule WHERE name = ?");
    }

    @Nullable
    ScheduleState find(ScheduleName name, long salt) throws SQLException {
        find.setString(1, name.value());
        try (ResultSet rows = find.executeQuery()) {
            return rows.next() ? state(rows, salt) : null;
        }
    }

    void write(ScheduleState state) throws SQLException {
        JobId job = state.job();
        write.setString(1, state.name().value());
        write.setString(2, state.timing());
        write.setLong(3, state.version());
        write.setLong(4, state.reached().toEpochMilli());
        moment(5, state.fired());
        moment(6, state.skipped());
        if (job == null) {
            write.setNull(7, Types.INTEGER);
        } else {
            write.setLong(7, job.sequence());
        }
        write.executeUpdate();
    }

    private void moment(int column, @Nullable Instant moment) throws SQLException {
        if (moment == null) {
            write.setNull(column, Types.INTEGER);
        } else {
            write.setLong(column, moment.toEpochMilli());
        }
    }

    /** All of them, by name, on any connection. */
    static List<ScheduleState> all(Connection connection, long salt) throws SQLException {
        List<ScheduleState> found = new ArrayList<>();
        try (PreparedStatement query = connection
                .prepareStatement("SELECT " + COLUMNS + " FROM schedule ORDER BY name");
                ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                found.add(state(rows, salt));
            }
        }
        return found;
    }

    private static ScheduleState state(ResultSet rows, long salt) throws SQLException {
        long job = rows.getLong(7);
        JobId id = rows.wasNull() ? null : JobId.of(job, salt);
        return new ScheduleState(new ScheduleName(rows.getString(1)), rows.getString(2), rows.getLong(3),
                Instant.ofEpochMilli(rows.getLong(4)), moment(rows, 5), moment(rows, 6), id);
    }

    private static @Nullable Instant moment(ResultSet rows, int column) throws SQLException {
        long millis = rows.getLong(column);
        return rows.wasNull() ? null : Instant.ofEpochMilli(millis);
    }
}
