package dev.orderly.store.sql;

import dev.orderly.job.JobId;
import dev.orderly.schedule.ScheduleHistory;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.ScheduleState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

/** A row of a schedule, equal in every SQL database. */
public final class ScheduleRow {
    /** A query of all schedules. */
    public static final String SELECT = "SELECT name, timing, version, reached, fired, skipped, job, history"
            + " FROM schedule";

    private ScheduleRow() {}

    public static ScheduleState state(ResultSet row, DatabaseJobIds ids) throws SQLException {
        long job = row.getLong("job");
        JobId last = row.wasNull() ? null : ids.of(job);
        return new ScheduleState(new ScheduleName(row.getString("name")), row.getString("timing"),
                row.getLong("version"), Instant.ofEpochMilli(row.getLong("reached")),
                ColumnCodecs.moment(row, "fired"), ColumnCodecs.moment(row, "skipped"), last,
                ScheduleHistory.read(row.getString("history")));
    }
}
