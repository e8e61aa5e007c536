package dev.orderly.store.sqlite.copy;

import dev.orderly.store.copy.CopyPort;
import dev.orderly.store.sqlite.file.ReaderPool;
import dev.orderly.store.sqlite.state.LockedJob;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.writer.RequestQueue;
import dev.orderly.store.sqlite.writer.WriteRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The port of copies. The lock of the file keeps every other process out, so that no node is alive. Not copied:
 * {@code lease}, since leased jobs wait again; {@code tombstone} and {@code lane_index}, which are made anew; claims.
 */
public final class SqliteCopy extends SqliteCopySource implements CopyPort {
    private static final String MARK_END = "253370764800000";

    private final ReaderPool readers;
    private final RequestQueue requests;

    public SqliteCopy(WriterState state, ReaderPool readers, RequestQueue requests) {
        super(readers::read, seq -> attempt(state, seq));
        this.readers = readers;
        this.requests = requests;
    }

    /** The newest attempt of a job, which may be known in memory only; zero if memory knows none. */
    private static int attempt(WriterState state, long seq) {
        LockedJob locked = state.running.find(seq);
        return locked == null ? 0 : locked.attempt();
    }

    @Override
    public void begin(Optional<Identity> identity, String mark) {
        requests.ask(WriteRequest.alone(writer -> {
            Connection connection = writer.tables.connection();
            mark(connection, mark);
            if (identity.isPresent()) {
                writer.running.forgetDatabase();
                CopySql.update(connection, "UPDATE meta SET value = ? WHERE name = 'salt'", identity.get().salt());
                // All copied jobs go into the index of waiting jobs at once.
                CopySql.update(connection, "UPDATE meta SET value = ? WHERE name = 'merged'",
                        identity.get().lastSequence());
            }
            return () -> {
                identity.ifPresent(taken -> writer.running.rememberDatabase(taken.salt()));
                return true;
            };
        }));
    }

    @Override
    public void write(Chunk chunk) {
        requests.ask(WriteRequest.alone(WriteRequest.work(writer -> {
            Connection connection = writer.tables.connection();
            switch (chunk.kind()) {
                case QUEUES, BATCHES, JOBS, ENDED_JOBS, JOB_STEPS, JOB_EVENTS, DEDUPE_KEYS, KEPT_KEYS,
                        IDEMPOTENCY_KEYS ->
                    jobs.write(connection, chunk);
                case KEY_SETTINGS, SCHEDULES, ACCESS_TOKENS, SESSIONS, AUDIT_ENTRIES, MINUTES, HOURS, KEY_VALUES ->
                    settings.write(writer.tables, chunk);
                case ROOMS, USED_PLACES, PASSES, REVOCATIONS, ADMISSIONS, LOBBY_TICKETS, USER_PLACES ->
                    rooms.write(connection, chunk);
            }
            mark(connection, chunk.mark());
            return true;
        })));
    }

    @Override
    public Optional<String> mark() {
        return readers.read(connection -> CopySql.list(connection, "SELECT text FROM key_value WHERE key = ?",
                row -> row.getString(1), MARK).stream().findFirst());
    }

    @Override
    public void finish() {
        requests.ask(WriteRequest.alone(WriteRequest.work(writer -> {
            CopySql.update(writer.tables.connection(), "DELETE FROM key_value WHERE key = ?", MARK);
            return true;
        })));
    }

    private static void mark(Connection connection, String mark) throws SQLException {
        CopySql.update(connection, "INSERT INTO key_value(key, text, until) VALUES(?, ?, " + MARK_END
                + ") ON CONFLICT(key) DO UPDATE SET text = excluded.text", MARK, mark);
    }

}
