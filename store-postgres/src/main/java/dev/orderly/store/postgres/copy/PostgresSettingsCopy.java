package dev.orderly.store.postgres.copy;

import dev.orderly.access.AccessToken;
import dev.orderly.access.store.AuditEntry;
import dev.orderly.access.store.LoginSession;
import dev.orderly.access.store.StoredToken;
import dev.orderly.history.HistoryFigures;
import dev.orderly.job.QueueName;
import dev.orderly.schedule.ScheduleHistory;
import dev.orderly.schedule.ScheduleState;
import dev.orderly.store.copy.CopiedRecord;
import dev.orderly.store.copy.CopyKind;
import dev.orderly.store.copy.CopyPort;
import dev.orderly.store.copy.CopyPort.Chunk;
import dev.orderly.store.copy.CopyPosition;
import dev.orderly.store.copy.CopySource.Page;
import dev.orderly.store.postgres.copy.PostgresCopy.Source;
import dev.orderly.store.postgres.job.PostgresKeySettings;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.sql.AccessRows;
import dev.orderly.store.sql.KeySettingColumns;
import dev.orderly.store.sql.ScheduleRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Schedules, access, figures of the history, and keys with values. */
final class PostgresSettingsCopy {
    Page read(Source source, CopyKind kind, String after, int limit, Instant moment) throws SQLException {
        Connection connection = source.connection();
        CopyPosition behind = CopyPosition.of(after);
        return switch (kind) {
            case SCHEDULES -> Page.whole(new Sql(connection, ScheduleRow.SELECT)
                    .list(row -> new CopiedRecord.Schedule(ScheduleRow.state(row, source.ids()))));
            case ACCESS_TOKENS -> Page.whole(new Sql(connection, "SELECT " + AccessRows.TOKEN + " FROM token")
                    .list(row -> new CopiedRecord.Token(AccessRows.token(row))));
            case SESSIONS -> Page.whole(new Sql(connection, "SELECT " + AccessRows.SESSION + " FROM session")
                    .list(row -> new CopiedRecord.Session(AccessRows.session(row))));
            case AUDIT_ENTRIES -> Page.upTo(new Sql(connection, "SELECT " + AccessRows.ENTRY
                    + " FROM audit WHERE id > ? ORDER BY id LIMIT ?").with(behind.number(0, 0)).with(limit)
                    .list(row -> new CopiedRecord.Audit(AccessRows.entry(row))), limit);
            case KEY_SETTINGS -> Page.upTo(new Sql(connection, """
                    SELECT queue.name AS of_queue, key_setting.*
                    FROM key_setting JOIN queue ON queue.id = key_setting.queue
                    WHERE (queue.name COLLATE "C", key_setting.name) > (?, ?)
                    ORDER BY queue.name COLLATE "C", key_setting.name LIMIT ?""")
                    .with(behind.text(0)).with(behind.text(1)).with(limit)
                    .list(row -> new CopiedRecord.KeySetting(new QueueName(row.getString("of_queue")),
                            row.getString("name"), KeySettingColumns.read(row))),
                    limit);
            case MINUTES -> Page.upTo(new Sql(connection, "SELECT subject, at, source, figures FROM minute"
                    + " WHERE (subject, at, source) > (?, ?, ?) ORDER BY subject, at, source LIMIT ?")
                    .with(behind.text(0)).with(behind.number(1, 0)).with(behind.text(2)).with(limit)
                    .list(row -> new CopiedRecord.Minute(row.getString("subject"),
                            Instant.ofEpochSecond(row.getLong("at")), row.getString("source"),
                            HistoryFigures.read(row.getBytes("figures")))),
                    limit);
            case HOURS -> Page.upTo(new Sql(connection, "SELECT subject, at, figures FROM hour"
                    + " WHERE (subject, at) > (?, ?) ORDER BY subject, at LIMIT ?")
                    .with(behind.text(0)).with(behind.number(1, 0)).with(limit)
                    .list(row -> new CopiedRecord.Hour(row.getString("subject"),
                            Instant.ofEpochSecond(row.getLong("at")), HistoryFigures.read(row.getBytes("figures")))),
                    limit);
            default -> Page.upTo(new Sql(connection, "SELECT key, text, until FROM key_value"
                    + " WHERE key > ? AND until > ? AND key <> ? ORDER BY key LIMIT ?")
                    .with(behind.text(0)).with(moment.toEpochMilli()).with(CopyPort.MARK).with(limit)
                    .list(row -> new CopiedRecord.Value(row.getString("key"), row.getString("text"),
                            Instant.ofEpochMilli(row.getLong("until")))),
                    limit);
        };
    }

