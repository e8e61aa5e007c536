package dev.orderly.store.sqlite.copy;

import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.JobSequence;
import dev.orderly.job.store.JobStore;
import dev.orderly.store.copy.CopiedRecord;
import dev.orderly.store.copy.CopiedRecord.Course;
import dev.orderly.store.copy.CopiedRecord.Dedupe;
import dev.orderly.store.copy.CopiedRecord.EndedJob;
import dev.orderly.store.copy.CopiedRecord.Idempotency;
import dev.orderly.store.copy.CopiedRecord.Job;
import dev.orderly.store.copy.CopiedRecord.Kept;
import dev.orderly.store.copy.CopiedRecord.Pushed;
import dev.orderly.store.copy.CopiedRecord.Step;
import dev.orderly.store.copy.CopyKind;
import dev.orderly.store.copy.CopyPort.Chunk;
import dev.orderly.store.copy.CopyPosition;
import dev.orderly.store.copy.CopySource.Page;
import dev.orderly.store.sql.BatchColumns;
import dev.orderly.store.sql.ClassNumber;
import dev.orderly.store.sql.ColumnCodecs;
import dev.orderly.store.sql.DatabaseJobIds;
import dev.orderly.store.sql.EventRows;
import dev.orderly.store.sql.StepColumns;
import dev.orderly.store.sqlite.table.EndedJobTable;
import dev.orderly.store.sqlite.table.JobTable;
import dev.orderly.store.sqlite.table.StoredJob;
import dev.orderly.user.UserId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongToIntFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Queues, jobs and the keys of pushes. */
final class SqliteJobCopy {
    /** A page ends behind the job that exceeds this number of bytes. */
    private static final int PAGE_BYTES = 4 << 20;
    /** Steps or events of a page, each of 64 KiB at most. */
    private static final int STEPS = 64;
    private static final int ENDING = 2;
    private static final String COMMON = "seq, queue, lane, state, attempt, failures, user, params, origin, trace,"
            + " progress, failure, failure_detail, history, ";

    /** A job that is to be cancelled ends with the copy: its state is neither done nor cancelled yet. */
    private static final String ENDED = "SELECT * FROM (SELECT " + COMMON
            + "ended_at, started_at, reason, result_type, result FROM ended UNION ALL SELECT "
            + COMMON.replace(" state,", " " + ENDING + " AS state,") + "NULL, NULL, '"
            + AttemptOutcome.Cancelled.onRequest().reason()
            + "', NULL, NULL FROM job WHERE seq IN (SELECT seq FROM cancellation)) WHERE seq > ? ORDER BY seq LIMIT ?";

    private final LongToIntFunction attempts;

    /** @param attempts the newest attempt that memory knows of a job, by its sequence number; zero for none */
    SqliteJobCopy(LongToIntFunction attempts) {
        this.attempts = attempts;
    }

    /** A connection to read from, and the ids of its database. */
    record Source(Connection connection, DatabaseJobIds ids) {}

