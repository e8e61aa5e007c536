package dev.orderly.store.sqlite.table;

import dev.orderly.job.JobId;
import dev.orderly.schedule.ScheduleHistory;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.ScheduleState;
import dev.orderly.store.sql.ColumnCodecs;
import dev.orderly.store.sql.JobIds;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Statements on table {@code schedule}. They run at once, not in batches, so that requests of one transaction see each
 * other's changes.
 */
public final class ScheduleTable {
    private static final String COLUMNS = "name, timing, version, reached, fired, skipped, job, history";

    private final PreparedStatement write;
    private final PreparedStatement find;
    private final PreparedStatement delete;

    ScheduleTable(Connection connection) throws SQLException {
        write = connection.prepareStatement(
                "INSERT OR REPLACE INTO schedule(" + COLUMNS + ") VALUES(?, ?, ?, ?, ?, ?, ?, ?)");
        find = connection.prepareStatement("SELECT " + COLUMNS + " FROM schedule WHERE name = ?");
        delete = connection.prepareStatement("DELETE FROM schedule WHERE name = ?");
    }

    @Nullable
    public ScheduleState find(ScheduleName name, JobIds ids) throws SQLException {
        find.setString(1, name.value());
        try (ResultSet rows = find.executeQuery()) {
            return rows.next() ? state(rows, ids) : null;
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
    public static List<ScheduleState> all(Connection connection, JobIds ids) throws SQLException {
        List<ScheduleState> found = new ArrayList<>();
        try (PreparedStatement query = connection
                .prepareStatement("SELECT " + COLUMNS + " FROM schedule ORDER BY name");
                ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                found.add(state(rows, ids));
            }
        }
        return found;
    }

    private static ScheduleState state(ResultSet rows, JobIds ids) throws SQLException {
        long job = rows.getLong(7);
        JobId id = rows.wasNull() ? null : ids.of(job);
        return new ScheduleState(new ScheduleName(rows.getString(1)), rows.getString(2), rows.getLong(3),
                Instant.ofEpochMilli(rows.getLong(4)), ColumnCodecs.moment(rows, 5), ColumnCodecs.moment(rows, 6), id,
                ScheduleHistory.read(rows.getString(8)));
    }
}
