package dev.orderly.store.sqlite.file;

import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The schema, and the migration of files of older versions. */
public final class SqliteMigrations {
    /**
     * One entry per version. A released entry is never changed; a change is a new entry.
     *
     * <p>{@code job}: jobs that are not settled for good, and dead letters. {@code state} 0 waiting (running too:
     * claims are kept in memory), 1 delayed, 2 dead, 3 dead and halting its group. {@code lane} is the group, or the
     * priority number on a standard queue. {@code ready_at} in Unix milliseconds: the moment from which the job is due;
     * for a dead letter, the moment at which it died. {@code ended}: done (0) and cancelled (1) jobs. The payload is
     * the last column, so that reading the others never walks its overflow pages. Common values are NULL or zero, which
     * take no space.
     *
     * <p>{@code waiting}: the waiting jobs by lane. {@code lane_index} has those up to the sequence number
     * {@code merged} of {@code meta}, except for {@code tombstone}; see
     * {@link dev.orderly.store.sqlite.table.LaneIndex}. An insert into {@code settled_entry} deletes an entry: a
     * {@code DELETE} with a subquery would read the whole index.
     *
     * <p>{@code queue}: {@code halts} is whether a group stops at a dead letter; a {@code forgotten} queue is there for
     * the rows that name it, and is listed only while it holds jobs that have not ended.
     *
     * <p>{@code flow_limit}: limits over all nodes; {@code period} in milliseconds, {@code taken} a
     * {@link dev.orderly.job.store.StartWindow}. Written before jobs that take its tokens are handed out; jobs that run
     * are known to memory. In {@code queue}: the name of the queue's limit; {@code key_limit}: that of the limit of
     * each key. {@code key_window}: {@code taken} of keys, until the moment from which none of it counts.
     *
     * <p>{@code key_setting}: what operators have set for keys, and for groups; {@code own_*}: the bounds of a key in
     * place of those of the limit that each has.
     *
     * <p>{@code lease}: running jobs that no node holds. Their rows in {@code job} are as before the claim. {@code
     * cancellation}: running jobs that are to be cancelled, with or without a lease; before it a lease had
     * {@code cancelling}, which no version reads any more.
     *
     * <p>{@code job}: {@code trace} is a {@link dev.orderly.trace.TraceContext}, {@code error} the
     * {@link dev.orderly.job.search.ErrorFingerprint} of a dead letter, {@code history} an
     * {@link dev.orderly.store.sql.AttemptColumn}, {@code origin} the job whose content was pushed again; behind the
     * payload, where an absent value costs nothing. {@code crashes}: deaths of nodes while the job may have run;
     * {@code lone_crashes}: the deaths at which no other job of the node may have run. {@code started_at} of an ended
     * job: the claim of its last attempt.
     *
     * <p>{@code params} of {@code job} and {@code ended} has the {@link dev.orderly.job.JobTerms} too, see {@link
     * dev.orderly.store.sql.ColumnCodecs#params}. {@code expires_at}, {@code unique_key} and {@code flow_key} are those
     * parts of the terms that jobs are found by; {@code key_indexed} is 1 up to {@code merged}, so that the index
     * {@code keyed} has no other jobs. {@code batch}: see {@link dev.orderly.store.sql.BatchColumns}; its
     * counts are kept by triggers on {@code job}, whose {@code batch} is set once, and only of members.
     *
     * <p>{@code place}: visitors that were admitted, with the end of their pass, or whose ticket is used up.
     * {@code admission}: number of admissions in a millisecond, for the rate. {@code voided}: revoked visitors;
     * {@code moved_to} has the place now. Moments are Unix milliseconds; {@code capacity}, {@code admissions} and
     * {@code period} are the limits of an operator, if {@code override} is set.
     *
     * <p>{@code user_place}: the places of users with one place each, by a hash of the user.
     *
     * <p>{@code lobby}: the leaves of tickets in lobbies with a draw. In {@code room}: the {@link
     * dev.orderly.room.DrawLedger}.
     *
     * <p>{@code schedule}: see {@link dev.orderly.schedule.ScheduleState}; {@code job} is the sequence number of the
     * last job, {@code history} a {@link dev.orderly.schedule.ScheduleHistory}.
     *
     * <p>{@code token}, {@code session}, {@code audit}: see {@link dev.orderly.access.store}; {@code queues} are
     * separated by commas, {@code used} and {@code seen} the last reported uses. {@code key_value}: see
     * {@link dev.orderly.store.KeyValueStore}.
     *
     * <p>{@code kept_key}: dedupe keys that are kept for a time of their own, with its end.
     *
     * <p>{@code copied_key}: dedupe keys of a store that was copied into this one, by the sequence numbers of their
     * jobs; the jobs themselves may be gone.
     *
     * <p>{@code minute}, {@code hour}: see {@link dev.orderly.history.HistoryStore}; {@code at} in Unix seconds.
     */
    private static final List<List<String>> VERSIONS = List.of(List.of("""
            CREATE TABLE queue(
              id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, paused INTEGER NOT NULL DEFAULT 0)""", """
            CREATE TABLE job(
              seq INTEGER PRIMARY KEY, queue INTEGER NOT NULL, lane NOT NULL, state INTEGER NOT NULL,
              ready_at INTEGER, attempt INTEGER NOT NULL DEFAULT 0, failures INTEGER NOT NULL DEFAULT 0,
              crashes INTEGER NOT NULL DEFAULT 0, user TEXT, dedupe BLOB, params TEXT, content_type TEXT,
              progress TEXT, failure TEXT, failure_detail TEXT, payload BLOB NOT NULL)""", """
            CREATE INDEX waiting ON job(queue, lane) WHERE state = 0""", """
            CREATE INDEX delayed ON job(queue, lane, ready_at) WHERE state = 1""", """
            CREATE INDEX held ON job(queue) WHERE state = 0 AND ready_at IS NOT NULL""", """
            CREATE INDEX dead ON job(queue) WHERE state >= 2""", """
            CREATE TABLE ended(
              seq INTEGER PRIMARY KEY, queue INTEGER NOT NULL, lane NOT NULL, state INTEGER NOT NULL,
              attempt INTEGER NOT NULL, failures INTEGER NOT NULL, ended_at INTEGER NOT NULL, user TEXT, dedupe BLOB,
              params TEXT, result_type TEXT, progress TEXT, failure TEXT, failure_detail TEXT, reason TEXT,
              result BLOB)""", """
            CREATE TABLE idempotency(
              at INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, fingerprint BLOB NOT NULL, seq INTEGER NOT NULL)"""),
            List.of("""
                    CREATE TABLE room(
                      id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, epoch INTEGER NOT NULL, length INTEGER NOT NULL,
                      cursor INTEGER NOT NULL, crowded INTEGER NOT NULL, mode TEXT NOT NULL, message TEXT,
                      granted INTEGER NOT NULL, override INTEGER NOT NULL, capacity INTEGER, admissions INTEGER,
                      period INTEGER, at INTEGER NOT NULL)""",
                    """
                            CREATE TABLE place(
                              room INTEGER NOT NULL, epoch INTEGER NOT NULL, place INTEGER NOT NULL, until INTEGER NOT NULL,
                              used_up INTEGER NOT NULL, visitor BLOB NOT NULL, PRIMARY KEY(room, epoch, place)) WITHOUT ROWID""",
                    """
                            CREATE TABLE admission(
                              room INTEGER NOT NULL, at INTEGER NOT NULL, number INTEGER NOT NULL,
                              PRIMARY KEY(room, at)) WITHOUT ROWID""", """
                            CREATE TABLE voided(
                              room INTEGER NOT NULL, visitor BLOB NOT NULL, until INTEGER NOT NULL,
                              PRIMARY KEY(room, visitor)) WITHOUT ROWID"""),
            List.of("""
                    CREATE TABLE schedule(
                      name TEXT PRIMARY KEY, timing TEXT NOT NULL, version INTEGER NOT NULL, reached INTEGER NOT NULL,
                      fired INTEGER, skipped INTEGER, job INTEGER) WITHOUT ROWID"""),
            List.of("""
                    ALTER TABLE queue ADD COLUMN halts INTEGER NOT NULL DEFAULT 0"""),
            List.of("""
                    DROP INDEX waiting""", """
                    CREATE TABLE lane_index(
                      queue INTEGER NOT NULL, lane NOT NULL, seq INTEGER NOT NULL,
                      PRIMARY KEY(queue, lane, seq)) WITHOUT ROWID""", """
                    CREATE TABLE tombstone(seq INTEGER PRIMARY KEY, queue INTEGER NOT NULL, lane NOT NULL)""", """
                    CREATE VIEW settled_entry AS SELECT queue, lane, seq FROM tombstone""", """
                    CREATE TRIGGER delete_entry INSTEAD OF INSERT ON settled_entry BEGIN
                      DELETE FROM lane_index WHERE queue = new.queue AND lane = new.lane AND seq = new.seq;
                    END""", """
                    INSERT INTO lane_index
                    SELECT queue, lane, seq FROM job WHERE state = 0 ORDER BY queue, lane, seq""", """
                    INSERT INTO meta SELECT 'merged', coalesce(max(seq), 0) FROM job""", """
                    CREATE VIEW waiting AS
                    SELECT queue, lane, seq FROM lane_index WHERE seq NOT IN (SELECT seq FROM tombstone)
                    UNION ALL
                    SELECT queue, lane, seq FROM job
                    WHERE state = 0 AND seq > (SELECT value FROM meta WHERE name = 'merged')"""),
            List.of("""
                    CREATE TABLE token(
                      name TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, role TEXT NOT NULL, queues TEXT NOT NULL,
                      created INTEGER NOT NULL, ends INTEGER, used INTEGER) WITHOUT ROWID""", """
                    CREATE TABLE session(
                      hash TEXT PRIMARY KEY, token TEXT NOT NULL, opened INTEGER NOT NULL, seen INTEGER NOT NULL)
                      WITHOUT ROWID""", """
                    CREATE TABLE audit(
                      id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
                      address TEXT NOT NULL, operation TEXT NOT NULL, object TEXT NOT NULL, before TEXT, after TEXT,
                      outcome TEXT NOT NULL)""", """
                    CREATE INDEX audit_at ON audit(at)"""),
            List.of("""
                    CREATE TABLE lease(
                      seq INTEGER PRIMARY KEY, attempt INTEGER NOT NULL, until INTEGER NOT NULL,
                      cancelling INTEGER NOT NULL)"""),
            List.of("""
                    CREATE TABLE key_value(
                      version INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, text TEXT NOT NULL,
                      until INTEGER NOT NULL)"""),
            List.of("ALTER TABLE job ADD COLUMN trace TEXT"),
            List.of("""
                    CREATE TABLE minute(
                      subject TEXT NOT NULL, at INTEGER NOT NULL, source TEXT NOT NULL, figures BLOB NOT NULL,
                      PRIMARY KEY(subject, at, source)) WITHOUT ROWID""", """
                    CREATE INDEX minute_at ON minute(at)""", """
                    CREATE TABLE hour(
                      subject TEXT NOT NULL, at INTEGER NOT NULL, figures BLOB NOT NULL, PRIMARY KEY(subject, at))
                      WITHOUT ROWID""", """
                    CREATE INDEX hour_at ON hour(at)"""),
            List.of("ALTER TABLE job ADD COLUMN error INTEGER", "UPDATE job SET error = 0 WHERE state >= 2", """
                    CREATE INDEX dead_error ON job(queue, error) WHERE state >= 2""", """
                    CREATE INDEX halting ON job(queue, lane) WHERE state = 3"""),
            List.of("ALTER TABLE job ADD COLUMN history TEXT", "ALTER TABLE job ADD COLUMN origin INTEGER",
                    "ALTER TABLE ended ADD COLUMN history TEXT", "ALTER TABLE ended ADD COLUMN origin INTEGER",
                    "ALTER TABLE ended ADD COLUMN started_at INTEGER", "ALTER TABLE ended ADD COLUMN trace TEXT"),
            List.of("ALTER TABLE schedule ADD COLUMN history TEXT"),
            List.of("ALTER TABLE voided ADD COLUMN moved_to BLOB"),
            List.of("CREATE TABLE copied_key(seq INTEGER PRIMARY KEY, dedupe BLOB NOT NULL)"),
            List.of("CREATE TABLE cancellation(seq INTEGER PRIMARY KEY)",
                    "INSERT INTO cancellation SELECT seq FROM lease WHERE cancelling = 1"),
            List.of("ALTER TABLE queue ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0"),
            List.of("ALTER TABLE job ADD COLUMN lone_crashes INTEGER NOT NULL DEFAULT 0"),
            List.of("""
                    CREATE TABLE flow_limit(
                      name TEXT PRIMARY KEY, concurrency INTEGER NOT NULL, starts INTEGER NOT NULL,
                      period INTEGER NOT NULL, taken TEXT NOT NULL) WITHOUT ROWID""",
                    "ALTER TABLE queue ADD COLUMN flow_limit TEXT"),
            List.of("ALTER TABLE job ADD COLUMN expires_at INTEGER", "ALTER TABLE job ADD COLUMN unique_key BLOB",
                    "CREATE INDEX expiring ON job(expires_at) WHERE expires_at IS NOT NULL AND state <= 1",
                    "CREATE INDEX unique_job ON job(unique_key) WHERE unique_key IS NOT NULL AND state <= 1"),
            List.of("""
                    CREATE TABLE kept_key(key BLOB PRIMARY KEY, seq INTEGER NOT NULL, fingerprint BLOB,
                      until INTEGER NOT NULL) WITHOUT ROWID""",
                    "CREATE INDEX kept_until ON kept_key(until)"),
            List.of("ALTER TABLE job ADD COLUMN flow_key TEXT",
                    "CREATE INDEX keyed ON job(queue, flow_key, lane, seq) WHERE flow_key IS NOT NULL AND state = 0",
                    "ALTER TABLE queue ADD COLUMN key_limit TEXT", """
                            CREATE TABLE key_window(
                              queue INTEGER NOT NULL, flow_key TEXT NOT NULL, until INTEGER NOT NULL,
                              taken TEXT NOT NULL, PRIMARY KEY(queue, flow_key)) WITHOUT ROWID""",
                    "CREATE INDEX key_window_until ON key_window(until)"),
            List.of("ALTER TABLE room ADD COLUMN openings TEXT"),
            List.of("""
                    CREATE TABLE flow_rest(
                      flow_limit TEXT NOT NULL, queue INTEGER NOT NULL, flow_key TEXT NOT NULL, until INTEGER NOT NULL,
                      job TEXT NOT NULL, attempt INTEGER NOT NULL, PRIMARY KEY(flow_limit, queue, flow_key))
                      WITHOUT ROWID"""),
            List.of("CREATE INDEX keyed_delayed ON job(queue, flow_key) WHERE flow_key IS NOT NULL AND state = 1"),
            List.of("ALTER TABLE room ADD COLUMN draws TEXT",
                    "ALTER TABLE room ADD COLUMN lobby_open INTEGER NOT NULL DEFAULT 0",
                    "ALTER TABLE room ADD COLUMN lobby_base INTEGER NOT NULL DEFAULT -1",
                    "ALTER TABLE room ADD COLUMN lobby_end INTEGER NOT NULL DEFAULT -1",
                    "ALTER TABLE room ADD COLUMN drawn INTEGER NOT NULL DEFAULT 0", """
                            CREATE TABLE lobby(
                              room INTEGER NOT NULL, epoch INTEGER NOT NULL, place INTEGER NOT NULL,
                              leaf BLOB NOT NULL, PRIMARY KEY(room, epoch, place)) WITHOUT ROWID"""),
            List.of("""
                    CREATE TABLE key_setting(
                      queue INTEGER NOT NULL, name TEXT NOT NULL, paused INTEGER NOT NULL, own_concurrency INTEGER,
                      own_starts INTEGER, own_period INTEGER, set_by TEXT NOT NULL, set_at INTEGER NOT NULL,
                      PRIMARY KEY(queue, name)) WITHOUT ROWID"""),
            List.of("""
                    CREATE TABLE job_step(
                      seq INTEGER NOT NULL, name TEXT NOT NULL, number INTEGER NOT NULL, attempt INTEGER NOT NULL,
                      at INTEGER NOT NULL, content_type TEXT, value BLOB, PRIMARY KEY(seq, name)) WITHOUT ROWID"""),
            List.of("ALTER TABLE room ADD COLUMN tiers TEXT"),
            List.of("ALTER TABLE flow_limit ADD COLUMN share INTEGER NOT NULL DEFAULT 0"), batches(),
            List.of("""
                    CREATE TABLE job_event(
                      seq INTEGER NOT NULL, name TEXT NOT NULL, until INTEGER, awaiting INTEGER NOT NULL,
                      over INTEGER NOT NULL, at INTEGER, source TEXT, content_type TEXT, value BLOB,
                      PRIMARY KEY(seq, name)) WITHOUT ROWID"""), tallies(),
            List.of("""
                    CREATE TABLE user_place(
                      room INTEGER NOT NULL, epoch INTEGER NOT NULL, user BLOB NOT NULL, visitor BLOB NOT NULL,
                      place INTEGER NOT NULL, ahead INTEGER NOT NULL, until INTEGER NOT NULL, taken INTEGER NOT NULL,
                      PRIMARY KEY(room, epoch, user)) WITHOUT ROWID"""),
            List.of("ALTER TABLE room ADD COLUMN lobby_bases TEXT", "ALTER TABLE room ADD COLUMN lobby_ends TEXT"),
            keyedAfterMerges());

