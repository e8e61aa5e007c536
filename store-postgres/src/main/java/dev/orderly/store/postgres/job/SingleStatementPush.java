package dev.orderly.store.postgres.job;

import dev.orderly.job.NodeId;
import dev.orderly.job.Priority;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.JobSequence;
import dev.orderly.job.store.NewJob;
import dev.orderly.store.postgres.job.scan.ScanCursors;
import dev.orderly.store.postgres.live.PostgresBus;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.postgres.sql.StateName;
import dev.orderly.store.sql.ColumnCodecs;
import dev.orderly.store.sql.DatabaseJobIds;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The push of jobs without group and key: one statement, which stores each of them, numbered in the order of the list.
 * A lone job has a statement without arrays, which costs half.
 */
final class SingleStatementPush {
    private static final String ONE = """
            WITH pushed AS (
              INSERT INTO job(seq, queue, ready_at, state, priority, owner, params, trace, content_type, payload)
              VALUES(job_draw(1, ?), ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq),
            counted AS (INSERT INTO tally VALUES(?, ?, 1))
            SELECT seq FROM pushed""";
    private static final String SEVERAL = """
            WITH drawn AS MATERIALIZED (SELECT job_draw(?, ?) AS first),
            pushed AS (
              INSERT INTO job(seq, queue, ready_at, state, priority, owner, params, trace, content_type, payload)
              SELECT drawn.first + fresh.place - 1, fresh.queue, fresh.ready_at, fresh.state, fresh.priority, fresh.owner,
                fresh.params, fresh.trace, fresh.content_type, fresh.payload
              FROM drawn, unnest(?, ?, ?, ?, ?, ?, ?, ?, ?) WITH ORDINALITY
                AS fresh(queue, ready_at, state, priority, owner, params, trace, content_type, payload, place)),
            counted AS (INSERT INTO tally SELECT * FROM unnest(?, ?, ?))
            SELECT first FROM drawn""";

    private static final String KEYED = "SELECT job_push_keyed(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '"
            + PostgresPushes.DRAW + "')";
    private static final String ONE_HANDED_OFF = """
            WITH room AS MATERIALIZED (SELECT job_room(?, ?, ?, ?, ?, ?, ?, ?, ?) AS node),
            pushed AS (
              INSERT INTO job(seq, queue, ready_at, state, priority, owner, params, trace, content_type, payload, node,
                attempt)
              SELECT job_draw(1, ?), ?, 0, CASE WHEN room.node IS NULL THEN 0 ELSE 2 END, ?, ?, ?, ?, ?, ?,
                room.node, CASE WHEN room.node IS NULL THEN 0 ELSE 1 END
              FROM room RETURNING seq, queue, state),
            counted AS (INSERT INTO tally SELECT queue, state, 1 FROM pushed)
            SELECT seq, state FROM pushed""";
    private static final String SEVERAL_HANDED_OFF = "WITH room AS MATERIALIZED (" + HandOffs.ROOM
            + """
                    ),
                    drawn AS MATERIALIZED (SELECT job_draw(?, ?) AS first),
                    pushed AS (
                      INSERT INTO job(seq, queue, ready_at, state, priority, owner, params, trace, content_type, payload, node,
                        attempt)
                      SELECT drawn.first + fresh.place - 1, fresh.queue, fresh.ready_at,
                        CASE WHEN room.node IS NULL THEN fresh.state ELSE 2 END, fresh.priority, fresh.owner,
                        fresh.params, fresh.trace, fresh.content_type, fresh.payload, room.node,
                        CASE WHEN room.node IS NULL THEN 0 ELSE 1 END
                      FROM drawn CROSS JOIN unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WITH ORDINALITY
                        AS fresh(queue, ready_at, state, priority, owner, params, trace, content_type, payload, in_turn, place)
                        LEFT JOIN room ON room.queue = fresh.queue AND fresh.in_turn
                      RETURNING seq, queue, state),
                    counted AS (INSERT INTO tally SELECT queue, state, count(*) FROM pushed GROUP BY queue, state)
                    SELECT seq, state FROM pushed""";

    private final DatabaseJobIds ids;
    private final HandOffs handOffs;
    private final String one;
    private final String oneWithHint;
    private final String several;
    private final String keyed;

    /** @param draw name of the function that draws numbers, in place of {@link PostgresPushes#DRAW} */
    SingleStatementPush(DatabaseJobIds ids, HandOffs handOffs, String draw) {
        this.ids = ids;
        this.handOffs = handOffs;
        one = ONE.replace(PostgresPushes.DRAW, draw);
        oneWithHint = one.replace("SELECT seq FROM pushed", "SELECT seq, pg_notify(?, ?) FROM pushed");
        several = SEVERAL.replace(PostgresPushes.DRAW, draw);
        keyed = KEYED.replace(PostgresPushes.DRAW, draw);
    }

