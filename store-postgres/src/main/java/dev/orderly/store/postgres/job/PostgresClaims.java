package dev.orderly.store.postgres.job;

import static java.util.Comparator.naturalOrder;

import dev.orderly.job.JobId;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.job.store.NodeTimes;
import dev.orderly.store.StoreException;
import dev.orderly.store.postgres.job.scan.ScanCursors;
import dev.orderly.store.postgres.sql.HeartbeatConnection;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.postgres.sql.Transactions;
import dev.orderly.store.sql.ClassNumber;
import dev.orderly.store.sql.DatabaseJobIds;
import dev.orderly.store.sql.ParamsColumn;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Hands out jobs. The function {@code job_claim} does the work in one trip; this class gives it the lower bounds of the
 * scans and the turns of the priorities, and takes them over from its answer.
 */
public final class PostgresClaims {
    private static final Duration AGAIN = Duration.ofMillis(200);
    /** Interval of looks for slots of keys that other nodes have freed; no more than that of the engine's claims. */
    private static final Duration LOOK = NodeTimes.LIMIT_LOOK.multipliedBy(3).dividedBy(4);
    /** Asks {@code key_startable} for such a look. */
    private static final String ANY_KEY = "";
    /** Bound on the jobs that a claim looks up by their numbers, for each queue. */
    private static final int LOOKED_UP = 1_000;
    private static final String CLAIM = """
            SELECT queue, (facts).*, seq, attempt, failures, crashes, priority, grp, content_type, payload, params,
              owner, trace FROM job_claim(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, nullif(?, -1), ?, ?, ?)""";

    private final DatabaseJobIds ids;
    private final PostgresQueueTable queues;
    private final ScanCursors cursors;
    private final LongSupplier given;
    /** Number of turns given by this node, for each queue. */
    private final Map<Integer, Long> turns = new ConcurrentHashMap<>();
    /** The last such look, for each queue whose jobs may wait for their keys. */
    private final Map<Integer, Instant> looks = new ConcurrentHashMap<>();

    /** Claims under limits that count by the server's clock. */
    public PostgresClaims(DatabaseJobIds ids, PostgresQueueTable queues, ScanCursors cursors) {
        this(ids, queues, cursors, () -> HeartbeatConnection.SERVER_CLOCK);
    }

    /** @param given the moment in place of the server's, for limits, in tests */
    PostgresClaims(DatabaseJobIds ids, PostgresQueueTable queues, ScanCursors cursors, LongSupplier given) {
        this.ids = ids;
        this.queues = queues;
        this.cursors = cursors;
        this.given = given;
    }

    /** A requested queue that exists, with the lower bounds of its scans. */
    private record Source(int id, Demand demand, long lanes, List<Long> jobs, List<Long> below, long due) {}

    /**
     * The facts about a queue, as the type {@code job_facts}.
     *
     * @param due the next due moment; null for none
     * @param ready jobs that became ready
     * @param taken the groups taken, by their turns
     * @param turn the last turn of the groups that the scan has passed; null if that is not known
     * @param given the number of turns given; null if no job could be claimed
     * @param room the number of jobs that the limit of the queue has allowed; null without a limit
     * @param holding whether jobs may wait for their keys
     * @param idle the priorities whose scans have found no job, although the numbers up to {@code drawn} were drawn
     */
    private record Facts(boolean paused, @Nullable Long due, List<Long> ready, List<String> taken, @Nullable Long turn,
            @Nullable Long given, List<Integer> idle, long drawn, @Nullable Integer room, boolean holding) {
        static Facts of(ResultSet row) throws SQLException {
            return new Facts(row.getBoolean("paused"), row.getObject("due", Long.class),
                    Sql.array(row, "ready", Long[].class), Sql.array(row, "taken", String[].class),
                    row.getObject("turn", Long.class), row.getObject("given", Long.class),
                    Sql.array(row, "idle", Integer[].class), row.getLong("drawn"),
                    row.getObject("room", Integer.class), row.getBoolean("holding"));
        }
    }

    /** What this node says of a key: the mean run time of its jobs in microseconds. */
    private record Ran(int queue, String key, long micros) {}

    private record Row(ClaimedJob job, int priority) {
        long seq() {
            return job.sequence();
        }
    }

    /** The part of the answer that is about a queue. */
    private record Answer(Source source, Facts facts, List<Row> rows) {
        /** Groups by their turns and each in its order; other jobs by priority and then by number. */
        void sort() {
            Map<String, Integer> places = new HashMap<>();
            facts.taken.forEach(group -> places.put(group, places.size()));
            ToIntFunction<Row> place = row -> row.job.group() == null
                    ? row.priority
                    : Objects.requireNonNull(places.get(row.job.group()));
            rows.sort(Comparator.comparingInt(place).thenComparingLong(Row::seq));
        }

        /** Whether more jobs might have been handed out without the limit of the queue. */
        boolean isLimited() {
            return facts.room != null && facts.room < source.demand.limit() && rows.size() >= facts.room;
        }