    Page read(Source source, CopyKind kind, String after, int limit, Instant moment) throws SQLException {
        long behind = CopyPosition.of(after).number(0, 0);
        return switch (kind) {
            case QUEUES ->
                Page.whole(CopySql.list(source.connection, "SELECT name, paused, halts, forgotten FROM queue",
                        row -> new CopiedRecord.Queue(new QueueName(row.getString("name")), row.getBoolean("paused"),
                                row.getBoolean("halts"), row.getBoolean("forgotten"))));
            case JOBS -> new Reading(source, moment).page("SELECT " + COMMON
                    + "ready_at, crashes, error, content_type, payload, lone_crashes, unique_key FROM job"
                    + " WHERE seq > ? AND seq NOT IN (SELECT seq FROM cancellation) ORDER BY seq LIMIT ?", behind,
                    limit, false);
            case ENDED_JOBS -> new Reading(source, moment).page(ENDED, behind, limit, true);
            case BATCHES -> Page.upTo(CopySql.list(source.connection, "SELECT "
                    + BatchColumns.selected("pushed", "done", "dead", "cancelled + ending")
                    + " FROM (SELECT batch.*, (SELECT count(*) FROM cancellation CROSS JOIN job"
                    + " ON job.seq = cancellation.seq WHERE job.batch = batch.id) AS ending FROM batch_view AS batch)"
                    + " WHERE id > ? ORDER BY id LIMIT ?", row -> BatchColumns.copied(row, source.ids::of), behind,
                    limit),
                    limit);
            case JOB_STEPS -> Page.upTo(CopySql.list(source.connection, "SELECT seq, number, " + StepColumns.NAMES
                    + " FROM job_step WHERE (seq, name) > (?, ?) ORDER BY seq, name LIMIT ?",
                    row -> new Step(source.ids.of(row.getLong("seq")), row.getInt("number"),
                            StepColumns.read(row, UnaryOperator.identity())),
                    behind, CopyPosition.of(after).text(1), Math.min(limit, STEPS)), Math.min(limit, STEPS));
            case JOB_EVENTS -> Page.upTo(CopySql.list(source.connection, "SELECT seq, " + EventRows.NAMES
                    + " FROM job_event WHERE (seq, name) > (?, ?) ORDER BY seq, name LIMIT ?",
                    row -> new CopiedRecord.Event(source.ids.of(row.getLong("seq")),
                            EventRows.read(row, UnaryOperator.identity())),
                    behind, CopyPosition.of(after).text(1), Math.min(limit, STEPS)), Math.min(limit, STEPS));
            case DEDUPE_KEYS -> dedupe(source, behind, limit, moment);
            case KEPT_KEYS -> kept(source, CopyPosition.of(after), limit, moment);
            default -> idempotency(source, behind, limit, moment);
        };
    }

    void write(Connection connection, Chunk chunk) throws SQLException {
        switch (chunk.kind()) {
            case QUEUES -> {
                for (CopiedRecord each : chunk.records()) {
                    CopiedRecord.Queue queue = (CopiedRecord.Queue) each;
                    CopySql.update(connection, "INSERT INTO queue(name, paused, halts, forgotten) VALUES(?, ?, ?, ?)",
                            queue.name().value(), queue.paused(), queue.halts(), queue.forgotten());
                }
            }
            case JOBS -> writeJobs(connection, chunk.records());
            case ENDED_JOBS -> writeEnded(connection, chunk.records());
            case BATCHES -> BatchColumns.write(connection, "", chunk.records());
            case JOB_STEPS -> StepColumns.write(connection, chunk.records());
            case JOB_EVENTS -> EventRows.write(connection, chunk.records());
            case DEDUPE_KEYS -> writeDedupe(connection, chunk.records());
            case KEPT_KEYS -> writeKept(connection, chunk.records());
            default -> writeIdempotency(connection, chunk.records());
        }
    }

    // ---- reading

    /** Reads jobs with the names of their queues. */
    private final class Reading {
        private final Source source;
        private final Instant moment;
        private final Map<Integer, QueueName> names = new HashMap<>();

        Reading(Source source, Instant moment) throws SQLException {
            this.source = source;
            this.moment = moment;
            CopySql.list(source.connection, "SELECT id, name FROM queue",
                    row -> names.put(row.getInt("id"), new QueueName(row.getString("name"))));
        }

        Page page(String sql, long behind, int limit, boolean ended) throws SQLException {
            List<CopiedRecord> found = new ArrayList<>();
            long last = 0;
            int bytes = 0;
            boolean more = true;
            try (PreparedStatement query = source.connection.prepareStatement(sql)) {
                CopySql.bind(query, behind, limit);
                try (ResultSet rows = query.executeQuery()) {
                    while (bytes <= PAGE_BYTES && (more = rows.next())) {
                        last = rows.getLong("seq");
                        found.add(ended ? ended(rows) : job(rows));
                        byte[] body = rows.getBytes(ended ? "result" : "payload");
                        bytes += body == null ? 0 : body.length;
                    }
                }
            }
            return new Page(found, more || found.size() == limit ? CopyPosition.behind(last).toString() : null);
        }