    private static final Logger LOG = LoggerFactory.getLogger(SqliteMigrations.class);

    private static final String VERSION = "schema";
    private static final String SALT = "salt";

    private SqliteMigrations() {}

    /**
     * Creates or migrates the tables; writes nothing if they have this version.
     *
     * @param known the salt of the earlier database at this path, if known
     * @return the salt of this database's job ids
     * @throws StoreException.Unusable if the file has a newer version, belongs to another program, or is not the
     *     earlier database
     */
    public static long prepare(Connection connection, OptionalLong known, RandomGenerator random) throws SQLException {
        long version = checked(connection, known);
        try (Statement statement = connection.createStatement()) {
            if (version == 0) {
                statement.execute("CREATE TABLE meta(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID");
                write(connection, SALT, random.nextLong());
            }
            if (version < VERSIONS.size()) {
                update(connection, statement, VERSIONS.subList((int) version, VERSIONS.size()), version);
            }
        }
        connection.commit();
        return read(connection, SALT);
    }

    /** The index of the waiting jobs of each key, without the jobs since the last merge. */
    private static List<String> keyedAfterMerges() {
        String indexed = "UPDATE job INDEXED BY %s SET key_indexed = 1 WHERE flow_key IS NOT NULL"
                + " AND seq <= (SELECT value FROM meta WHERE name = 'merged') AND state ";
        return List.of("ALTER TABLE job ADD COLUMN key_indexed INTEGER", indexed.formatted("keyed") + "= 0",
                indexed.formatted("keyed_delayed") + "= 1", indexed.formatted("dead_error") + ">= 2",
                "DROP INDEX keyed",
                "CREATE INDEX keyed ON job(queue, flow_key, lane, seq) WHERE key_indexed = 1 AND state = 0", """
                        CREATE VIEW waiting_of_key AS
                        SELECT queue, flow_key, lane, seq FROM job WHERE key_indexed = 1 AND state = 0
                        UNION ALL
                        SELECT queue, flow_key, lane, seq FROM job WHERE state = 0 AND flow_key IS NOT NULL
                          AND seq > (SELECT value FROM meta WHERE name = 'merged')""");
    }