        /** Whether jobs may wait for their keys, although more were asked for. */
        boolean isHolding() {
            return facts.holding && rows.size() < source.demand.limit();
        }

        @Nullable
        Instant due() {
            return facts.due == null ? null : Instant.ofEpochMilli(facts.due);
        }
    }

    /**
     * Claims in one statement. Jobs that this node has taken for ready below its bounds may be so no more: if that is
     * why the claim got less than it asked for, a further statement looks for those behind them.
     */
    ClaimedJobs claim(Transactions transactions, ClaimRequest request, Instant now) {
        Map<QueueName, Long> before = lowest(request);
        ClaimedJobs claimed = transactions.runAlone(connection -> claim(connection, request, now));
        for (ClaimRequest rest = rest(request, claimed, before); rest != null; rest = rest(request, claimed, before)) {
            before = lowest(rest);
            ClaimRequest wanted = rest;
            try {
                ClaimedJobs more = transactions.runAlone(connection -> claim(connection, wanted, now));
                claimed = new ClaimedJobs(
                        Stream.concat(claimed.jobs().stream(), more.jobs().stream()).toList(),
                        Stream.of(claimed, more).flatMap(each -> Stream.ofNullable(each.nextDue())).min(naturalOrder())
                                .orElse(null),
                        claimed.paused(), union(claimed.limited(), more.limited()));
            } catch (StoreException e) {
                throw new StoreException.OutcomeUnknown("Jobs may be claimed: " + e.getMessage(), e);
            }
        }
        return claimed;
    }

    /** The lowest job that a claim looks up, for each standard queue that has one. */
    private Map<QueueName, Long> lowest(ClaimRequest request) {
        Set<Long> passedOver = numbers(request);
        Map<QueueName, Long> lowest = new HashMap<>();
        for (Demand demand : request.wants()) {
            Integer id = demand.queue().isFifo() ? null : queues.used(demand.queue());
            if (id != null) {
                cursors.below(id, 1, passedOver).forEach(seq -> lowest.put(demand.queue(), seq));
            }
        }
        return lowest;
    }

    private static Set<QueueName> union(Set<QueueName> one, Set<QueueName> other) {
        return Stream.concat(one.stream(), other.stream()).collect(Collectors.toSet());
    }

    /**
     * What a claim has left of a request although more jobs could be looked up; null for nothing.
     *
     * @param before the lowest jobs that it could look up; one that is still there was not looked up
     */
    private @Nullable ClaimRequest rest(ClaimRequest request, ClaimedJobs claimed, Map<QueueName, Long> before) {
        Map<QueueName, Long> after = lowest(request);
        List<Demand> left = new ArrayList<>();
        for (Demand demand : request.wants()) {
            QueueName queue = demand.queue();
            int limit = demand.limit()
                    - (int) claimed.jobs().stream().filter(job -> job.queue().equals(queue)).count();
            if (limit > 0 && after.containsKey(queue) && before.containsKey(queue)
                    && !after.get(queue).equals(before.get(queue)) && !claimed.limited().contains(queue)) {
                left.add(new Demand(queue, limit, demand.run()));
            }
        }
        long bytes = request.bytes() - claimed.jobs().stream().mapToLong(job -> job.payload().size()).sum();
        // The first job of a claim may have any size, whatever the budget.
        return left.isEmpty() || bytes < QueueOptions.PAYLOAD_LIMIT
                ? null
                : new ClaimRequest(request.node(), left, bytes, request.passedOver());
    }

    private Set<Long> numbers(ClaimRequest request) {
        return request.passedOver().stream().filter(ids::isOwn).map(JobId::sequence).collect(Collectors.toSet());
    }

    /** Runs one statement, if the queues are known. */
    public ClaimedJobs claim(Connection connection, ClaimRequest request, Instant now) throws SQLException {
        Map<QueueName, Integer> known = queues.existing(connection,
                request.wants().stream().map(Demand::queue).toList());
        Set<Long> passedOver = numbers(request);
        Map<Integer, Source> sources = new LinkedHashMap<>();
        for (Demand demand : request.wants()) {
            Integer id = known.get(demand.queue());
            if (id != null) {
                sources.put(id, new Source(id, demand, cursors.lanes(id), cursors.jobs(id),
                        cursors.below(id, Math.min(demand.limit(), LOOKED_UP), passedOver), cursors.due(id)));
            }
        }
        if (sources.isEmpty()) {
            return new ClaimedJobs(List.of(), null, Set.of());
        }
        Collection<Answer> answers = answers(connection, request, sources, passedOver, now);
        answers.forEach(answer -> record(answer, now));
        return new ClaimedJobs(answers.stream().flatMap(answer -> answer.rows.stream()).map(Row::job).toList(),
                answers.stream().flatMap(answer -> Stream.ofNullable(answer.due())).map(due -> again(due, now))
                        .min(naturalOrder()).orElse(null),
                names(answers, answer -> answer.facts.paused),
                names(answers, answer -> answer.isLimited() || answer.isHolding()));
    }

