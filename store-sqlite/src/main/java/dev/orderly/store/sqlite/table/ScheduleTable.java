package dev.orderly.store.sqlite.table;

import dev.orderly.job.JobId;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.ScheduleState;
import dev.orderly.store.sql.ColumnCodecs;
import dev.orderly.store.sql.DatabaseJobIds;
import dev.orderly.store.sql.ScheduleRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Statements on table {@code schedule}. They run at once, not deferred, so that requests of one transaction see each
 * other's changes.
 */
public final class ScheduleTable {
    private final PreparedStatement write;
    private final PreparedStatement find;
    private final PreparedStatement delete;

    ScheduleTable(Connection connection) throws SQLException {
        write = connection.prepareStatement(
                "INSERT OR REPLACE INTO schedule(name, timing, version, reached, fired, skipped, job, history)"
                        + " VALUES(?, ?, ?, ?, ?, ?, ?, ?)");
        find = connection.prepareStatement(ScheduleRow.SELECT + " WHERE name = ?");
        delete = connection.prepareStatement("DELETE FROM schedule WHERE name = ?");
    }

    @Nullable
    public ScheduleState find(ScheduleName name, DatabaseJobIds ids) throws SQLException {
        find.setString(1, name.value());
        try (ResultSet rows = find.executeQuery()) {
            return rows.next() ? ScheduleRow.state(rows, ids) : null;
        }
    }

    public void write(ScheduleState state) throws SQLException {
        JobId job = state.job();
        write.setString(1, state.name().value());
        write.setString(2, state.timing());
        write.setLong(3, state.version());
        write.setLong(4, state.reached().toEpochMilli());
        ColumnCodecs.moment(write, 5, state.fired());
        ColumnCodecs.moment(write, 6, state.skipped());
        if (job == null) {
            write.setNull(7, Types.INTEGER);
        } else {
            write.setLong(7, job.sequence());
        }
        write.setString(8, state.history().write());
        write.executeUpdate();
    }

    public void delete(ScheduleName name) throws SQLException {
        delete.setString(1, name.value());
        delete.executeUpdate();
    }

    /** All schedules by name, on any connection. */
    public static List<ScheduleState> all(Connection connection, DatabaseJobIds ids) throws SQLException {
        List<ScheduleState> found = new ArrayList<>();
        try (PreparedStatement query = connection
                .prepareStatement(ScheduleRow.SELECT + " ORDER BY name");
                ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                found.add(ScheduleRow.state(rows, ids));
            }
        }
        return found;
    }
}
