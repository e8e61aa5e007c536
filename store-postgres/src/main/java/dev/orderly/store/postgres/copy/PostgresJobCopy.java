package dev.orderly.store.postgres.copy;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.Payload;
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
import dev.orderly.store.postgres.copy.PostgresCopy.Source;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.postgres.sql.StateName;
import dev.orderly.store.sql.BatchColumns;
import dev.orderly.store.sql.ClassNumber;
import dev.orderly.store.sql.ColumnCodecs;
import dev.orderly.store.sql.EventRows;
import dev.orderly.store.sql.StepColumns;
import dev.orderly.user.UserId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Queues, jobs and the keys of pushes. */
final class PostgresJobCopy {
    /** A page ends behind the job that exceeds this number of bytes. */
    private static final int PAGE_BYTES = 4 << 20;
    /** Steps or events of a page, each of 64 KiB at most. */
    private static final int STEPS = 64;
    private static final int FETCH = 100;
    private static final int DEDUPE = 0;
    private static final int IDEMPOTENCY = 1;
    private static final int KEPT = 2;
    private static final String COMMON = "seq, queue, grp, priority, state, attempt, failures, owner, params, origin,"
            + " trace, progress, failure, failure_detail, history, ";
    /** A job that is to be cancelled ends with the copy. */
    private static final String ENDED = "WITH asked AS MATERIALIZED (SELECT * FROM job WHERE state = RUNNING"
            + " AND cancelling)"
            + " SELECT * FROM (SELECT " + COMMON + "ended_at, started_at, reason, result_type, result FROM ended"
            + " UNION ALL SELECT " + COMMON.replace(" state,", " CANCELLED::smallint AS state,") + "NULL, ready_at, '"
            + AttemptOutcome.Cancelled.onRequest().reason() + "', NULL, NULL FROM asked) AS ended_or_ending"
            + " WHERE seq > ? ORDER BY seq LIMIT ?";

    Page read(Source source, CopyKind kind, String after, int limit, Instant moment) throws SQLException {
        long behind = kind == CopyKind.IDEMPOTENCY_KEYS || kind == CopyKind.KEPT_KEYS
                ? 0
                : CopyPosition.of(after).number(0, 0);
        return switch (kind) {
            case QUEUES -> Page.whole(new Sql(source.connection(), "SELECT name, paused, halts, forgotten FROM queue")
                    .list(row -> new CopiedRecord.Queue(new QueueName(row.getString("name")),
                            row.getBoolean("paused"), row.getBoolean("halts"), row.getBoolean("forgotten"))));
            case JOBS -> new Reading(source, moment).page("SELECT " + COMMON
                    + "ready_at, crashes, error, content_type, payload, lone_crashes, unique_key FROM job"
                    + " WHERE seq > ? AND NOT cancelling ORDER BY seq LIMIT ?", behind, limit, false);
            case ENDED_JOBS -> new Reading(source, moment).page(ENDED, behind, limit, true);
            case BATCHES -> Page.upTo(new Sql(source.connection(), "SELECT " + BatchColumns.selected(
                    "pushed + coalesce(more.p, 0)", "done + coalesce(more.d, 0)", "dead + coalesce(more.x, 0)",
                    "cancelled + coalesce(more.c, 0) + (SELECT count(*) FROM job WHERE job.batch = batch.id"
                            + " AND job.batch IS NOT NULL AND job.state = RUNNING AND job.cancelling)")
                    + " FROM batch LEFT JOIN LATERAL (SELECT sum(t.pushed)::bigint AS p, sum(t.done)::bigint AS d,"
                    + " sum(t.dead)::bigint AS x, sum(t.cancelled)::bigint AS c FROM batch_tally AS t"
                    + " WHERE t.batch = batch.id AND batch.finished_at IS NULL) AS more ON true"
                    + " WHERE id > ? ORDER BY id LIMIT ?").with(behind).with(limit)
                    .list(row -> BatchColumns.copied(row, source.ids()::of)), limit);
            case JOB_STEPS -> Page.upTo(new Sql(source.connection(), "SELECT seq, number, " + StepColumns.NAMES
                    + " FROM job_step WHERE (seq, name) > (?, ?) ORDER BY seq, name LIMIT ?").with(behind)
                    .with(CopyPosition.of(after).text(1)).with(Math.min(limit, STEPS))
                    .list(row -> new Step(source.ids().of(row.getLong("seq")), row.getInt("number"),
                            StepColumns.read(row, UnaryOperator.identity()))),
                    Math.min(limit, STEPS));
            case JOB_EVENTS -> Page.upTo(new Sql(source.connection(), "SELECT seq, " + EventRows.NAMES
                    + " FROM job_event WHERE (seq, name) > (?, ?) ORDER BY seq, name LIMIT ?").with(behind)
                    .with(CopyPosition.of(after).text(1)).with(Math.min(limit, STEPS))
                    .list(row -> new CopiedRecord.Event(source.ids().of(row.getLong("seq")),
                            EventRows.read(row, UnaryOperator.identity()))),
                    Math.min(limit, STEPS));
            case DEDUPE_KEYS -> dedupe(source, after, limit, moment);
            case KEPT_KEYS -> kept(source, after, limit, moment);
            default -> idempotency(source, after, limit, moment);
        };
    }