    private static Set<QueueName> names(Collection<Answer> answers, Predicate<Answer> which) {
        return answers.stream().filter(which).map(answer -> answer.source.demand.queue()).collect(Collectors.toSet());
    }

    private Collection<Answer> answers(Connection connection, ClaimRequest request, Map<Integer, Source> sources,
            Set<Long> passedOver, Instant now) throws SQLException {
        Collection<Source> asked = sources.values();
        List<Ran> ran = asked.stream().flatMap(each -> each.demand.ran().entrySet().stream()
                .map(mean -> new Ran(each.id, mean.getKey(), mean.getValue().toNanos() / 1_000)))
                .collect(Collectors.toCollection(ArrayList::new));
        asked.stream().filter(each -> looks(each.id, now)).forEach(each -> ran.add(new Ran(each.id, ANY_KEY, 0)));
        Map<Integer, Answer> answers = new LinkedHashMap<>();
        ParamsColumn params = new ParamsColumn();
        new Sql(connection, CLAIM).with(request.node().value()).with(now.toEpochMilli()).with(request.bytes())
                .longs(passedOver)
                .ints(IntStream.range(0, Priority.turns()).mapToObj(turn -> Priority.turn(turn).number()).toList())
                .ints(sources.keySet())
                .truths(asked.stream().map(each -> each.demand.queue().isFifo()).toList())
                .ints(asked.stream().map(each -> each.demand.limit()).toList())
                .ints(asked.stream().map(each -> each.demand.run()).toList())
                .longs(asked.stream().map(each -> turns.getOrDefault(each.id, 0L)).toList())
                .longs(asked.stream().map(each -> each.lanes).toList())
                .longs(asked.stream().flatMap(each -> each.jobs.stream()).toList())
                .longs(asked.stream().flatMap(each -> each.below.stream()).toList())
                .longs(asked.stream().map(each -> each.due).toList()).with(given.getAsLong())
                .ints(ran.stream().map(Ran::queue).toList()).texts(ran.stream().map(Ran::key).toList())
                .longs(ran.stream().map(Ran::micros).toList())
                .each(row -> {
                    Source source = Objects.requireNonNull(sources.get(row.getInt("queue")));
                    if (row.getLong("seq") == 0) {
                        answers.put(source.id, new Answer(source, Facts.of(row), new ArrayList<>()));
                    } else {
                        Objects.requireNonNull(answers.get(source.id)).rows.add(new Row(
                                JobColumns.claimed(row, ids, source.demand.queue(), params), row.getInt("priority")));
                    }
                });
        answers.values().forEach(Answer::sort);
        return answers.values();
    }

    /** Whether a claim looks for slots that other nodes have freed; it is the last look from now on. */
    private boolean looks(int queue, Instant now) {
        Instant last = looks.get(queue);
        boolean due = last != null && (now.isBefore(last) || !now.isBefore(last.plus(LOOK)));
        if (due) {
            looks.put(queue, now);
        }
        return due;
    }

    /** Moves the bounds of the scans. */
    private void record(Answer answer, Instant now) {
        Source source = answer.source;
        Facts facts = answer.facts;
        if (!facts.paused) {
            cursors.foundDue(source.id, source.due, answer.due(), now);
        }
        if (facts.holding) {
            looks.putIfAbsent(source.id, now);
        } else {
            looks.remove(source.id);
        }
        facts.ready.forEach(seq -> cursors.ready(source.id, seq));
        if (facts.turn != null) {
            cursors.passedLanes(source.id, source.lanes, facts.turn);
        }
        facts.idle.forEach(number -> cursors.foundNone(source.id, Priority.of(number), source.jobs.get(number - 1),
                facts.drawn, now));
        if (facts.given != null) {
            turns.put(source.id, facts.given);
            move(answer, now);
        }
    }

    /**
     * Moves the bound of each priority behind the last job that its scan has found; the rows are sorted. Jobs below the
     * bound were looked up. A claim that got less than it asked for has looked up all that can be claimed.
     */
    private void move(Answer answer, Instant now) {
        Source source = answer.source;
        List<Row> rows = answer.rows;
        Map<Integer, Long> last = new HashMap<>();
        for (Row row : rows) {
            if (!ClassNumber.hasKey(row.priority) && row.seq() >= source.jobs.get(row.priority - 1)) {
                last.put(row.priority, row.seq());
            }
        }
        last.forEach((priority, seq) -> cursors.took(source.id, Priority.of(priority), source.jobs.get(priority - 1),
                seq, now));
        cursors.looked(source.id, rows.stream().map(Row::seq).toList());
        if (rows.size() < source.demand.limit() && !answer.isLimited()) {
            cursors.looked(source.id, source.below);
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