    /** Batches, and the column and index of their members. */
    private static List<String> batches() {
        return List.of("""
                CREATE TABLE batch(
                  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, when_dead TEXT NOT NULL,
                  queue TEXT NOT NULL, grp TEXT, priority INTEGER NOT NULL, owner TEXT, params TEXT, trace TEXT,
                  content_type TEXT NOT NULL, payload BLOB NOT NULL, opened_at INTEGER NOT NULL, closed_at INTEGER,
                  cancelled_at INTEGER, finished_at INTEGER, callback INTEGER, pushed INTEGER NOT NULL DEFAULT 0,
                  done INTEGER NOT NULL DEFAULT 0, dead INTEGER NOT NULL DEFAULT 0,
                  cancelled INTEGER NOT NULL DEFAULT 0)""",
                "CREATE INDEX unfinished_batch ON batch(id) WHERE finished_at IS NULL",
                "ALTER TABLE job ADD COLUMN batch INTEGER",
                "CREATE INDEX member ON job(batch, state) WHERE batch IS NOT NULL");
    }

    /**
     * What is to be added to the counts of unfinished batches, in place of the triggers that wrote them into the row of
     * the batch.
     */
    private static List<String> tallies() {
        return List.of("DROP TRIGGER IF EXISTS member_pushed", "DROP TRIGGER IF EXISTS member_moved",
                "DROP TRIGGER IF EXISTS member_ended", """
                        CREATE TABLE batch_tally(batch INTEGER PRIMARY KEY, pushed INTEGER NOT NULL,
                          done INTEGER NOT NULL, dead INTEGER NOT NULL, cancelled INTEGER NOT NULL)""", """
                        CREATE VIEW batch_view AS SELECT id, name, when_dead, queue, grp, priority, owner, params,
                          trace, content_type, payload, opened_at, closed_at, cancelled_at, finished_at, callback,
                          batch.pushed + coalesce(tally.pushed, 0) AS pushed,
                          batch.done + coalesce(tally.done, 0) AS done,
                          batch.dead + coalesce(tally.dead, 0) AS dead,
                          batch.cancelled + coalesce(tally.cancelled, 0) AS cancelled
                        FROM batch LEFT JOIN batch_tally AS tally ON tally.batch = batch.id""");
    }

