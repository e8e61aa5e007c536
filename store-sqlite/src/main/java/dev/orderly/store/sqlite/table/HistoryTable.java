package dev.orderly.store.sqlite.table;

import dev.orderly.history.HistoryFigures;
import dev.orderly.history.HistoryPart;
import dev.orderly.history.HistoryStore.Scale;
import dev.orderly.history.HistorySubject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Statements on tables {@code minute} and {@code hour}. They are rare, so each is prepared when it runs. */
public final class HistoryTable {
    private final Connection connection;

    HistoryTable(Connection connection) {
        this.connection = connection;
    }

    public void append(String source, List<HistoryPart> parts) throws SQLException {
        try (PreparedStatement minute = connection.prepareStatement("INSERT INTO minute(subject, at, source, figures)"
                + " VALUES(?, ?, ?, ?) ON CONFLICT DO NOTHING");
                PreparedStatement known = connection
                        .prepareStatement("SELECT figures FROM hour WHERE subject = ? AND at = ?");
                PreparedStatement hour = connection.prepareStatement("INSERT INTO hour(subject, at, figures)"
                        + " VALUES(?, ?, ?) ON CONFLICT DO UPDATE SET figures = excluded.figures")) {
            for (HistoryPart part : parts) {
                minute.setString(1, part.subject().key());
                minute.setLong(2, part.at().getEpochSecond());
                minute.setString(3, source);
                minute.setBytes(4, part.figures().stored());
                if (minute.executeUpdate() == 1) {
                    addToHour(part, known, hour);
                }
            }
        }
    }

    private static void addToHour(HistoryPart part, PreparedStatement known, PreparedStatement hour)
            throws SQLException {
        known.setString(1, part.subject().key());
        known.setLong(2, part.hour().getEpochSecond());
        HistoryFigures before;
        try (ResultSet rows = known.executeQuery()) {
            before = rows.next() ? HistoryFigures.read(rows.getBytes(1)) : HistoryFigures.NONE;
        }
        hour.setString(1, part.subject().key());
        hour.setLong(2, part.hour().getEpochSecond());
        hour.setBytes(3, before.plus(part.figures()).stored());
        hour.executeUpdate();
    }

    public int prune(Instant minutesBefore, Instant hoursBefore, int limit) throws SQLException {
        return prune("DELETE FROM minute WHERE (subject, at, source) IN (SELECT subject, at, source FROM minute"
                + " WHERE at < ? LIMIT ?)", minutesBefore, limit)
                + prune("DELETE FROM hour WHERE (subject, at) IN (SELECT subject, at FROM hour WHERE at < ? LIMIT ?)",
                        hoursBefore, limit);
    }

    private int prune(String sql, Instant before, int limit) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement(sql)) {
            delete.setLong(1, before.getEpochSecond());
            delete.setInt(2, limit);
            return delete.executeUpdate();
        }
    }

    /** Figures on any connection. */
    public static NavigableMap<Instant, HistoryFigures> read(Connection connection, HistorySubject subject, Scale scale,
            Instant from, Instant until) throws SQLException {
        String table = switch (scale) {
            case MINUTE -> "minute";
            case HOUR -> "hour";
        };
        try (PreparedStatement query = connection.prepareStatement("SELECT at, figures FROM " + table
                + " WHERE subject = ? AND at >= ? AND at < ?")) {
            query.setString(1, subject.key());
            query.setLong(2, from.getEpochSecond());
            query.setLong(3, until.getEpochSecond());
            NavigableMap<Instant, HistoryFigures> found = new TreeMap<>();
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    found.merge(Instant.ofEpochSecond(rows.getLong(1)), HistoryFigures.read(rows.getBytes(2)),
                            HistoryFigures::plus);
                }
            }
            return found;
        }
    }
}