        private Job job(ResultSet row) throws SQLException {
            int state = row.getInt("state");
            boolean dead = state >= StoredJob.DEAD;
            long at = row.getLong("ready_at");
            byte[] unique = row.getBytes("unique_key");
            return new Job(pushed(row), course(row, attempts.applyAsInt(row.getLong("seq"))),
                    state == StoredJob.HALTING ? Job.State.HALTING : dead ? Job.State.DEAD : Job.State.OPEN,
                    row.getInt("crashes"), row.getInt("lone_crashes"), at == 0 ? null : Instant.ofEpochMilli(at),
                    dead ? row.getLong("error") : 0,
                    JobTable.payload(row.getString("content_type"), row.getBytes("payload")),
                    unique == null ? null : ColumnCodecs.key(unique));
        }

        private EndedJob ended(ResultSet row) throws SQLException {
            byte[] result = row.getBytes("result");
            return new EndedJob(pushed(row), course(row, attempts.applyAsInt(row.getLong("seq"))),
                    row.getInt("state") == EndedJobTable.DONE,
                    row.getInt("state") == ENDING ? moment : Instant.ofEpochMilli(row.getLong("ended_at")),
                    ColumnCodecs.moment(row, "started_at"),
                    result == null ? null : new Payload(row.getString("result_type"), result),
                    row.getString("reason"));
        }

        private Pushed pushed(ResultSet row) throws SQLException {
            QueueName queue = Objects.requireNonNull(names.get(row.getInt("queue")), "a queue for every job");
            Object lane = row.getObject("lane");
            long origin = row.getLong("origin");
            JobId from = row.wasNull() ? null : source.ids.of(origin);
            return new Pushed(source.ids.of(row.getLong("seq")), queue, queue.isFifo() ? (String) lane : null,
                    queue.isFifo() ? Priority.NORMAL : ClassNumber.priority((Integer) lane),
                    UserId.ofStored(row.getString("user")),
                    ColumnCodecs.params(row.getString("params")), from, row.getString("trace"),
                    ColumnCodecs.terms(row.getString("params")));
        }

        private static Course course(ResultSet row, int known) throws SQLException {
            String summary = row.getString("failure");
            String detail = row.getString("failure_detail");
            return new Course(Math.max(row.getInt("attempt"), known), row.getInt("failures"), row.getString("progress"),
                    summary == null ? null : new JobFailure(summary, detail == null ? "" : detail),
                    row.getString("history"));
        }
    }

    private static long floor(Instant moment, Duration window) {
        return JobSequence.startOf(moment.minus(window).plusMillis(1));
    }

    private static Page dedupe(Source source, long behind, int limit, Instant moment) throws SQLException {
        String keys = " WHERE seq > ?1 AND seq >= ?2 AND dedupe IS NOT NULL";
        List<Dedupe> found = CopySql.list(source.connection, "SELECT seq, dedupe FROM job" + keys
                + " UNION ALL SELECT seq, dedupe FROM ended" + keys + " UNION ALL SELECT seq, dedupe FROM copied_key"
                + keys + " ORDER BY seq LIMIT ?3",
                row -> new Dedupe(ColumnCodecs.key(row.getBytes("dedupe")),
                        ColumnCodecs.fingerprint(row.getBytes("dedupe")),
                        source.ids.of(row.getLong("seq"))),
                behind, floor(moment, JobStore.DEDUPE_WINDOW), limit);
        return page(found, limit, found.isEmpty() ? 0 : found.getLast().job().sequence());
    }

