package dev.orderly.store.sql;

import dev.orderly.job.EventResult;
import dev.orderly.job.JobEvent;
import dev.orderly.job.JobStep;
import dev.orderly.job.Payload;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.AwaitAnswer;
import dev.orderly.job.store.EventWait;
import dev.orderly.job.store.NewEvent;
import dev.orderly.store.copy.CopiedRecord;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Statements on table {@code job_event}, the same in each SQL database: the events of jobs. The caller holds the lock
 * of the job.
 */
public final class EventRows {
    public static final String NAMES = "name, until, awaiting, over, at, source, content_type, value";
    /** Events that a round of upkeep looks at. */
    private static final int SWEPT = 1_000;
    private static final String PUT = "INSERT INTO job_event(seq, " + NAMES + ") VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)"
            + " ON CONFLICT(seq, name) DO UPDATE SET until = excluded.until, awaiting = excluded.awaiting,"
            + " over = excluded.over, at = excluded.at, source = excluded.source,"
            + " content_type = excluded.content_type, value = excluded.value";
    private static final String KEPT = "(EXISTS (SELECT 1 FROM job WHERE job.seq = event.seq)"
            + " OR EXISTS (SELECT 1 FROM ended WHERE ended.seq = event.seq))";

    private EventRows() {}

    /** {@link dev.orderly.job.store.JobStore#await}, for a job that passed the fence. */
    public static AwaitAnswer await(Connection connection, long seq, EventWait wait, Instant now) throws SQLException {
        JobEvent before = find(connection, seq, wait.name());
        JobEvent after = wait.asked(before, now);
        if (before == null && !fits(connection, seq, after)) {
            return AwaitAnswer.Refused.FULL;
        }
        if (!after.equals(before)) {
            put(connection, seq, after);
        }
        return new AwaitAnswer.Known(after);
    }

    /** {@link dev.orderly.job.store.JobStore#event}, for a job that has not ended. */
    public static EventResult keep(Connection connection, long seq, NewEvent event, Instant now) throws SQLException {
        JobEvent before = find(connection, seq, event.name());
        EventResult result = event.against(before);
        JobEvent after = event.arrived(before, now);
        if (result == EventResult.ACCEPTED && !fits(connection, seq, after)) {
            return EventResult.FULL;
        }
        if (result == EventResult.ACCEPTED) {
            put(connection, seq, after);
        }
        return result;
    }

    /** Whether the attempt that ended last awaits an event of this name. */
    public static boolean isAwaited(Connection connection, long seq, String name, int attempt) throws SQLException {
        JobEvent event = find(connection, seq, name);
        return event != null && event.awaited() != null && event.awaited().attempt() == attempt;
    }

    /** Notes what an attempt awaits; the outcome at once, if one of its events has come. */
    public static AttemptOutcome.Awaiting settle(Connection connection, long seq, int attempt,
            AttemptOutcome.Awaiting outcome) throws SQLException {
        boolean due = false;
        try (PreparedStatement update = connection
                .prepareStatement("UPDATE job_event SET awaiting = ? WHERE seq = ? AND name = ?")) {
            for (String name : outcome.names()) {
                update.setInt(1, attempt);
                update.setLong(2, seq);
                update.setString(3, name);
                update.executeUpdate();
                JobEvent event = find(connection, seq, name);
                due |= event != null
                        && (event.arrival() != null || (event.awaited() != null && event.awaited().over()));
            }
        }
        return due ? outcome.atOnce() : outcome;
    }

