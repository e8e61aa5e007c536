package dev.orderly.store.postgres.job;

import static java.util.Comparator.naturalOrder;

import dev.orderly.job.JobId;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.store.postgres.job.scan.ScanCursors;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.sql.JobIds;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Hands out jobs. The function {@code job_claim} does the work in one trip; this class gives it the lower bounds of the
 * scans and the turns of the priorities, and takes them over from its answer.
 */
public final class ClaimJobs {
    private static final Duration AGAIN = Duration.ofMillis(200);
    /** Kinds of rows of {@code job_claim} beside the claimed jobs, by their number. */
    private static final int PAUSED = -1;
    private static final int DUE = -2;
    private static final int BECAME_READY = -3;
    private static final int LANES_TAKEN = -4;
    private static final int TURNS_GIVEN = -5;
    private static final int NONE_WAIT = -6;
    private static final int NO_LANES = -7;
    /** Bound on the jobs that a claim looks up by their numbers, for each queue. */
    private static final int LOOKED_UP = 1_000;

    /** Groups by their turns and each in its order; other jobs by priority and then by number. */
    private static final Comparator<Row> ORDER = Comparator.comparingLong(Row::info)
            .thenComparingLong(row -> row.claimed().sequence());

    private final JobIds ids;
    private final QueueTable queues;
    private final ScanCursors cursors;
    /** Number of turns given by this node, for each queue. */
    private final Map<Integer, Long> turns = new ConcurrentHashMap<>();

    public ClaimJobs(JobIds ids, QueueTable queues, ScanCursors cursors) {
        this.ids = ids;
        this.queues = queues;
        this.cursors = cursors;
    }

    /** A requested queue that exists, with the lower bounds of its scans. */
    private record Source(int id, Demand demand, long lanes, List<Long> jobs, List<Long> below, long due) {}

    /** A row of the answer. A job of a group has its group's place as info, another job its priority. */
    private record Row(int queue, long info, @Nullable ClaimedJob job, int fact, int priorities) {
        ClaimedJob claimed() {
            return Objects.requireNonNull(job);
        }
    }

    /** Runs one statement, if the queues are known. */
    public ClaimedJobs claim(Connection connection, ClaimRequest request, Instant now) throws SQLException {
        Map<QueueName, Integer> known = queues.existing(connection,
                request.wants().stream().map(Demand::queue).toList());
        Map<Integer, Source> sources = new HashMap<>();
        List<Source> asked = new ArrayList<>();
        for (Demand demand : request.wants()) {
            Integer id = known.get(demand.queue());
            if (id != null) {
                asked.add(new Source(id, demand, cursors.lanes(id), cursors.jobs(id),
                        cursors.below(id, Math.min(demand.limit(), LOOKED_UP)), cursors.due(id)));
                sources.put(id, asked.getLast());
            }
        }
        if (asked.isEmpty()) {
            return new ClaimedJobs(List.of(), null, Set.of());
        }
        Set<Long> passedOver = request.passedOver().stream().filter(ids::isOwn).map(JobId::sequence)
                .collect(Collectors.toSet());
        return answer(sources, rows(connection, request, asked, passedOver, now), passedOver, now);
    }