    private static Page kept(Source source, CopyPosition behind, int limit, Instant moment) throws SQLException {
        List<CopyPosition> last = new ArrayList<>();
        List<Kept> found = CopySql.list(source.connection, "SELECT key, hex(key) AS name, seq, fingerprint, until"
                + " FROM kept_key WHERE until > ? AND (until, hex(key)) > (?, ?) ORDER BY until, hex(key) LIMIT ?",
                row -> {
                    byte[] fingerprint = row.getBytes("fingerprint");
                    last.add(CopyPosition.behind(row.getLong("until"), row.getString("name")));
                    return new Kept(ColumnCodecs.key(row.getBytes("key")),
                            fingerprint == null ? null : ColumnCodecs.key(fingerprint),
                            source.ids.of(row.getLong("seq")), Instant.ofEpochMilli(row.getLong("until")));
                }, moment.toEpochMilli(), behind.number(0, 0), behind.text(1), limit);
        return new Page(List.copyOf(found), found.size() < limit ? null : last.getLast().toString());
    }

    private static Page idempotency(Source source, long behind, int limit, Instant moment) throws SQLException {
        List<Long> last = new ArrayList<>();
        List<Idempotency> found = CopySql.list(source.connection, "SELECT at, key, fingerprint, seq FROM idempotency"
                + " WHERE at > ? AND at >= ? ORDER BY at LIMIT ?", row -> {
                    last.add(row.getLong("at"));
                    return new Idempotency(ColumnCodecs.key(row.getBytes("key")),
                            ColumnCodecs.key(row.getBytes("fingerprint")),
                            source.ids.of(row.getLong("seq")),
                            JobSequence.timeOf(row.getLong("at")).plus(JobStore.IDEMPOTENCY_WINDOW));
                }, behind, floor(moment, JobStore.IDEMPOTENCY_WINDOW), limit);
        return page(found, limit, last.isEmpty() ? 0 : last.getLast());
    }

    private static Page page(List<? extends CopiedRecord> found, int limit, long last) {
        return new Page(List.copyOf(found), found.size() < limit ? null : CopyPosition.behind(last).toString());
    }

    // ---- writing

    private static Map<QueueName, Integer> numbers(Connection connection) throws SQLException {
        Map<QueueName, Integer> numbers = new HashMap<>();
        CopySql.list(connection, "SELECT id, name FROM queue",
                row -> numbers.put(new QueueName(row.getString("name")), row.getInt("id")));
        return numbers;
    }

    private static void writeJobs(Connection connection, List<CopiedRecord> jobs) throws SQLException {
        Map<QueueName, Integer> queues = numbers(connection);
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO job(" + COMMON
                + "ready_at, crashes, error, content_type, payload, lone_crashes, expires_at, unique_key,"
                + " flow_key, batch, key_indexed)"
                + " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
            for (CopiedRecord each : jobs) {
                Job job = (Job) each;
                common(insert, job.pushed(), job.course(), queues);
                insert.setInt(4, state(job));
                insert.setObject(15, job.at() == null ? null : job.at().toEpochMilli());
                insert.setInt(16, job.crashes());
                insert.setObject(17, job.state() == Job.State.OPEN ? null : job.error());
                String type = job.payload().contentType();
                insert.setString(18, type.equals(Payload.JSON) ? null : type);
                insert.setBytes(19, job.payload().bytes());
                insert.setInt(20, job.loneCrashes());
                ColumnCodecs.moment(insert, 21, job.pushed().terms().expiresAt());
                insert.setBytes(22, job.unique() == null ? null : job.unique().bytes());
                insert.setString(23, job.pushed().terms().key());
                insert.setObject(24, BatchColumns.number(job.pushed().terms()));
                insert.setObject(25, job.pushed().terms().key() == null ? null : 1); // all are up to merged
                insert.addBatch();
            }
            insert.executeBatch();
        }
        if (!jobs.isEmpty()) {
            CopySql.update(connection, "INSERT INTO lane_index(queue, lane, seq) SELECT queue, lane, seq FROM job"
                    + " WHERE state = WAITING AND seq >= ? AND seq <= ? ORDER BY queue, lane, seq",
                    ((Job) jobs.getFirst()).pushed().id().sequence(),
                    ((Job) jobs.getLast()).pushed().id().sequence());
        }
    }

    /** A job of a group that waits for its retry is stored as waiting, with the moment. */
    private static int state(Job job) {
        return switch (job.state()) {
            case OPEN -> job.at() == null || job.pushed().queue().isFifo() ? StoredJob.WAITING : StoredJob.DELAYED;
            case DEAD -> StoredJob.DEAD;
            case HALTING -> StoredJob.HALTING;
        };
    }

