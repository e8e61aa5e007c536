package dev.orderly.store.postgres.sql;

import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** Creation of the tables, and migration from older versions. */
public final class PostgresMigrations {
    /**
     * The migrations, one entry a version. A released entry is never changed; a change is a new entry.
     *
     * <p>An entry is statements, each ended by a semicolon at the end of its line, and each repeatable: {@code CREATE}
     * has {@code IF NOT EXISTS}, {@code DROP} has {@code IF EXISTS}. Nodes of the version before are at work meanwhile,
     * so a new column has no default or a constant one. An index of an existing table is built beside their changes,
     * and {@code UPDATE table SET column = value WHERE condition} runs in chunks: see {@link SchemaChange}. Functions
     * are below.
     *
     * <p>{@code job}: unsettled jobs and dead letters. {@code state} 0 waiting, 1 delayed, 2 running, 3 dead, 4 dead
     * and halting its group. On standard queues {@code grp} is null and {@code priority} counts. {@code ready_at} in
     * Unix milliseconds: the moment at which a delayed job is due, a running job was claimed or a dead letter died; 0
     * for a running job that was handed off with its push. {@code node}: the life of the node that runs a job.
     * {@code error}: the {@link dev.orderly.job.search.ErrorFingerprint} of a dead letter; null in other states.
     * {@code history}: an {@link dev.orderly.store.sql.AttemptColumn}. {@code origin}: the job whose content was pushed
     * again. {@code params} has the {@link dev.orderly.job.JobTerms} too, see {@link
     * dev.orderly.store.sql.ColumnCodecs#params}; {@code expires_at} and {@code unique_key} are those parts of the
     * terms that jobs are found by, {@code cost} the one that claims count with, null for 1; {@code priority} is a
     * {@link dev.orderly.store.sql.ClassNumber}. {@code ended}: done (0) and cancelled (1) jobs, with the node and the
     * claim of the last attempt of those that ran.
     *
     * <p>Indexes with an expression, such as {@code seq + 0} of {@code job_waiting} and {@code node + 0} of {@code
     * job_cancelling}, are for the statements that write it: {@code plans.sql} says why. {@code job_by_node} has an
     * entry of each job that a node has run, for as long as an old transaction keeps it.
     *
     * <p>{@code lane}: exactly the groups that have unsettled jobs or are halted. {@code state} 0 ready, 1 held by a
     * node, 2 halted, 3 waiting until {@code ready_at}, for its first job or for its rate. {@code turn} is the order of
     * ready lanes. {@code started}: whether the first held job may have run.
     *
     * <p>{@code recent}: remembered keys; {@code kind} 0 dedupe, 1 idempotency. {@code node}: the lives of nodes; a
     * node that was declared dead and beats again begins another life. {@code queues}: those it works on; null for a
     * version that does not say so.
     *
     * <p>{@code tally}: the number of jobs of a queue in a state (5: ended) is the sum of its rows. Each statement that
     * changes jobs adds rows, in its own transaction and without waiting; upkeep folds them into one. {@code xact}:
     * that transaction, so that no read walks over folded rows. Until version 4 triggers did.
     *
     * <p>{@code draw}: takes consecutive numbers, none below the floor, all above those drawn before. Its lock lasts
     * for the draw only and not until the commit, so pushes to different groups do not wait for each other: the lock
     * belongs to a subtransaction that is rolled back at once, and a sequence is not rolled back. Any error in between
     * frees it too.
     *
     * <p>{@code blocked}: the indexes, from 1, of lanes (a queue and a name) or keys (a kind and a key) that another
     * transaction has locked, also by an uncommitted row. The other rows are created or locked: roll back afterwards.
     *
     * <p>{@code lease}: the running jobs that no node holds, apart from {@code job} so that jobs of nodes cost no more
     * for them. A job has a lease if and only if its state is 2 and its node is null.
     *
     * <p>{@code queue}: {@code halts} means that a group stops at a dead letter. A {@code forgotten} queue is there for
     * the rows that name it and for the numbers that nodes know; it is listed only while it holds jobs that have not
     * ended.
     *
     * <p>{@code schedule}: see {@link dev.orderly.schedule.ScheduleState}; {@code history} is a
     * {@link dev.orderly.schedule.ScheduleHistory}.
     *
     * <p>{@code declarer} of a schedule's timing and of a queue's {@code halts}: the name of the node whose
     * {@link dev.orderly.job.store.Declared} value is stored; null if none is known.
     *
     * <p>{@code token}, {@code session}, {@code audit}: see {@link dev.orderly.access.store}; {@code queues} are
     * separated by commas, {@code used} and {@code seen} the last reported uses. {@code key_value}: see
     * {@link dev.orderly.store.KeyValueStore}.
     *
     * <p>Rooms, liveness, online users, limits, steps, batches, events and places of users have scripts of their own.
     */
    static final List<String> VERSIONS = List.of("""
            CREATE TABLE queue(
              id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE,
              paused boolean NOT NULL DEFAULT false, halts boolean NOT NULL DEFAULT false);
            CREATE TABLE job(
              seq bigint PRIMARY KEY, ready_at bigint NOT NULL, queue int NOT NULL, node int,
              attempt int NOT NULL DEFAULT 0, failures int NOT NULL DEFAULT 0, crashes int NOT NULL DEFAULT 0,
              state smallint NOT NULL, priority smallint NOT NULL, cancelling boolean NOT NULL DEFAULT false,
              grp text COLLATE "C", owner text, params text, content_type text NOT NULL, payload bytea NOT NULL,
              progress text, failure text, failure_detail text)
              WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
            CREATE INDEX job_waiting ON job(queue, priority, (seq + 0)) WHERE state = 0 AND grp IS NULL;
            CREATE INDEX job_delayed ON job(queue, ready_at, seq) WHERE state = 1 AND grp IS NULL;
            CREATE INDEX job_grouped ON job(queue, grp, seq) WHERE state <= 2 AND grp IS NOT NULL;
            CREATE INDEX job_grouped_held ON job(queue, grp, seq) WHERE state = 2 AND grp IS NOT NULL;
            CREATE INDEX job_grouped_halting ON job(queue, grp) WHERE state = 4;
            CREATE INDEX job_held ON job(node, seq) WHERE state = 2;
            CREATE INDEX job_dead ON job(queue, seq) WHERE state >= 3;
            CREATE INDEX job_long_dead ON job(ready_at, seq) WHERE state = 3;
            CREATE TABLE ended(
              seq bigint PRIMARY KEY, ended_at bigint NOT NULL, queue int NOT NULL, attempt int NOT NULL,
              failures int NOT NULL, state smallint NOT NULL, priority smallint NOT NULL, grp text COLLATE "C",
              owner text, params text, result_type text, result bytea, progress text, failure text,
              failure_detail text, reason text);
            CREATE INDEX ended_by_queue ON ended(queue, state, seq);
            CREATE INDEX ended_by_time ON ended(ended_at, seq);
            CREATE TABLE lane(
              queue int, name text COLLATE "C", turn bigint NOT NULL, ready_at bigint NOT NULL,
              state smallint NOT NULL, started boolean NOT NULL DEFAULT false, PRIMARY KEY(queue, name))
              WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
            CREATE INDEX lane_ready ON lane(queue, turn) WHERE state = 0;
            CREATE INDEX lane_delayed ON lane(queue, ready_at) WHERE state = 3;
            CREATE TABLE recent(
              kind smallint, key uuid, until bigint NOT NULL, seq bigint NOT NULL, fingerprint uuid NOT NULL,
              PRIMARY KEY(kind, key));
            CREATE INDEX recent_until ON recent(until);
            CREATE TABLE node(
              id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C" NOT NULL,
              last_beat bigint NOT NULL, dead boolean NOT NULL DEFAULT false) WITH (fillfactor = 50);
            CREATE UNIQUE INDEX node_alive ON node(name) WHERE NOT dead;
            CREATE INDEX node_name ON node(name);
            CREATE TABLE schedule(
              name text COLLATE "C" PRIMARY KEY, timing text NOT NULL, version bigint NOT NULL, reached bigint NOT NULL,
              fired bigint, skipped bigint, job bigint);
            CREATE TABLE tally(queue int NOT NULL, state smallint NOT NULL, jobs bigint NOT NULL)
              WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
              autovacuum_vacuum_cost_delay = 0);
            CREATE FUNCTION tally_job() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
              BEGIN
                IF TG_OP = 'INSERT' THEN
                  INSERT INTO tally SELECT queue, state, count(*) FROM fresh GROUP BY queue, state;
                ELSIF TG_OP = 'DELETE' THEN
                  INSERT INTO tally SELECT queue, state, -count(*) FROM old GROUP BY queue, state;
                ELSE
                  INSERT INTO tally SELECT queue, state, sum(jobs) FROM (
                    SELECT queue, state, 1 AS jobs FROM fresh UNION ALL SELECT queue, state, -1 FROM old) AS change
                    GROUP BY queue, state HAVING sum(jobs) <> 0;
                END IF;
                RETURN NULL;
              END $$;
            CREATE FUNCTION tally_ended() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
              BEGIN
                IF TG_OP = 'INSERT' THEN
                  INSERT INTO tally SELECT queue, 5, count(*) FROM fresh GROUP BY queue;
                ELSE
                  INSERT INTO tally SELECT queue, 5, -count(*) FROM old GROUP BY queue;
                END IF;
                RETURN NULL;
              END $$;
            CREATE TRIGGER tally_pushed AFTER INSERT ON job REFERENCING NEW TABLE AS fresh
              FOR EACH STATEMENT EXECUTE FUNCTION tally_job();
            CREATE TRIGGER tally_changed AFTER UPDATE ON job REFERENCING OLD TABLE AS old NEW TABLE AS fresh
              FOR EACH STATEMENT EXECUTE FUNCTION tally_job();
            CREATE TRIGGER tally_gone AFTER DELETE ON job REFERENCING OLD TABLE AS old
              FOR EACH STATEMENT EXECUTE FUNCTION tally_job();
            CREATE TRIGGER tally_ended AFTER INSERT ON ended REFERENCING NEW TABLE AS fresh
              FOR EACH STATEMENT EXECUTE FUNCTION tally_ended();
            CREATE TRIGGER tally_forgotten AFTER DELETE ON ended REFERENCING OLD TABLE AS old
              FOR EACH STATEMENT EXECUTE FUNCTION tally_ended();
            CREATE SEQUENCE lane_turn;
            CREATE SEQUENCE job_number;
            CREATE FUNCTION draw(amount int, lowest bigint) RETURNS bigint LANGUAGE plpgsql AS $$
              DECLARE
                drawn bigint;
                key bigint := (1866 * 4294967296) + 'job_number'::regclass::oid::bigint;
              BEGIN
                BEGIN
                  PERFORM pg_advisory_xact_lock(key);
                  SELECT greatest(last_value + 1, lowest) INTO drawn FROM job_number;
                  PERFORM setval('job_number', drawn + amount - 1);
                  RAISE SQLSTATE 'OR001';
                EXCEPTION WHEN SQLSTATE 'OR001' THEN
                  RETURN drawn;
                END;
              END $$;
            CREATE FUNCTION blocked(lanes boolean, numbers int[], names text[]) RETURNS TABLE(held int) LANGUAGE plpgsql
              SET search_path FROM CURRENT SET lock_timeout = '5ms' AS $$
              DECLARE
                wanted record;
              BEGIN
                FOR wanted IN SELECT * FROM unnest(numbers, names) WITH ORDINALITY AS t(number, called, place) LOOP
                  BEGIN
                    IF lanes THEN
                      INSERT INTO lane(queue, name, turn, ready_at, state) VALUES(wanted.number, wanted.called, 0, 0, 0)
                        ON CONFLICT (queue, name) DO UPDATE SET state = lane.state WHERE lane.queue < 0;
                    ELSE
                      INSERT INTO recent(kind, key, until, seq, fingerprint)
                        VALUES(wanted.number, wanted.called::uuid, 0, 0, wanted.called::uuid)
                        ON CONFLICT (kind, key) DO UPDATE SET seq = recent.seq WHERE recent.kind < 0;
                    END IF;
                  EXCEPTION WHEN lock_not_available THEN
                    held := wanted.place;
                    RETURN NEXT;
                  END;
                END LOOP;
              END $$;
            """ + script("rooms.sql") + script("presence.sql"), script("liveness.sql"), """
            DROP INDEX recent_until;
            CREATE INDEX recent_by_time ON recent(kind, until);
            """, "-- The functions of rooms are made anew.", """
            DROP TRIGGER IF EXISTS tally_pushed ON job;
            DROP TRIGGER IF EXISTS tally_changed ON job;
            DROP TRIGGER IF EXISTS tally_gone ON job;
            DROP TRIGGER IF EXISTS tally_ended ON ended;
            DROP TRIGGER IF EXISTS tally_forgotten ON ended;
            DROP FUNCTION IF EXISTS tally_job();
            DROP FUNCTION IF EXISTS tally_ended();
            """, """
            CREATE TABLE IF NOT EXISTS token(
              name text COLLATE "C" PRIMARY KEY, hash text NOT NULL UNIQUE, role text NOT NULL, queues text NOT NULL,
              created bigint NOT NULL, ends bigint, used bigint) WITH (fillfactor = 50);
            CREATE TABLE IF NOT EXISTS session(
              hash text COLLATE "C" PRIMARY KEY, token text COLLATE "C" NOT NULL, opened bigint NOT NULL,
              seen bigint NOT NULL) WITH (fillfactor = 50);
            CREATE TABLE IF NOT EXISTS audit(
              id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at bigint NOT NULL, kind text NOT NULL,
              name text NOT NULL, address text NOT NULL, operation text NOT NULL, object text NOT NULL, before text,
              after text, outcome text NOT NULL);
            CREATE INDEX IF NOT EXISTS audit_at ON audit(at);
            """, """
            CREATE TABLE IF NOT EXISTS lease(seq bigint PRIMARY KEY, queue int NOT NULL, until bigint NOT NULL)
              WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
            CREATE INDEX IF NOT EXISTS lease_until ON lease(until, seq);
            """, """
            CREATE TABLE IF NOT EXISTS key_value(
              key text COLLATE "C" PRIMARY KEY, version bigint GENERATED ALWAYS AS IDENTITY, text text NOT NULL,
              until bigint NOT NULL) WITH (fillfactor = 50);
            """, "ALTER TABLE job ADD COLUMN IF NOT EXISTS trace text;", """
            CREATE TABLE IF NOT EXISTS minute(
              subject text COLLATE "C" NOT NULL, at bigint NOT NULL, source text COLLATE "C" NOT NULL,
              figures bytea NOT NULL, PRIMARY KEY(subject, at, source));
            CREATE INDEX IF NOT EXISTS minute_at ON minute(at);
            CREATE TABLE IF NOT EXISTS hour(
              subject text COLLATE "C" NOT NULL, at bigint NOT NULL, figures bytea NOT NULL, PRIMARY KEY(subject, at))
              WITH (fillfactor = 70);
            CREATE INDEX IF NOT EXISTS hour_at ON hour(at);
            """, """
            ALTER TABLE job ADD COLUMN IF NOT EXISTS error bigint;
            UPDATE job SET error = 0 WHERE state >= 3;
            CREATE INDEX IF NOT EXISTS job_dead_error ON job(queue, error, seq) WHERE state >= 3;
            """, """
            ALTER TABLE job ADD COLUMN IF NOT EXISTS history text, ADD COLUMN IF NOT EXISTS origin bigint;
            ALTER TABLE ended ADD COLUMN IF NOT EXISTS history text, ADD COLUMN IF NOT EXISTS origin bigint,
              ADD COLUMN IF NOT EXISTS started_at bigint, ADD COLUMN IF NOT EXISTS node int,
              ADD COLUMN IF NOT EXISTS trace text;
            """, "ALTER TABLE schedule ADD COLUMN IF NOT EXISTS history text;", """
            ALTER TABLE node ADD COLUMN IF NOT EXISTS queues text[];
            """, """
            ALTER TABLE voided ADD COLUMN IF NOT EXISTS moved_to uuid;
            CREATE INDEX IF NOT EXISTS voided_moved ON voided(line) WHERE moved_to IS NOT NULL;
            """, """
            ALTER TABLE schedule ADD COLUMN IF NOT EXISTS declarer text COLLATE "C";
            ALTER TABLE queue ADD COLUMN IF NOT EXISTS declarer text COLLATE "C";
            """, """
            ALTER TABLE tally ADD COLUMN IF NOT EXISTS xact xid8 NOT NULL DEFAULT pg_current_xact_id();
            CREATE INDEX IF NOT EXISTS tally_by_xact ON tally(xact);
            CREATE INDEX IF NOT EXISTS job_cancelling ON job((node + 0)) WHERE state = 2 AND cancelling;
            """, "ALTER TABLE queue ADD COLUMN IF NOT EXISTS forgotten boolean NOT NULL DEFAULT false;", """
            ALTER TABLE job ADD COLUMN IF NOT EXISTS lone_crashes int NOT NULL DEFAULT 0;
            ALTER TABLE crash ADD COLUMN IF NOT EXISTS alone boolean NOT NULL DEFAULT false;
            """, "-- The functions of claims are made anew.", script("limits.sql"), """
            ALTER TABLE job ADD COLUMN IF NOT EXISTS expires_at bigint, ADD COLUMN IF NOT EXISTS unique_key uuid;
            CREATE INDEX IF NOT EXISTS job_expiring ON job(expires_at) WHERE expires_at IS NOT NULL AND state <= 1;
            CREATE INDEX IF NOT EXISTS job_unique ON job(unique_key) WHERE unique_key IS NOT NULL AND state <= 1;
            """, script("keys.sql"), "ALTER TABLE room ADD COLUMN IF NOT EXISTS openings text;", script("rests.sql"),
            "CREATE INDEX IF NOT EXISTS job_key_delayed ON job(queue, flow_key) WHERE flow_key IS NOT NULL"
                    + " AND state = 1;",
            script("draws.sql"), script("key-settings.sql"), script("steps.sql"), script("tiers.sql"),
            script("costs.sql"), script("batches.sql"), script("events.sql"), script("users.sql"),
            script("tier-draws.sql"), script("plans.sql"));