    private static void update(Connection connection, Statement statement, List<List<String>> versions, long from)
            throws SQLException {
        int statements = versions.stream().mapToInt(List::size).sum();
        if (from > 0) {
            LOG.info("The database is updated from version {} to {}, in one transaction of {} statements", from,
                    VERSIONS.size(), statements);
        }
        MigrationProgress progress = MigrationProgress.of(connection, Time.system(), statements);
        try {
            for (List<String> version : versions) {
                for (String sql : version) {
                    progress.begin(sql);
                    statement.execute(sql);
                }
            }
        } finally {
            progress.end(connection);
        }
        write(connection, VERSION, VERSIONS.size());
    }

    /**
     * Whether the tables have this version, so that the database can be read without a change.
     *
     * @param known as in {@link #prepare}
     * @throws StoreException.Unusable as {@link #prepare}, and if the file has no tables
     */
    public static boolean isCurrent(Connection connection, OptionalLong known) throws SQLException {
        long version = checked(connection, known);
        if (version == 0) {
            throw new StoreException.Unusable("The database has no tables of Orderly: name one that a server has used",
                    null);
        }
        return version == VERSIONS.size();
    }

    /** The version of the tables; zero for none. */
    private static long checked(Connection connection, OptionalLong known) throws SQLException {
        long version = version(connection);
        if (known.isPresent() && (version == 0 || read(connection, SALT) != known.getAsLong())) {
            throw new StoreException.Unusable(
                    "The database is not the one that was here last, as the file beside it that ends in -running"
                            + " says: put the right one back, together with its -wal file. If this is the right one,"
                            + " remove the -running file",
                    null);
        }
        if (version > VERSIONS.size()) {
            throw new StoreException.Unusable("The database has schema version " + version + ", this Orderly knows "
                    + VERSIONS.size() + ": use the newer Orderly that wrote it, or another file", null);
        }
        return version;
    }

    private static long version(Connection connection) throws SQLException {
        if (count(connection, "name = 'meta'") == 1) {
            return read(connection, VERSION);
        }
        if (count(connection, "1") == 0) {
            return 0;
        }
        throw new StoreException.Unusable(
                "The file is a SQLite database of another program: use another file name for Orderly's", null);
    }

    private static long count(Connection connection, String condition) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM sqlite_schema WHERE " + condition)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static long read(Connection connection, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT value FROM meta WHERE name = ?")) {
            statement.setString(1, name);
            try (ResultSet rows = statement.executeQuery()) {
                if (!rows.next()) {
                    throw new StoreException.Unusable("The database has a table \"meta\" without \"" + name
                            + "\": it is not Orderly's or was damaged; use another file or restore a backup", null);
                }
                return rows.getLong(1);
            }
        }
    }

    private static void write(Connection connection, String name, long value) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("INSERT OR REPLACE INTO meta VALUES(?, ?)")) {
            statement.setString(1, name);
            statement.setLong(2, value);
            statement.executeUpdate();
        }
    }
}
