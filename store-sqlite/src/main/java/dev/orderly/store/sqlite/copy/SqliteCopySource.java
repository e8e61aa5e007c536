package dev.orderly.store.sqlite.copy;

import dev.orderly.store.copy.CopyKind;
import dev.orderly.store.copy.CopySource;
import dev.orderly.store.sql.DatabaseJobIds;
import dev.orderly.store.sqlite.file.ReaderPool;
import dev.orderly.store.sqlite.table.SqliteQueueTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongToIntFunction;

/**
 * The data of a database, read on read-only connections. Its opener holds the lock of the file, which keeps every other
 * process out, so that no node is alive.
 */
public class SqliteCopySource implements CopySource {
    private final Readers readers;
    final SqliteJobCopy jobs;
    final SqliteRoomCopy rooms = new SqliteRoomCopy();
    final SqliteSettingsCopy settings = new SqliteSettingsCopy();

    /** Read-only connections. */
    @FunctionalInterface
    public interface Readers {
        <T> T read(ReaderPool.Question<T> question);
    }

    /** @param attempts the newest attempt of a running job, by its sequence number; zero for other jobs */
    public SqliteCopySource(Readers readers, LongToIntFunction attempts) {
        this.readers = readers;
        this.jobs = new SqliteJobCopy(attempts);
    }

    @Override
    public Set<CopyKind> kinds() {
        return EnumSet.allOf(CopyKind.class);
    }

    @Override
    public Optional<Identity> identity() {
        return readers.read(connection -> Optional
                .of(new Identity(ids(connection).salt(), SqliteQueueTable.lastSequence(connection))));
    }

    @Override
    public List<String> liveNodes() {
        return List.of();
    }

    @Override
    public Page read(CopyKind kind, String after, int limit, Instant moment) {
        return readers.read(connection -> switch (kind) {
            case QUEUES, BATCHES, JOBS, ENDED_JOBS, JOB_STEPS, JOB_EVENTS, DEDUPE_KEYS, KEPT_KEYS, IDEMPOTENCY_KEYS ->
                jobs.read(new SqliteJobCopy.Source(connection, ids(connection)), kind, after, limit, moment);
            case KEY_SETTINGS, SCHEDULES, ACCESS_TOKENS, SESSIONS, AUDIT_ENTRIES, MINUTES, HOURS, KEY_VALUES ->
                settings.read(new SqliteJobCopy.Source(connection, ids(connection)), kind, after, limit, moment);
            case ROOMS, USED_PLACES, PASSES, REVOCATIONS, ADMISSIONS, LOBBY_TICKETS, USER_PLACES ->
                rooms.read(connection, kind, after, limit, moment);
        });
    }

    /** The ids as stored: a copy that has begun has changed them. */
    private static DatabaseJobIds ids(Connection connection) throws SQLException {
        return new DatabaseJobIds(CopySql.list(connection, "SELECT value FROM meta WHERE name = 'salt'",
                row -> row.getLong(1)).getFirst());
    }
}