    private List<Row> rows(Connection connection, ClaimRequest request, List<Source> asked, Set<Long> passedOver,
            Instant now) throws SQLException {
        return new Sql(connection, "SELECT * FROM job_claim(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
                .with(request.node().value()).with(now.toEpochMilli()).with(request.bytes())
                .ints(IntStream.range(0, Priority.turns()).mapToObj(turn -> Priority.turn(turn).number()).toList())
                .ints(asked.stream().map(Source::id).toList())
                .truths(asked.stream().map(each -> each.demand.queue().isFifo()).toList())
                .ints(asked.stream().map(each -> each.demand.limit()).toList())
                .ints(asked.stream().map(each -> each.demand.run()).toList())
                .longs(asked.stream().map(each -> turns.getOrDefault(each.id, 0L)).toList())
                .longs(asked.stream().map(each -> each.lanes).toList())
                .longs(asked.stream().flatMap(each -> each.jobs.stream()).toList())
                .longs(passedOver)
                .longs(asked.stream().flatMap(each -> each.below.stream()).toList())
                .longs(asked.stream().map(each -> each.due).toList())
                .list(row -> row(row, asked));
    }

    private Row row(ResultSet row, List<Source> asked) throws SQLException {
        int queue = row.getInt(10);
        long seq = row.getLong(1);
        if (seq < 0) {
            return new Row(queue, row.getLong(11), null, (int) seq, row.getInt(2));
        }
        QueueName name = asked.stream().filter(each -> each.id == queue).findFirst().orElseThrow().demand.queue();
        return new Row(queue, row.getLong(11), JobColumns.claimed(row, ids, name), 0, 0);
    }

    private ClaimedJobs answer(Map<Integer, Source> sources, List<Row> rows, Set<Long> passedOver, Instant now) {
        List<ClaimedJob> jobs = new ArrayList<>();
        Set<Integer> paused = new HashSet<>();
        Set<Integer> scanned = new HashSet<>();
        Map<Integer, Instant> due = new HashMap<>();
        Map<Integer, List<Row>> claimed = new LinkedHashMap<>();
        for (Row row : rows) {
            Source source = Objects.requireNonNull(sources.get(row.queue));
            switch (row.fact) {
                case PAUSED -> paused.add(row.queue);
                case DUE -> due.put(row.queue, Instant.ofEpochMilli(row.info));
                case BECAME_READY -> cursors.ready(row.queue, row.info);
                case LANES_TAKEN, NO_LANES -> cursors.passedLanes(row.queue, source.lanes, row.info);
                case TURNS_GIVEN -> {
                    turns.put(row.queue, row.info);
                    scanned.add(row.queue);
                }
                case NONE_WAIT -> {
                    foundNone(source, row, now);
                    scanned.add(row.queue);
                }
                default -> claimed.computeIfAbsent(row.queue, _ -> new ArrayList<>()).add(row);
            }
        }
        claimed.values().forEach(of -> {
            of.sort(ORDER);
            of.forEach(row -> jobs.add(row.claimed()));
        });
        for (Source source : sources.values()) {
            if (!paused.contains(source.id)) {
                cursors.foundDue(source.id, source.due, due.get(source.id), now);
            }
            if (scanned.contains(source.id)) {
                move(source, claimed.getOrDefault(source.id, List.of()), passedOver, now);
            }
        }
        return new ClaimedJobs(jobs, due.values().stream().map(each -> again(each, now)).min(naturalOrder())
                .orElse(null),
                paused.stream().map(id -> Objects.requireNonNull(sources.get(id)).demand.queue())
                        .collect(Collectors.toSet()));
    }

    private void foundNone(Source source, Row row, Instant now) {
        for (Priority priority : Priority.values()) {
            if ((row.priorities >> (priority.number() - 1) & 1) == 1) {
                cursors.foundNone(source.id, priority, source.jobs.get(priority.number() - 1), row.info, now);
            }
        }
    }

    /**
     * Moves the bound of each priority behind the last job that its scan has found; the rows are sorted. Jobs below the
     * bound were looked up. A claim that got less than it asked for has looked up all that can be claimed,
     * but for those that it passed over.
     */
    private void move(Source source, List<Row> rows, Set<Long> passedOver, Instant now) {
        Map<Long, Long> last = new HashMap<>();
        for (Row row : rows) {
            long seq = row.claimed().sequence();
            if (seq >= source.jobs.get(Math.toIntExact(row.info) - 1)) {
                last.put(row.info, seq);
            }
        }
        last.forEach((priority, seq) -> cursors.took(source.id, Priority.of(Math.toIntExact(priority)),
                source.jobs.get(Math.toIntExact(priority) - 1), seq, now));
        cursors.looked(source.id, rows.stream().map(row -> row.claimed().sequence()).toList());
        if (rows.size() < source.demand.limit()) {
            cursors.looked(source.id, source.below.stream().filter(seq -> !passedOver.contains(seq)).toList());
        }
    }

    /**
     * The next due time. A due job that another transaction has locked did not become ready: it is due in a moment
     * again.
     */
    private static Instant again(Instant due, Instant now) {
        return due.isAfter(now) ? due : now.plus(AGAIN);
    }
}