    /**
     * The functions of jobs and rooms. Replaced after each change of the version, so that no entry above has them.
     * {@code CREATE FUNCTION} keeps the function that is there and replaces its text, since a call of an old node that
     * is under way would not find a function that was dropped and created. For the same reason no result changes, and a
     * function whose arguments change stays in {@code earlier-calls.sql} with those before.
     */
    static final String FUNCTIONS = StateName.numbered(script("key-calls.sql") + script("job-calls.sql")
            + script("room-rules.sql") + script("user-calls.sql") + script("tier-calls.sql") + script("room-calls.sql")
            + script("invitation-calls.sql") + script("room-control.sql") + script("earlier-calls.sql"))
            .replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION");

    /** The version of release 0.1.0. Earlier versions had no nodes of others at work. */
    static final int FIRST_RELEASED = 9;

    private static final Pattern CREATED = Pattern
            .compile("CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\\w+)");

    /** Opens connections to the database. */
    @FunctionalInterface
    public interface Connector {
        /** @param silence longest wait for an answer, in whole seconds */
        Connection connect(Duration silence) throws SQLException;
    }

    private PostgresMigrations() {}

    /**
     * Creates or updates the tables, if they have not this version. Blocks for as long as that takes: an update of many
     * jobs takes minutes.
     *
     * @param pool connections of nodes, with the schema as their search path
     * @param own connections for the update
     * @return the salt of this database's job ids
     * @throws StoreException.Unusable if the schema belongs to a newer version or to another program
     */
    public static long prepare(DataSource pool, Connector own, String schema, RandomGenerator random,
            Time time) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            long version = version(connection, schema);
            if (version == 0) {
                SchemaUpdate.create(connection, schema, random);
                version = version(connection, schema);
            }
            if (version == latest()) {
                return opened(connection, schema);
            }
            connection.rollback();
        }
        SchemaUpdate.run(own, schema, time);
        try (Connection connection = pool.getConnection()) {
            return opened(connection, schema);
        }
    }

    private static long opened(Connection connection, String schema) throws SQLException {
        SchemaChoice.checkOld(connection, schema, tables());
        SchemaChoice.followRename(connection, schema);
        long salt = new Sql(connection, "SELECT salt FROM meta").number();
        connection.commit();
        return salt;
    }

    /** The names of all tables that some version has created. */
    private static Set<String> tables() {
        Set<String> names = new HashSet<>(Set.of("meta"));
        Matcher created = CREATED.matcher(String.join("\n", VERSIONS));
        while (created.find()) {
            names.add(created.group(1));
        }
        return names;
    }

    private static String script(String name) {
        try (InputStream in = Objects.requireNonNull(PostgresMigrations.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The version that this program makes. */
    static int latest() {
        return VERSIONS.size();
    }

    /** The version of the schema; zero if it is absent or empty. */
    static long version(Connection connection, String schema) throws SQLException {
        List<String> tables = new Sql(connection, "SELECT tablename::text FROM pg_tables WHERE schemaname = ?")
                .with(schema).list(row -> row.getString(1));
        if (tables.isEmpty()) {
            return 0;
        }
        if (!tables.contains("meta")) {
            throw new StoreException.Unusable("The schema " + schema
                    + " has tables of another program: use another schema for Orderly's", null);
        }
        long version = new Sql(connection, "SELECT version FROM meta").number();
        if (version > VERSIONS.size()) {
            throw new StoreException.Unusable("The schema " + schema + " has version " + version
                    + ", this Orderly knows " + VERSIONS.size() + ": use the newer Orderly that wrote it, or another"
                    + " schema", null);
        }
        return version;
    }

    /**
     * Whether the tables have this version, so that they can be read without a change.
     *
     * @throws StoreException.Unusable as {@link #prepare}, and if there are no tables
     */
    public static boolean isCurrent(Connection connection, String schema) throws SQLException {
        long version = version(connection, schema);
        if (version == 0) {
            throw new StoreException.Unusable(
                    "The schema " + schema + " has no tables of Orderly: name one that a server has"
                            + " used",
                    null);
        }
        return version == VERSIONS.size();
    }
}