    /** Whether some of the jobs have keys or a cost, and otherwise {@link #suits}. */
    static boolean suitsKeyed(List<NewJob> jobs) {
        return jobs.stream().allMatch(SingleStatementPush::isPlain);
    }

    static boolean suits(List<NewJob> jobs) {
        return jobs.stream().allMatch(job -> isPlain(job) && job.terms().key() == null && job.terms().cost() == 1);
    }

    private static boolean isPlain(NewJob job) {
        return job.group() == null && job.dedupe() == null && job.idempotency() == null && job.unique() == null
                && job.terms().expiresAt() == null && job.origin() == null && !job.terms().isMember();
    }

    /** @param hint sent with a lone job that is due, if given */
    List<PushResult> write(Connection connection, Map<QueueName, Integer> queues, PostgresPushes.PushCall call,
            PostgresBus.@Nullable Hint hint) throws SQLException {
        List<NewJob> jobs = call.jobs;
        long lowest = JobSequence.startOf(call.now);
        if (HandOffs.concern(jobs)) {
            return handOff(connection, queues, call);
        }
        if (jobs.size() == 1) {
            NewJob job = jobs.getFirst();
            NewJobColumns.Encoded row = call.rows.getFirst();
            int queue = Objects.requireNonNull(queues.get(job.queue()));
            long readyAt = row.readyAt();
            int state = readyAt == 0 ? StateName.WAITING.code() : StateName.DELAYED.code();
            Sql sql = new Sql(connection, hint == null ? one : oneWithHint).with(lowest).with(queue).with(readyAt)
                    .with(state).with(job.priority().number()).with(row.owner()).with(row.params()).with(row.trace())
                    .with(job.payload().contentType())
                    .with(job.payload().bytes()).with(queue).with(state);
            if (hint != null) {
                sql.with(hint.channel()).with(hint.text());
            }
            return List.of(accepted(sql.number()));
        }
        NewJobColumns columns = new NewJobColumns(queues, call.rows);
        Sql sql = new Sql(connection, several).with(jobs.size()).with(lowest);
        long first = columns.addCounts(columns.addTo(sql, false)).number();
        return IntStream.range(0, jobs.size()).mapToObj(place -> accepted(first + place)).toList();
    }

    /** Stores jobs of which some have keys or a cost; none is handed off. */
    List<PushResult> writeKeyed(Connection connection, Map<QueueName, Integer> queues, PostgresPushes.PushCall call)
            throws SQLException {
        long first = new NewJobColumns(queues, call.rows).addKeyedTo(new Sql(connection, keyed)
                .with(JobSequence.startOf(call.now))).number();
        return IntStream.range(0, call.jobs.size()).mapToObj(place -> accepted(first + place)).toList();
    }

    private List<PushResult> handOff(Connection connection, Map<QueueName, Integer> queues,
            PostgresPushes.PushCall call)
            throws SQLException {
        List<NewJob> jobs = call.jobs;
        Instant now = call.now;
        long lowest = JobSequence.startOf(now);
        NewJob only = jobs.getFirst();
        NewJobColumns.Encoded row = call.rows.getFirst();
        NodeId claimer = only.claimer();
        Sql sql;
        if (jobs.size() == 1 && claimer != null && row.readyAt() == 0) {
            int queue = Objects.requireNonNull(queues.get(only.queue()));
            sql = handOffs.addRoomOf(new Sql(connection, ONE_HANDED_OFF), queue, claimer, now).with(lowest).with(queue)
                    .with(only.priority().number()).with(row.owner()).with(row.params()).with(row.trace())
                    .with(only.payload().contentType()).with(only.payload().bytes());
        } else {
            sql = new NewJobColumns(queues, call.rows)
                    .addTo(handOffs.addRoom(new Sql(connection, SEVERAL_HANDED_OFF), queues, jobs, now)
                            .with(jobs.size()).with(lowest), false)
                    .truths(HandOffs.inTurn(jobs, _ -> false, now));
        }
        return sql.list(found -> new PushResult.Accepted(ids.of(found.getLong(1)),
                found.getInt(2) == StateName.RUNNING.code()))
                .stream().sorted(Comparator.comparingLong(result -> result.id().sequence()))
                .<PushResult>map(result -> result).toList();
    }

    private PushResult accepted(long seq) {
        return new PushResult.Accepted(ids.of(seq));
    }

    /**
     * The queues into which the jobs of a push may be handed off, by the function {@code job_room}, each with the
     * claimer of its first job.
     */
    static final class HandOffs {
        /** The number of the claiming node, or null, for each queue; its parameters are those of {@link #addRoom}. */
        static final String ROOM = """
                SELECT wanted.queue, job_room(wanted.queue, wanted.name, wanted.moment, wanted.turn, wanted.first,
                  wanted.second, wanted.third, wanted.fourth, wanted.due) AS node
                FROM (SELECT *, ?::bigint AS moment FROM unnest(?, ?, ?, ?, ?, ?, ?, ?)
                  AS asked(queue, name, turn, first, second, third, fourth, due)) AS wanted""";