    void write(Connection connection, Chunk chunk) throws SQLException {
        switch (chunk.kind()) {
            case QUEUES -> {
                for (CopiedRecord each : chunk.records()) {
                    CopiedRecord.Queue queue = (CopiedRecord.Queue) each;
                    new Sql(connection, "INSERT INTO queue(name, paused, halts, forgotten) VALUES(?, ?, ?, ?)")
                            .with(queue.name().value()).with(queue.paused()).with(queue.halts())
                            .with(queue.forgotten()).update();
                }
            }
            case JOBS -> writeJobs(connection, chunk);
            case ENDED_JOBS -> writeEnded(connection, chunk);
            case BATCHES -> {
                BatchColumns.write(connection, "", chunk.records());
                new Sql(connection, "SELECT setval(pg_get_serial_sequence('batch', 'id'), greatest(1, (SELECT max(id)"
                        + " FROM batch)))").list(_ -> true);
            }
            case JOB_STEPS -> StepColumns.write(connection, chunk.records());
            case JOB_EVENTS -> EventRows.write(connection, chunk.records());
            case DEDUPE_KEYS -> writeKeys(connection, DEDUPE, chunk.records().stream()
                    .map(Dedupe.class::cast).map(key -> new Key(key.key(),
                            key.fingerprint() == null ? key.key() : key.fingerprint(), key.job(),
                            JobSequence.timeOf(key.job().sequence()).plus(JobStore.DEDUPE_WINDOW)))
                    .toList());
            case KEPT_KEYS -> writeKeys(connection, KEPT, chunk.records().stream().map(Kept.class::cast)
                    .map(key -> new Key(key.key(), key.fingerprint() == null ? key.key() : key.fingerprint(), key.job(),
                            key.until()))
                    .toList());
            default -> writeKeys(connection, IDEMPOTENCY, chunk.records().stream().map(Idempotency.class::cast)
                    .map(key -> new Key(key.key(), key.fingerprint(), key.job(), key.until())).toList());
        }
    }

    // ---- reading

    /** Reads jobs with the names of their queues. */
    private static final class Reading {
        private final Source source;
        private final Instant moment;
        private final Map<Integer, QueueName> names = new HashMap<>();

        Reading(Source source, Instant moment) throws SQLException {
            this.source = source;
            this.moment = moment;
            new Sql(source.connection(), "SELECT id, name FROM queue")
                    .list(row -> names.put(row.getInt("id"), new QueueName(row.getString("name"))));
        }