    void write(Connection connection, Chunk chunk) throws SQLException {
        for (CopiedRecord each : chunk.records()) {
            switch (each) {
                case CopiedRecord.Schedule(var state) -> write(connection, state);
                case CopiedRecord.Token(var token) -> write(connection, token);
                case CopiedRecord.Session(var session) -> write(connection, session);
                case CopiedRecord.Audit(var entry) -> write(connection, entry);
                case CopiedRecord.KeySetting(var queue, var key, var settings) -> PostgresKeySettings.write(connection,
                        Math.toIntExact(new Sql(connection, "SELECT id FROM queue WHERE name = ?").with(queue.value())
                                .number()),
                        key, settings);
                case CopiedRecord.Minute minute -> new Sql(connection,
                        "INSERT INTO minute(subject, at, source, figures) VALUES(?, ?, ?, ?)").with(minute.subject())
                        .with(minute.at().getEpochSecond()).with(minute.source()).with(minute.figures().stored())
                        .update();
                case CopiedRecord.Hour hour -> new Sql(connection,
                        "INSERT INTO hour(subject, at, figures) VALUES(?, ?, ?)").with(hour.subject())
                        .with(hour.at().getEpochSecond()).with(hour.figures().stored()).update();
                case CopiedRecord.Value value -> new Sql(connection,
                        "INSERT INTO key_value(key, text, until) VALUES(?, ?, ?) ON CONFLICT(key) DO UPDATE"
                                + " SET text = excluded.text, until = excluded.until, version = DEFAULT")
                        .with(value.key()).with(value.text()).with(value.until().toEpochMilli()).update();
                default -> throw new IllegalArgumentException("No record of this part: " + each.kind());
            }
        }
        if (chunk.kind() == CopyKind.AUDIT_ENTRIES && !chunk.records().isEmpty()) {
            new Sql(connection, "SELECT setval(pg_get_serial_sequence('audit', 'id'), max(id)) FROM audit")
                    .list(_ -> true);
        }
    }

    private static void write(Connection connection, ScheduleState state) throws SQLException {
        new Sql(connection, "INSERT INTO schedule(name, timing, version, reached, fired, skipped, job, history)"
                + " VALUES(?, ?, ?, ?, nullif(?, -1), nullif(?, -1), nullif(?, -1), ?)").with(state.name().value())
                .with(state.timing()).with(state.version()).with(state.reached().toEpochMilli())
                .with(millis(state.fired())).with(millis(state.skipped()))
                .with(state.job() == null ? -1L : state.job().sequence())
                .with(state.history().equals(ScheduleHistory.EMPTY) ? null : state.history().write()).update();
    }

    private static void write(Connection connection, StoredToken stored) throws SQLException {
        AccessToken token = stored.token();
        new Sql(connection, "INSERT INTO token(" + AccessRows.TOKEN
                + ") VALUES(?, ?, ?, ?, ?, nullif(?, -1), nullif(?, -1))").with(token.name().value())
                .with(stored.hash()).with(token.role().text()).with(AccessRows.queues(token))
                .with(token.created().toEpochMilli()).with(millis(token.ends())).with(millis(stored.lastUsed()))
                .update();
    }

    private static void write(Connection connection, LoginSession session) throws SQLException {
        new Sql(connection, "INSERT INTO session(" + AccessRows.SESSION + ") VALUES(?, ?, ?, ?)")
                .with(session.hash()).with(session.token().value()).with(session.opened().toEpochMilli())
                .with(session.lastSeen().toEpochMilli()).update();
    }

    private static void write(Connection connection, AuditEntry entry) throws SQLException {
        new Sql(connection, "INSERT INTO audit(" + AccessRows.ENTRY
                + ") OVERRIDING SYSTEM VALUE VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").with(entry.id())
                .with(entry.act().at().toEpochMilli()).with(entry.act().kind().text()).with(entry.act().name())
                .with(entry.act().address()).with(entry.act().operation()).with(entry.act().object())
                .with(entry.act().before()).with(entry.after()).with(entry.outcome().text()).update();
    }

    private static long millis(@Nullable Instant moment) {
        return moment == null ? -1 : moment.toEpochMilli();
    }
}