        private final ScanCursors cursors;

        HandOffs(ScanCursors cursors) {
            this.cursors = cursors;
        }

        static boolean concern(List<NewJob> jobs) {
            return jobs.stream().anyMatch(job -> job.claimer() != null);
        }

        /** The claimer of the first job with a claimer, by queue. */
        private static Map<QueueName, NodeId> claimers(List<NewJob> jobs) {
            Map<QueueName, NodeId> claimers = new LinkedHashMap<>();
            for (NewJob job : jobs) {
                NodeId claimer = job.claimer();
                if (claimer != null) {
                    claimers.putIfAbsent(job.queue(), claimer);
                }
            }
            return claimers;
        }

        /** Adds the parameters of {@code job_room}. */
        Sql addRoomOf(Sql sql, int queue, NodeId node, Instant now) {
            sql.with(queue).with(named(queue, node)).with(ColumnCodecs.millis(now)).with(cursors.lanes(queue));
            cursors.jobs(queue).forEach(sql::with);
            return sql.with(cursors.due(queue));
        }

        /** The name of no node where a job below the bounds may be ready, which goes first. */
        private String named(int queue, NodeId node) {
            return cursors.hasBelow(queue) ? "" : node.value();
        }

        Sql addRoom(Sql sql, Map<QueueName, Integer> queues, List<NewJob> jobs, Instant now) {
            Map<QueueName, NodeId> claimers = claimers(jobs);
            List<Integer> ids = ids(queues, claimers);
            addLanes(sql.with(ColumnCodecs.millis(now)), claimers, ids);
            for (Priority priority : Priority.values()) {
                sql.longs(ids.stream().map(id -> cursors.jobs(id, priority)).toList());
            }
            return sql.longs(ids.stream().map(cursors::due).toList());
        }

        /**
         * Adds queue, node, lower bound of the lanes, the lower bounds of the jobs, four for each queue, whether each
         * job is in turn, and the lower bound of what is due.
         */
        Sql addClaimers(Sql sql, Map<QueueName, Integer> queues, List<NewJob> jobs, List<Boolean> inTurn) {
            Map<QueueName, NodeId> claimers = claimers(jobs);
            List<Integer> ids = ids(queues, claimers);
            return addLanes(sql, claimers, ids).longs(ids.stream().flatMap(id -> cursors.jobs(id).stream()).toList())
                    .truths(inTurn).longs(ids.stream().map(cursors::due).toList());
        }

        private Sql addLanes(Sql sql, Map<QueueName, NodeId> claimers, List<Integer> ids) {
            List<String> names = new ArrayList<>();
            claimers.values().forEach(node -> names.add(named(ids.get(names.size()), node)));
            return sql.ints(ids).texts(names).longs(ids.stream().map(cursors::lanes).toList());
        }

        private static List<Integer> ids(Map<QueueName, Integer> queues, Map<QueueName, NodeId> claimers) {
            return claimers.keySet().stream().map(queue -> Objects.requireNonNull(queues.get(queue))).toList();
        }

        /** The number of the claiming node, by number of the queue; absent where nothing may be handed off. */
        Map<Integer, Integer> room(Connection connection, Map<QueueName, Integer> queues, List<NewJob> jobs,
                Instant now)
                throws SQLException {
            Map<Integer, Integer> room = new HashMap<>();
            if (concern(jobs)) {
                addRoom(new Sql(connection, "SELECT queue, node FROM (" + ROOM + ") AS room WHERE node IS NOT NULL"),
                        queues, jobs, now).list(row -> room.put(row.getInt(1), row.getInt(2)));
            }
            return room;
        }

        /**
         * Whether new jobs may be handed off, in their order, where a queue has room: each is due, and overtakes none
         * before it.
         *
         * @param heads whether a job with a group is the first job of a group which this push makes
         */
        static List<Boolean> inTurn(List<NewJob> jobs, Predicate<NewJob> heads, Instant now) {
            Map<QueueName, NodeId> claimers = claimers(jobs);
            Set<QueueName> closed = new HashSet<>();
            List<Boolean> inTurn = new ArrayList<>(jobs.size());
            for (NewJob job : jobs) {
                boolean next = JobColumns.readyAt(job, now) == 0 && (job.group() == null || heads.test(job));
                boolean may = next && job.claimer() != null && job.claimer().equals(claimers.get(job.queue()))
                        && !closed.contains(job.queue());
                if (next && !may) {
                    closed.add(job.queue());
                }
                inTurn.add(may);
            }
            return inTurn;
        }
    }
}