        Page page(String sql, long behind, int limit, boolean ended) throws SQLException {
            List<CopiedRecord> found = new ArrayList<>();
            long last = 0;
            int bytes = 0;
            boolean more = true;
            try (PreparedStatement query = source.connection().prepareStatement(StateName.numbered(sql))) {
                query.setFetchSize(FETCH);
                query.setLong(1, behind);
                query.setInt(2, limit);
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

        /** A running job waits again; its attempt number stays. */
        private Job job(ResultSet row) throws SQLException {
            StateName stored = StateName.live(row.getInt("state"));
            Job.State state = switch (stored) {
                case HALTING -> Job.State.HALTING;
                case DEAD -> Job.State.DEAD;
                default -> Job.State.OPEN;
            };
            long at = stored == StateName.RUNNING ? 0 : row.getLong("ready_at");
            UUID unique = row.getObject("unique_key", UUID.class);
            return new Job(pushed(row), course(row), state, row.getInt("crashes"), row.getInt("lone_crashes"),
                    at == 0 ? null : Instant.ofEpochMilli(at), state == Job.State.OPEN ? 0 : row.getLong("error"),
                    new Payload(row.getString("content_type"), row.getBytes("payload")),
                    unique == null ? null : key(unique));
        }

        /** A job that was handed off with its push has no moment of its claim but that of the push. */
        private EndedJob ended(ResultSet row) throws SQLException {
            byte[] result = row.getBytes("result");
            Instant started = ColumnCodecs.moment(row, "started_at");
            if (started != null && started.toEpochMilli() == 0) {
                started = row.getInt("attempt") == 1 ? JobSequence.timeOf(row.getLong("seq")) : null;
            }
            Instant ended = ColumnCodecs.moment(row, "ended_at");
            return new EndedJob(pushed(row), course(row), row.getInt("state") == StateName.DONE.code(),
                    ended == null ? moment : ended, started,
                    result == null ? null : new Payload(row.getString("result_type"), result), row.getString("reason"));
        }

        private Pushed pushed(ResultSet row) throws SQLException {
            QueueName queue = Objects.requireNonNull(names.get(row.getInt("queue")), "a queue for every job");
            long origin = row.getLong("origin");
            JobId from = row.wasNull() ? null : source.ids().of(origin);
            return new Pushed(source.ids().of(row.getLong("seq")), queue, row.getString("grp"),
                    ClassNumber.priority(row.getInt("priority")),
                    UserId.ofStored(row.getString("owner")), ColumnCodecs.params(row.getString("params")), from,
                    row.getString("trace"), ColumnCodecs.terms(row.getString("params")));
        }

        private static Course course(ResultSet row) throws SQLException {
            String summary = row.getString("failure");
            String detail = row.getString("failure_detail");
            return new Course(row.getInt("attempt"), row.getInt("failures"), row.getString("progress"),
                    summary == null ? null : new JobFailure(summary, detail == null ? "" : detail),
                    row.getString("history"));
        }
    }

    private static Page dedupe(Source source, String after, int limit, Instant moment) throws SQLException {
        long floor = JobSequence.startOf(moment.minus(JobStore.DEDUPE_WINDOW).plusMillis(1));
        return keys(source, DEDUPE, after, limit, moment, row -> {
            DedupeKey key = key(row.getObject("key", UUID.class));
            DedupeKey fingerprint = key(row.getObject("fingerprint", UUID.class));
            return row.getLong("seq") < floor
                    ? Optional.empty()
                    : Optional.of(new Dedupe(key, fingerprint.equals(key) ? null : fingerprint,
                            source.ids().of(row.getLong("seq"))));
        });
    }

    private static Page kept(Source source, String after, int limit, Instant moment) throws SQLException {
        return keys(source, KEPT, after, limit, moment, row -> {
            DedupeKey key = key(row.getObject("key", UUID.class));
            DedupeKey fingerprint = key(row.getObject("fingerprint", UUID.class));
            return Optional.of(new Kept(key, fingerprint.equals(key) ? null : fingerprint,
                    source.ids().of(row.getLong("seq")), Instant.ofEpochMilli(row.getLong("until"))));
        });
    }

    private static Page idempotency(Source source, String after, int limit, Instant moment) throws SQLException {
        return keys(source, IDEMPOTENCY, after, limit, moment,
                row -> Optional.of(new Idempotency(key(row.getObject("key", UUID.class)),
                        key(row.getObject("fingerprint", UUID.class)),
                        source.ids().of(row.getLong("seq")), Instant.ofEpochMilli(row.getLong("until")))));
    }

    /** Keys by the end of their windows, as far as the reader takes them. */
    private static Page keys(Source source, int kind, String after, int limit, Instant moment,
            Sql.Reader<Optional<CopiedRecord>> reader) throws SQLException {
        CopyPosition behind = CopyPosition.of(after);
        List<CopiedRecord> found = new ArrayList<>();
        List<CopyPosition> last = new ArrayList<>();
        new Sql(source.connection(), "SELECT key, seq, fingerprint, until FROM recent WHERE kind + 0 = ?"
                + " AND until + 0 > ? AND (until + 0, key) > (?, ?) ORDER BY until + 0, key LIMIT ?").with(kind)
                .with(moment.toEpochMilli())
                .with(behind.number(0, 0))
                .with(behind.parts().isEmpty() ? new UUID(0, 0) : UUID.fromString(behind.text(1))).with(limit)
                .list(row -> {
                    reader.read(row).ifPresent(found::add);
                    return last.add(
                            CopyPosition.behind(row.getLong("until"), row.getObject("key", UUID.class).toString()));
                });
        return new Page(found, last.size() < limit ? null : last.getLast().toString());
    }

    private static DedupeKey key(UUID column) {
        return new DedupeKey(column.getMostSignificantBits(), column.getLeastSignificantBits());
    }

    // ---- writing

    private static Map<QueueName, Integer> numbers(Connection connection) throws SQLException {
        Map<QueueName, Integer> numbers = new HashMap<>();
        new Sql(connection, "SELECT id, name FROM queue")
                .list(row -> numbers.put(new QueueName(row.getString("name")), row.getInt("id")));
        return numbers;
    }

    /** The common columns of jobs of one chunk. */
    private static final class Columns {
        private final List<Pushed> pushed = new ArrayList<>();
        private final List<Course> courses = new ArrayList<>();
        private final List<Integer> queues = new ArrayList<>();
        private final List<Integer> states = new ArrayList<>();
        private final Map<QueueName, Integer> numbers;

        Columns(Connection connection) throws SQLException {
            numbers = numbers(connection);
        }

        void add(Pushed job, Course course, int state) {
            pushed.add(job);
            courses.add(course);
            queues.add(Objects.requireNonNull(numbers.get(job.queue())));
            states.add(state);
        }

        Sql addTo(Sql sql) {
            return sql.longs(pushed.stream().map(job -> job.id().sequence()).toList()).ints(queues)
                    .texts(pushed.stream().<@Nullable String>map(Pushed::group).toList())
                    .ints(pushed.stream().map(job -> ClassNumber.of(job.priority(), job.terms().key())).toList())
                    .ints(states)
                    .ints(courses.stream().map(Course::attempt).toList())
                    .ints(courses.stream().map(Course::failures).toList())
                    .texts(pushed.stream().<@Nullable String>map(job -> UserId.column(job.user())).toList())
                    .texts(pushed.stream().<@Nullable String>map(job -> ColumnCodecs.params(job.params(), job.terms()))
                            .toList())
                    .longs(pushed.stream().map(job -> job.origin() == null ? -1L : job.origin().sequence()).toList())
                    .texts(pushed.stream().<@Nullable String>map(Pushed::trace).toList())
                    .texts(courses.stream().<@Nullable String>map(Course::progress).toList())
                    .texts(courses.stream()
                            .<@Nullable String>map(it -> it.failure() == null ? null : it.failure().summary()).toList())
                    .texts(courses.stream()
                            .<@Nullable String>map(it -> it.failure() == null ? null : it.failure().detail()).toList())
                    .texts(courses.stream().<@Nullable String>map(Course::history).toList());
        }

        void count(Connection connection, boolean ended) throws SQLException {
            new Sql(connection, "INSERT INTO tally SELECT queue, " + (ended ? "ENDED" : "state")
                    + ", count(*) FROM unnest(?, ?) AS fresh(queue, state) GROUP BY 1, 2").ints(queues).ints(states)
                    .update();
        }
    }

    private static final String INSERT = "(seq, queue, grp, priority, state, attempt, failures, owner, params, origin,"
            + " trace, progress, failure, failure_detail, history, ";
    private static final String SELECT = " SELECT seq, queue, grp, priority, state, attempt, failures, owner, params,"
            + " nullif(origin, -1), trace, progress, failure, failure_detail, history, ";

    private static String from(int columns) {
        return " FROM unnest(" + String.join(", ", Collections.nCopies(columns, "?")) + ") AS t" + INSERT;
    }

    private static void writeJobs(Connection connection, Chunk chunk) throws SQLException {
        if (chunk.records().isEmpty()) {
            return;
        }
        List<Job> jobs = chunk.records().stream().map(Job.class::cast).toList();
        Columns columns = new Columns(connection);
        jobs.forEach(job -> columns.add(job.pushed(), job.course(), state(job)));
        String own = "ready_at, crashes, error, content_type, payload, lone_crashes, expires_at, unique_key,"
                + " flow_key, cost, batch)";
        Sql sql = new Sql(connection, "INSERT INTO job" + INSERT + own + SELECT
                + "ready_at, crashes, CASE WHEN state >= DEAD THEN error END, content_type, payload, lone_crashes,"
                + " nullif(expires_at, 0), unique_key::uuid, flow_key, nullif(cost, 1), nullif(batch, 0)"
                + from(26) + own);
        columns.addTo(sql).longs(jobs.stream().map(job -> job.at() == null ? 0L : job.at().toEpochMilli()).toList())
                .ints(jobs.stream().map(Job::crashes).toList()).longs(jobs.stream().map(Job::error).toList())
                .texts(jobs.stream().map(job -> job.payload().contentType()).toList())
                .bytes(jobs.stream().<byte @Nullable []>map(job -> job.payload().bytes()).toList())
                .ints(jobs.stream().map(Job::loneCrashes).toList())
                .longs(jobs.stream().map(job -> ColumnCodecs.expiry(job.pushed().terms())).toList())
                .texts(jobs.stream()
                        .<@Nullable String>map(job -> job.unique() == null ? null : column(job.unique()).toString())
                        .toList())
                .texts(jobs.stream().<@Nullable String>map(job -> job.pushed().terms().key()).toList())
                .ints(jobs.stream().map(job -> job.pushed().terms().cost()).toList())
                .longs(jobs.stream().map(job -> BatchColumns.number(job.pushed().terms()))
                        .map(number -> number == null ? 0L : number).toList())
                .update();
        columns.count(connection, false);
        makeLanes(connection, columns, chunk.moment());
        new Sql(connection, "SELECT key_wake_jobs(?)")
                .longs(jobs.stream().map(job -> job.pushed().id().sequence()).toList()).list(_ -> true);
    }

    private static int state(Job job) {
        return switch (job.state()) {
            case OPEN -> job.at() == null ? StateName.WAITING.code() : StateName.DELAYED.code();
            case DEAD -> StateName.DEAD.code();
            case HALTING -> StateName.HALTING.code();
        };
    }

    /** Makes the lanes of the groups in this chunk, or recomputes them. */
    private static void makeLanes(Connection connection, Columns columns, Instant moment) throws SQLException {
        List<Integer> queues = new ArrayList<>();
        List<String> names = new ArrayList<>();
        Collection<Map.Entry<Integer, String>> groups = new LinkedHashSet<>();
        for (int n = 0; n < columns.pushed.size(); n++) {
            String group = columns.pushed.get(n).group();
            if (group != null && columns.states.get(n) != StateName.DEAD.code()) {
                groups.add(Map.entry(columns.queues.get(n), group));
            }
        }
        if (groups.isEmpty()) {
            return;
        }
        groups.forEach(group -> {
            queues.add(group.getKey());
            names.add(group.getValue());
        });
        new Sql(connection, "INSERT INTO lane(queue, name, turn, ready_at, state)"
                + " SELECT queue, name, nextval('lane_turn'), 0, 0 FROM unnest(?, ?) AS fresh(queue, name)"
                + " ON CONFLICT DO NOTHING").ints(queues).texts(names).update();
        new Sql(connection, "SELECT job_lanes(?, ?, ?)").ints(queues).texts(names).with(moment.toEpochMilli())
                .list(_ -> true);
    }

    private static void writeEnded(Connection connection, Chunk chunk) throws SQLException {
        if (chunk.records().isEmpty()) {
            return;
        }
        List<EndedJob> jobs = chunk.records().stream().map(EndedJob.class::cast).toList();
        Columns columns = new Columns(connection);
        jobs.forEach(job -> columns.add(job.pushed(), job.course(), job.done() ? 0 : 1));
        String own = "ended_at, started_at, reason, result_type, result)";
        Sql sql = new Sql(connection, "INSERT INTO ended" + INSERT + own + SELECT
                + "ended_at, nullif(started_at, -1), reason, result_type, result" + from(20) + own);
        columns.addTo(sql).longs(jobs.stream().map(job -> job.endedAt().toEpochMilli()).toList())
                .longs(jobs.stream().map(job -> job.startedAt() == null ? -1L : job.startedAt().toEpochMilli())
                        .toList())
                .texts(jobs.stream().<@Nullable String>map(EndedJob::reason).toList())
                .texts(jobs.stream()
                        .<@Nullable String>map(job -> job.result() == null ? null : job.result().contentType())
                        .toList())
                .bytes(jobs.stream()
                        .<byte @Nullable []>map(job -> job.result() == null ? null : job.result().bytes()).toList())
                .update();
        columns.count(connection, true);
    }

    private record Key(DedupeKey key, DedupeKey fingerprint, JobId job, Instant until) {}

    private static void writeKeys(Connection connection, int kind, List<Key> keys) throws SQLException {
        new Sql(connection, "INSERT INTO recent(kind, key, until, seq, fingerprint)"
                + " SELECT ?, * FROM unnest(?, ?, ?, ?)").with(kind)
                .uuids(keys.stream().map(each -> column(each.key)).toList())
                .longs(keys.stream().map(each -> each.until.toEpochMilli()).toList())
                .longs(keys.stream().map(each -> each.job.sequence()).toList())
                .uuids(keys.stream().map(each -> column(each.fingerprint)).toList()).update();
    }

    private static UUID column(DedupeKey key) {
        return new UUID(key.high(), key.low());
    }
}