    private static void writeEnded(Connection connection, List<CopiedRecord> jobs) throws SQLException {
        Map<QueueName, Integer> queues = numbers(connection);
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO ended(" + COMMON
                + "ended_at, started_at, reason, result_type, result)"
                + " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
            for (CopiedRecord each : jobs) {
                EndedJob job = (EndedJob) each;
                common(insert, job.pushed(), job.course(), queues);
                insert.setInt(4, job.done() ? EndedJobTable.DONE : EndedJobTable.CANCELLED);
                insert.setLong(15, job.endedAt().toEpochMilli());
                insert.setObject(16, job.startedAt() == null ? null : job.startedAt().toEpochMilli());
                insert.setString(17, job.reason());
                insert.setString(18, job.result() == null ? null : job.result().contentType());
                insert.setBytes(19, job.result() == null ? null : job.result().bytes());
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    private static void common(PreparedStatement insert, Pushed pushed, Course course, Map<QueueName, Integer> queues)
            throws SQLException {
        insert.setLong(1, pushed.id().sequence());
        insert.setInt(2, Objects.requireNonNull(queues.get(pushed.queue())));
        insert.setObject(3, pushed.group() == null
                ? (Object) ClassNumber.of(pushed.priority(), pushed.terms().key())
                : pushed.group());
        insert.setInt(5, course.attempt());
        insert.setInt(6, course.failures());
        insert.setString(7, UserId.column(pushed.user()));
        insert.setString(8, ColumnCodecs.params(pushed.params(), pushed.terms()));
        insert.setObject(9, pushed.origin() == null ? null : pushed.origin().sequence());
        insert.setString(10, pushed.trace());
        insert.setString(11, course.progress());
        @Nullable
        JobFailure failure = course.failure();
        insert.setString(12, failure == null ? null : failure.summary());
        insert.setString(13, failure == null ? null : failure.detail());
        insert.setString(14, course.history());
    }

    private static void writeDedupe(Connection connection, List<CopiedRecord> keys) throws SQLException {
        try (PreparedStatement insert = connection
                .prepareStatement("INSERT INTO copied_key(seq, dedupe) VALUES(?, ?)")) {
            for (CopiedRecord each : keys) {
                Dedupe key = (Dedupe) each;
                CopySql.add(insert, key.job().sequence(), ColumnCodecs.keys(key.key(), key.fingerprint()));
            }
            insert.executeBatch();
        }
    }

    private static void writeKept(Connection connection, List<CopiedRecord> keys) throws SQLException {
        try (PreparedStatement insert = connection
                .prepareStatement("INSERT INTO kept_key(key, seq, fingerprint, until) VALUES(?, ?, ?, ?)")) {
            for (CopiedRecord each : keys) {
                Kept key = (Kept) each;
                CopySql.add(insert, key.key().bytes(), key.job().sequence(),
                        key.fingerprint() == null ? null : key.fingerprint().bytes(), key.until().toEpochMilli());
            }
            insert.executeBatch();
        }
    }

    /** Numbers the keys by the beginning of their windows, as a push does. */
    private static void writeIdempotency(Connection connection, List<CopiedRecord> keys) throws SQLException {
        long last = CopySql.list(connection, "SELECT coalesce(max(at), 0) FROM idempotency", row -> row.getLong(1))
                .getFirst();
        try (PreparedStatement insert = connection
                .prepareStatement("INSERT INTO idempotency(at, key, fingerprint, seq) VALUES(?, ?, ?, ?)")) {
            for (CopiedRecord each : keys) {
                Idempotency key = (Idempotency) each;
                last = Math.max(last + 1, JobSequence.startOf(key.until().minus(JobStore.IDEMPOTENCY_WINDOW)));
                CopySql.add(insert, last, key.key().bytes(), key.fingerprint().bytes(), key.job().sequence());
            }
            insert.executeBatch();
        }
    }
}
