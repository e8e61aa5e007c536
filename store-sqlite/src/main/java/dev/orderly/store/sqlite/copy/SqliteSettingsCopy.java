package dev.orderly.store.sqlite.copy;

import dev.orderly.access.AccessToken;
import dev.orderly.access.store.AuditEntry;
import dev.orderly.access.store.LoginSession;
import dev.orderly.access.store.StoredToken;
import dev.orderly.history.HistoryFigures;
import dev.orderly.job.QueueName;
import dev.orderly.store.copy.CopiedRecord;
import dev.orderly.store.copy.CopyKind;
import dev.orderly.store.copy.CopyPort;
import dev.orderly.store.copy.CopyPort.Chunk;
import dev.orderly.store.copy.CopyPosition;
import dev.orderly.store.copy.CopySource.Page;
import dev.orderly.store.sql.AccessRows;
import dev.orderly.store.sql.KeySettingColumns;
import dev.orderly.store.sqlite.table.ScheduleTable;
import dev.orderly.store.sqlite.table.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Schedules, access, figures of the history, and keys with values. */
final class SqliteSettingsCopy {
    Page read(SqliteJobCopy.Source source, CopyKind kind, String after, int limit, Instant moment) throws SQLException {
        Connection connection = source.connection();
        CopyPosition behind = CopyPosition.of(after);
        return switch (kind) {
            case SCHEDULES -> Page.whole(ScheduleTable.all(connection, source.ids()).stream()
                    .map(CopiedRecord.Schedule::new).toList());
            case ACCESS_TOKENS -> Page.whole(CopySql.list(connection, "SELECT " + AccessRows.TOKEN + " FROM token",
                    row -> new CopiedRecord.Token(AccessRows.token(row))));
            case SESSIONS -> Page.whole(CopySql.list(connection, "SELECT " + AccessRows.SESSION + " FROM session",
                    row -> new CopiedRecord.Session(AccessRows.session(row))));
            case AUDIT_ENTRIES -> Page.upTo(CopySql.list(connection, "SELECT " + AccessRows.ENTRY
                    + " FROM audit WHERE id > ? ORDER BY id LIMIT ?",
                    row -> new CopiedRecord.Audit(AccessRows.entry(row)), behind.number(0, 0), limit), limit);
            case KEY_SETTINGS -> Page.upTo(CopySql.list(connection, "SELECT queue.name AS of_queue, key_setting.*"
                    + " FROM key_setting JOIN queue ON queue.id = key_setting.queue"
                    + " WHERE (queue.name, key_setting.name) > (?, ?) ORDER BY queue.name, key_setting.name LIMIT ?",
                    row -> new CopiedRecord.KeySetting(new QueueName(row.getString("of_queue")),
                            row.getString("name"), KeySettingColumns.read(row)),
                    behind.text(0), behind.text(1), limit), limit);
            case MINUTES -> Page.upTo(CopySql.list(connection, "SELECT subject, at, source, figures FROM minute"
                    + " WHERE (subject, at, source) > (?, ?, ?) ORDER BY subject, at, source LIMIT ?",
                    row -> new CopiedRecord.Minute(row.getString("subject"),
                            Instant.ofEpochSecond(row.getLong("at")), row.getString("source"),
                            HistoryFigures.read(row.getBytes("figures"))),
                    behind.text(0), behind.number(1, 0), behind.text(2), limit), limit);
            case HOURS -> Page.upTo(CopySql.list(connection, "SELECT subject, at, figures FROM hour"
                    + " WHERE (subject, at) > (?, ?) ORDER BY subject, at LIMIT ?",
                    row -> new CopiedRecord.Hour(row.getString("subject"),
                            Instant.ofEpochSecond(row.getLong("at")), HistoryFigures.read(row.getBytes("figures"))),
                    behind.text(0), behind.number(1, 0), limit), limit);
            default -> Page.upTo(CopySql.list(connection, "SELECT key, text, until FROM key_value"
                    + " WHERE key > ? AND until > ? AND key <> ? ORDER BY key LIMIT ?",
                    row -> new CopiedRecord.Value(row.getString("key"), row.getString("text"),
                            Instant.ofEpochMilli(row.getLong("until"))),
                    behind.text(0), moment.toEpochMilli(), CopyPort.MARK, limit), limit);
        };
    }

    void write(Statements tables, Chunk chunk) throws SQLException {
        Connection connection = tables.connection();
        for (CopiedRecord each : chunk.records()) {
            switch (each) {
                case CopiedRecord.Schedule(var state) -> tables.schedules.write(state);
                case CopiedRecord.Token(var token) -> write(connection, token);
                case CopiedRecord.Session(var session) -> write(connection, session);
                case CopiedRecord.Audit(var entry) -> write(connection, entry);
                case CopiedRecord.KeySetting(var queue, var key, var settings) -> {
                    List<@Nullable Object> values = new ArrayList<>(Arrays.asList(key));
                    values.addAll(KeySettingColumns.values(settings));
                    values.add(queue.value());
                    CopySql.update(connection, "INSERT INTO key_setting(queue, name, " + KeySettingColumns.NAMES
                            + ") SELECT id, ?, ?, ?, ?, ?, ?, ? FROM queue WHERE name = ?", values.toArray());
                }
                case CopiedRecord.Minute minute -> CopySql.update(connection,
                        "INSERT INTO minute(subject, at, source, figures) VALUES(?, ?, ?, ?)", minute.subject(),
                        minute.at().getEpochSecond(), minute.source(), minute.figures().stored());
                case CopiedRecord.Hour hour -> CopySql.update(connection,
                        "INSERT INTO hour(subject, at, figures) VALUES(?, ?, ?)", hour.subject(),
                        hour.at().getEpochSecond(), hour.figures().stored());
                case CopiedRecord.Value value -> CopySql.update(connection,
                        "INSERT OR REPLACE INTO key_value(key, text, until) VALUES(?, ?, ?)", value.key(),
                        value.text(), value.until().toEpochMilli());
                default -> throw new IllegalArgumentException("No record of this part: " + each.kind());
            }
        }
    }

    private static void write(Connection connection, StoredToken stored) throws SQLException {
        AccessToken token = stored.token();
        CopySql.update(connection, "INSERT INTO token(" + AccessRows.TOKEN + ") VALUES(?, ?, ?, ?, ?, ?, ?)",
                token.name().value(), stored.hash(), token.role().text(), AccessRows.queues(token),
                token.created().toEpochMilli(), millis(token.ends()), millis(stored.lastUsed()));
    }

    private static void write(Connection connection, LoginSession session) throws SQLException {
        CopySql.update(connection, "INSERT INTO session(" + AccessRows.SESSION + ") VALUES(?, ?, ?, ?)",
                session.hash(), session.token().value(), session.opened().toEpochMilli(),
                session.lastSeen().toEpochMilli());
    }

    private static void write(Connection connection, AuditEntry entry) throws SQLException {
        CopySql.update(connection, "INSERT INTO audit(" + AccessRows.ENTRY + ") VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                entry.id(), entry.act().at().toEpochMilli(), entry.act().kind().text(), entry.act().name(),
                entry.act().address(), entry.act().operation(), entry.act().object(), entry.act().before(),
                entry.after(), entry.outcome().text());
    }

    private static @Nullable Long millis(@Nullable Instant moment) {
        return moment == null ? null : moment.toEpochMilli();
    }
}