    /**
     * The events of a job that is kept.
     *
     * @param clock makes clock time of the stored moments
     */
    public static List<JobEvent> of(Connection connection, long seq, UnaryOperator<Instant> clock)
            throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(
                "SELECT " + NAMES + " FROM job_event AS event WHERE seq = ? AND " + KEPT + " ORDER BY name")) {
            query.setLong(1, seq);
            try (ResultSet rows = query.executeQuery()) {
                List<JobEvent> events = new ArrayList<>();
                while (rows.next()) {
                    events.add(read(rows, clock));
                }
                return events;
            }
        }
    }

    /**
     * Deletes the events of jobs that are kept no more, among the next ones.
     *
     * @param after the last job that a sweep has looked at
     * @return the last job that this one has looked at; 0 at the end, so that the next begins again
     */
    public static long sweep(Connection connection, long after) throws SQLException {
        long last;
        try (PreparedStatement seen = connection.prepareStatement("SELECT max(seq) FROM (SELECT seq FROM job_event"
                + " WHERE seq > ? ORDER BY seq LIMIT " + SWEPT + ") AS next")) {
            seen.setLong(1, after);
            try (ResultSet row = seen.executeQuery()) {
                last = row.next() ? row.getLong(1) : 0;
            }
        }
        if (last > 0) {
            try (PreparedStatement orphans = connection.prepareStatement(
                    "DELETE FROM job_event AS event WHERE seq > ? AND seq <= ? AND NOT " + KEPT)) {
                orphans.setLong(1, after);
                orphans.setLong(2, last);
                orphans.executeUpdate();
            }
        }
        return last;
    }

    /** Writes events of a copy. */
    public static void write(Connection connection, List<CopiedRecord> events) throws SQLException {
        for (CopiedRecord each : events) {
            CopiedRecord.Event copied = (CopiedRecord.Event) each;
            put(connection, copied.job().sequence(), copied.event());
        }
    }

    /** Reads a row with these columns. */
    public static JobEvent read(ResultSet row, UnaryOperator<Instant> clock) throws SQLException {
        Instant until = moment(row, "until", clock);
        Instant at = moment(row, "at", clock);
        return new JobEvent(row.getString("name"),
                until == null ? null : new JobEvent.Awaited(until, row.getInt("awaiting"), row.getInt("over") == 1),
                at == null
                        ? null
                        : new JobEvent.Arrival(at, row.getString("source"),
                                new Payload(row.getString("content_type"), row.getBytes("value"))));
    }

    private static @Nullable Instant moment(ResultSet row, String column, UnaryOperator<Instant> clock)
            throws SQLException {
        long millis = row.getLong(column);
        return row.wasNull() ? null : clock.apply(Instant.ofEpochMilli(millis));
    }

    private static @Nullable JobEvent find(Connection connection, long seq, String name) throws SQLException {
        try (PreparedStatement query = connection
                .prepareStatement("SELECT " + NAMES + " FROM job_event WHERE seq = ? AND name = ?")) {
            query.setLong(1, seq);
            query.setString(2, name);
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? read(row, UnaryOperator.identity()) : null;
            }
        }
    }

    /** Whether the job has room for this event in place of that of the same name. */
    private static boolean fits(Connection connection, long seq, JobEvent event) throws SQLException {
        try (PreparedStatement used = connection.prepareStatement("SELECT count(*), coalesce(sum(octet_length(name)"
                + " + coalesce(octet_length(value), 0)), 0) FROM job_event WHERE seq = ? AND name <> ?")) {
            used.setLong(1, seq);
            used.setString(2, event.name());
            try (ResultSet row = used.executeQuery()) {
                row.next();
                return row.getInt(1) < JobStep.STEPS_MAX && row.getLong(2) + event.bytes() <= JobStep.BYTES_MAX;
            }
        }
    }

    private static void put(Connection connection, long seq, JobEvent event) throws SQLException {
        JobEvent.Awaited awaited = event.awaited();
        JobEvent.Arrival arrival = event.arrival();
        try (PreparedStatement put = connection.prepareStatement(PUT)) {
            put.setLong(1, seq);
            put.setString(2, event.name());
            moment(put, 3, awaited == null ? null : awaited.until());
            put.setInt(4, awaited == null ? 0 : awaited.attempt());
            put.setInt(5, awaited != null && awaited.over() ? 1 : 0);
            moment(put, 6, arrival == null ? null : arrival.at());
            put.setString(7, arrival == null ? null : arrival.from());
            put.setString(8, arrival == null ? null : arrival.value().contentType());
            put.setBytes(9, arrival == null ? null : arrival.value().bytes());
            put.executeUpdate();
        }
    }

    private static void moment(PreparedStatement statement, int index, @Nullable Instant moment) throws SQLException {
        if (moment == null) {
            statement.setNull(index, Types.BIGINT);
        } else {
            statement.setLong(index, ColumnCodecs.millis(moment));
        }
    }
}
