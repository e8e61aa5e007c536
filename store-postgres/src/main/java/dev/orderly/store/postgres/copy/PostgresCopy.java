package dev.orderly.store.postgres.copy;

import dev.orderly.store.copy.CopyKind;
import dev.orderly.store.copy.CopyPort;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.postgres.sql.Transactions;
import dev.orderly.store.sql.DatabaseJobIds;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The port of copies. Not copied: nodes, their crashes and leases, online users, gates and presence, which belong to
 * nodes that have stopped; {@code tally} and {@code lane}, which are made anew from the jobs; earlier epochs of rooms.
 */
public final class PostgresCopy implements CopyPort {
    private static final long MARK_END = 253_370_764_800_000L;

    private final Transactions transactions;
    private final Supplier<List<String>> others;
    private final PostgresJobCopy jobs = new PostgresJobCopy();
    private final PostgresRoomCopy rooms = new PostgresRoomCopy();
    private final PostgresSettingsCopy settings = new PostgresSettingsCopy();

    /** @param others further users of the schema, for {@link #liveNodes} */
    public PostgresCopy(Transactions transactions, Supplier<List<String>> others) {
        this.transactions = transactions;
        this.others = others;
    }

    /** A connection to read from, and the ids of its database. */
    record Source(Connection connection, DatabaseJobIds ids) {}

    @Override
    public Set<CopyKind> kinds() {
        return EnumSet.allOf(CopyKind.class);
    }

    @Override
    public Optional<Identity> identity() {
        return transactions.run(connection -> new Sql(connection,
                "SELECT salt, coalesce(pg_sequence_last_value('job_number'::regclass), 0) FROM meta")
                .list(row -> Optional.of(new Identity(row.getLong(1), row.getLong(2)))).getFirst());
    }

    @Override
    public List<String> liveNodes() {
        return transactions.run(connection -> {
            long now = new Sql(connection, "SELECT moment_now(NULL)").number();
            long since = now - SILENCE.toMillis();
            List<String> live = new ArrayList<>(new Sql(connection, "SELECT 'node ' || name FROM node"
                    + " WHERE NOT dead AND last_beat > ? ORDER BY name").with(since).list(row -> row.getString(1)));
            live.addAll(new Sql(connection, "SELECT 'the users of node ' || name FROM online_node"
                    + " WHERE last_beat > ? ORDER BY name").with(since).list(row -> row.getString(1)));
            live.addAll(new Sql(connection, "SELECT 'gates of room ' || name FROM room JOIN room_now"
                    + " ON room_now.room = room.id WHERE latest > ? AND latest < ? ORDER BY name").with(since)
                    .with(now + SILENCE.toMillis()).list(row -> row.getString(1)));
            live.addAll(others.get());
            return live;
        });
    }

    @Override
    public Page read(CopyKind kind, String after, int limit, Instant moment) {
        return transactions.run(connection -> {
            Source source = new Source(connection,
                    new DatabaseJobIds(new Sql(connection, "SELECT salt FROM meta").number()));
            return switch (kind) {
                case QUEUES, BATCHES, JOBS, ENDED_JOBS, JOB_STEPS, JOB_EVENTS, DEDUPE_KEYS, KEPT_KEYS,
                        IDEMPOTENCY_KEYS ->
                    jobs.read(source, kind, after, limit, moment);
                case KEY_SETTINGS, SCHEDULES, ACCESS_TOKENS, SESSIONS, AUDIT_ENTRIES, MINUTES, HOURS, KEY_VALUES ->
                    settings.read(source, kind, after, limit, moment);
                case ROOMS, USED_PLACES, PASSES, REVOCATIONS, ADMISSIONS, LOBBY_TICKETS, USER_PLACES ->
                    rooms.read(connection, kind, after, limit, moment);
            };
        });
    }

    @Override
    public void begin(Optional<Identity> identity, String mark) {
        transactions.run(connection -> {
            mark(connection, mark);
            if (identity.isPresent()) {
                new Sql(connection, "UPDATE meta SET salt = ?").with(identity.get().salt()).update();
                new Sql(connection, "SELECT setval('job_number', ?)").with(Math.max(1, identity.get().lastSequence()))
                        .list(_ -> true);
            }
            return true;
        });
    }

    @Override
    public void write(Chunk chunk) {
        transactions.run(connection -> {
            switch (chunk.kind()) {
                case QUEUES, BATCHES, JOBS, ENDED_JOBS, JOB_STEPS, JOB_EVENTS, DEDUPE_KEYS, KEPT_KEYS,
                        IDEMPOTENCY_KEYS ->
                    jobs.write(connection, chunk);
                case KEY_SETTINGS, SCHEDULES, ACCESS_TOKENS, SESSIONS, AUDIT_ENTRIES, MINUTES, HOURS, KEY_VALUES ->
                    settings.write(connection, chunk);
                case ROOMS, USED_PLACES, PASSES, REVOCATIONS, ADMISSIONS, LOBBY_TICKETS, USER_PLACES ->
                    rooms.write(connection, chunk);
            }
            mark(connection, chunk.mark());
            return true;
        });
    }

    @Override
    public Optional<String> mark() {
        return transactions.run(connection -> Optional.ofNullable(
                new Sql(connection, "SELECT text FROM key_value WHERE key = ?").with(MARK)
                        .first(row -> row.getString(1))));
    }

    @Override
    public void finish() {
        transactions.run(connection -> new Sql(connection, "DELETE FROM key_value WHERE key = ?").with(MARK).update());
    }

    private static void mark(Connection connection, String mark) throws SQLException {
        new Sql(connection, "INSERT INTO key_value(key, text, until) VALUES(?, ?, ?)"
                + " ON CONFLICT(key) DO UPDATE SET text = excluded.text").with(MARK).with(mark).with(MARK_END)
                .update();
    }
}
