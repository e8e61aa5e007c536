package dev.orderly.store.postgres.job;

import dev.orderly.job.QueueName;
import dev.orderly.job.store.NewJob;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.postgres.sql.StateName;
import dev.orderly.store.sql.ClassNumber;
import dev.orderly.store.sql.ParamsColumn;
import dev.orderly.trace.TraceContext;
import dev.orderly.user.UserId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Pushed jobs as columns of {@code job}, and their numbers for {@code tally}. */
final class NewJobColumns {
    private final List<Integer> queues = new ArrayList<>();
    private final List<Long> readyAt = new ArrayList<>();
    private final List<Integer> states = new ArrayList<>();
    private final List<Integer> priorities = new ArrayList<>();
    private final List<@Nullable String> groups = new ArrayList<>();
    private final List<@Nullable String> keys = new ArrayList<>();
    private final List<@Nullable String> owners = new ArrayList<>();
    private final List<@Nullable String> params = new ArrayList<>();
    private final List<@Nullable String> traces = new ArrayList<>();
    private final List<String> types = new ArrayList<>();
    private final List<byte @Nullable []> payloads = new ArrayList<>();
    private final List<Integer> costs = new ArrayList<>();
    private final Map<Integer, TreeMap<Integer, Long>> counts = new TreeMap<>();

    /** A job with its columns that take computation, made before the transaction that stores it. */
    record Encoded(NewJob job, long readyAt, @Nullable String owner, @Nullable String params, @Nullable String trace) {
        static List<Encoded> of(List<NewJob> jobs, Instant now) {
            ParamsColumn params = new ParamsColumn();
            return jobs.stream().map(job -> new Encoded(job, JobColumns.readyAt(job, now), UserId.column(job.user()),
                    params.write(job.params(), job.terms()), TraceContext.column(job.trace()))).toList();
        }
    }

    /** @param numbers the numbers of the jobs' queues */
    NewJobColumns(Map<QueueName, Integer> numbers, List<Encoded> jobs) {
        this(numbers, jobs, Collections.nCopies(jobs.size(), 0));
    }

    /** @param nodes the node to which each job is handed off; 0 for none */
    NewJobColumns(Map<QueueName, Integer> numbers, List<Encoded> jobs, List<Integer> nodes) {
        for (Encoded each : jobs) {
            NewJob job = each.job;
            int queue = Objects.requireNonNull(numbers.get(job.queue()));
            int state = nodes.get(queues.size()) != 0
                    ? StateName.RUNNING.code()
                    : each.readyAt == 0 ? StateName.WAITING.code() : StateName.DELAYED.code();
            queues.add(queue);
            readyAt.add(each.readyAt);
            states.add(state);
            priorities.add(ClassNumber.of(job.priority(), job.terms().key()));
            keys.add(job.terms().key());
            groups.add(job.group());
            owners.add(each.owner);
            params.add(each.params);
            traces.add(each.trace);
            types.add(job.payload().contentType());
            payloads.add(job.payload().bytes());
            costs.add(job.terms().cost());
            counts.computeIfAbsent(queue, _ -> new TreeMap<>()).merge(state, 1L, Long::sum);
        }
    }

    /** Adds queue, ready_at, state, priority, the group if wanted, owner, params, trace, content_type and payload. */
    Sql addTo(Sql sql, boolean withGroups) {
        sql.ints(queues).longs(readyAt).ints(states).ints(priorities);
        if (withGroups) {
            sql.texts(groups);
        }
        return sql.texts(owners).texts(params).texts(traces).texts(types).bytes(payloads);
    }

    /** As {@link #addTo}, with the keys in place of the groups, and then the costs. */
    Sql addKeyedTo(Sql sql) {
        return sql.ints(queues).longs(readyAt).ints(states).ints(priorities).texts(keys).texts(owners).texts(params)
                .texts(traces).texts(types).bytes(payloads).ints(costs);
    }

    /** Adds queue, state and number of the jobs in it. */
    Sql addCounts(Sql sql) {
        List<Integer> queue = new ArrayList<>();
        List<Integer> state = new ArrayList<>();
        List<Long> number = new ArrayList<>();
        counts.forEach((of, states) -> states.forEach((in, jobs) -> {
            queue.add(of);
            state.add(in);
            number.add(jobs);
        }));
        return sql.ints(queue).ints(state).longs(number);
    }
}
