package dev.orderly.store.postgres.update;

import dev.orderly.store.postgres.PostgresOptions;
import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A node of 0.1.0 at work, by the statements that it sends: beats, pushes with and without a group, claims, ends of
 * jobs, and calls of rooms. A wait of over five seconds for a lock is an error. Each kind of call has a connection of
 * its own, which is replaced now and then.
 */
final class OldNode implements AutoCloseable {
    private static final int CALLS_OF_A_CONNECTION = 100;
    private static final String SETTINGS = "options=-c%20lock_timeout=5000%20-c%20enable_seqscan=off"
            + "%20-c%20plan_cache_mode=force_generic_plan";

    private static final String BEAT = "SELECT alive, cancelled FROM node_beat('old', NULL, 12000, 15000)";
    private static final String PUSH = """
            WITH pushed AS (
              INSERT INTO job(seq, queue, ready_at, state, priority, owner, params, trace, content_type, payload)
              VALUES(job_draw(1, 1), (SELECT id FROM queue WHERE name = 'load'), 0, 0, 2, NULL, NULL, NULL, 'x', '')
              RETURNING seq, queue),
            counted AS (INSERT INTO tally SELECT queue, 0, 1 FROM pushed)
            SELECT seq FROM pushed""";
    private static final String PUSH_GROUPED = """
            SELECT job_push(1, 1, '5000', ARRAY[(SELECT id FROM queue WHERE name = 'load.fifo')], '{0}', '{0}', '{2}',
              '{g}', '{NULL}', '{NULL}', '{NULL}', '{x}', ARRAY[''::bytea], '{}', '{}', '{}', '{}', '{}', '{}', '{}',
              '{}', '{}', '{}')""";
    private static final String CLAIM = """
            SELECT * FROM job_claim('old', 1, 1000000, '{1,2,3,4}',
              ARRAY(SELECT id FROM queue WHERE name IN ('load', 'load.fifo') ORDER BY name), '{false,true}', '{5,5}',
              '{5,5}', '{0,0}', '{0,0}', '{0,0,0,0,0,0,0,0}')""";
    private static final String DONE = """
            WITH gone AS (
              DELETE FROM job WHERE seq = ANY(?) AND grp IS NULL AND state = 2 RETURNING seq, queue, attempt, priority),
            counted AS (INSERT INTO tally SELECT queue, 2, -count(*) FROM gone GROUP BY queue
              UNION ALL SELECT queue, 5, count(*) FROM gone GROUP BY queue),
            kept AS (INSERT INTO ended(seq, ended_at, queue, attempt, failures, state, priority)
              SELECT seq, 1, queue, attempt, 0, 0, priority FROM gone)
            SELECT seq FROM gone""";
    private static final String DONE_GROUPED = "SELECT unnest(job_settle_grouped('old', 1, '5000', true, ?,"
            + " ARRAY(SELECT 1 FROM generate_series(1, ?)), ARRAY(SELECT NULL::text FROM generate_series(1, ?)),"
            + " ARRAY(SELECT NULL::bytea FROM generate_series(1, ?))))";
    private static final List<String> ROOMS = List.of("SELECT * FROM room_touch('sale', 1)",
            "SELECT * FROM room_sync('sale', 1, 'old', 1, 0, 1, 1, '{}', '{}')",
            "SELECT * FROM room_join('sale', 1, ARRAY[gen_random_uuid()], '{1}', '{1}')",
            "SELECT room_renew('sale', 1, ARRAY[gen_random_uuid()], '{1}', '{1}', '{1}', '{false}')",
            "SELECT seen.* FROM room, LATERAL room_peek(room, 1) AS seen ORDER BY room.name");

    private final String url;
    private final String schema;
    private final List<Thread> threads = new ArrayList<>();
    private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final Set<Long> claimed = ConcurrentHashMap.newKeySet();
    private volatile boolean over;

    /** A kind of call over a connection. */
    private interface Call {
        void run(Statements statements) throws SQLException;
    }

    /** The prepared statements of a connection. */
    private record Statements(Connection connection, Map<String, PreparedStatement> prepared) {
        PreparedStatement of(String sql) throws SQLException {
            PreparedStatement known = prepared.get(sql);
            if (known == null) {
                known = connection.prepareStatement(sql);
                prepared.put(sql, known);
            }
            return known;
        }

        List<Long> numbers(PreparedStatement statement) throws SQLException {
            List<Long> numbers = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    numbers.add(rows.getLong(1));
                }
            }
            return numbers;
        }
    }

    OldNode(FirstRelease store) {
        PostgresOptions options = store.options();
        url = options.url() + "&" + SETTINGS;
        schema = store.schema();
        store.run("INSERT INTO queue(name) VALUES('load'), ('load.fifo')");
        start("beat", statements -> statements.of(BEAT).execute());
        start("push", statements -> statements.of(PUSH).execute());
        start("push into a group", statements -> statements.of(PUSH_GROUPED).execute());
        start("claim and end", this::claim);
        start("room", statements -> {
            for (String sql : ROOMS) {
                statements.of(sql).execute();
            }
        });
    }

    private void claim(Statements statements) throws SQLException {
        List<Long> jobs = statements.numbers(statements.of(CLAIM)).stream().filter(seq -> seq > 0).toList();
        for (long seq : jobs) {
            if (!claimed.add(seq)) {
                failures.add("job " + seq + " was claimed twice");
            }
        }
        if (!jobs.isEmpty()) {
            Array seqs = statements.connection().createArrayOf("int8", jobs.toArray());
            PreparedStatement done = statements.of(DONE);
            done.setArray(1, seqs);
            int ended = statements.numbers(done).size();
            PreparedStatement grouped = statements.of(DONE_GROUPED);
            grouped.setArray(1, seqs);
            for (int n = 2; n <= 4; n++) {
                grouped.setInt(n, jobs.size());
            }
            ended += statements.numbers(grouped).size();
            if (ended != jobs.size()) {
                failures.add(ended + " of the jobs " + jobs + " were ended");
            }
        }
    }

    private void start(String kind, Call call) {
        AtomicInteger done = new AtomicInteger();
        calls.put(kind, done);
        threads.add(Thread.ofPlatform().name("old node: " + kind).start(() -> {
            while (!over) {
                try (Connection connection = DriverManager.getConnection(url);
                        Statement first = connection.createStatement()) {
                    first.execute("SET search_path = " + schema);
                    Statements statements = new Statements(connection, new ConcurrentHashMap<>());
                    for (int n = 0; n < CALLS_OF_A_CONNECTION && !over; n++) {
                        call.run(statements);
                        done.incrementAndGet();
                    }
                } catch (SQLException | RuntimeException e) {
                    failures.add(kind + ": " + Objects.requireNonNullElse(e.getMessage(), e.toString()));
                }
            }
        }));
    }

    /** The fewest calls that one kind has made. */
    int calls() {
        return calls.values().stream().mapToInt(AtomicInteger::get).min().orElse(0);
    }

    /** What went wrong. */
    List<String> failures() {
        return List.copyOf(failures);
    }

    /** Ends the work, and waits for its end. */
    @Override
    public void close() {
        over = true;
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
