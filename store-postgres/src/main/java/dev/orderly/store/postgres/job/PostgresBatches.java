package dev.orderly.store.postgres.job;

import dev.orderly.job.BatchName;
import dev.orderly.job.BatchView;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.BatchStore;
import dev.orderly.job.store.NewBatch;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.transaction.CallersTransaction;
import dev.orderly.store.StoreException;
import dev.orderly.store.postgres.sql.LockPatience;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.postgres.sql.Transactions;
import dev.orderly.store.sql.BatchColumns;
import dev.orderly.store.sql.DatabaseJobIds;
import dev.orderly.time.Time;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The port of batches. A push of members holds the row of their batch until it commits ({@link BatchAdmission}), and a
 * close takes it {@code FOR UPDATE}: what a close leaves open is committed. Whoever pushes or ends members adds rows to
 * {@code batch_tally}, in its own transaction and without a wait; {@link #finish} folds them.
 *
 * <p>Whether members are left is read from the jobs themselves, and not from the counts.
 */
public final class PostgresBatches implements BatchStore {
    /** A batch takes no further member, and no member of it is left. */
    private static final String OVER = """
            closed_at IS NOT NULL AND NOT EXISTS (SELECT FROM job WHERE job.batch = batch.id AND job.batch IS NOT NULL
              AND job.state <= CASE WHEN batch.when_dead = 'wait' AND batch.cancelled_at IS NULL THEN HALTING
                ELSE RUNNING END)""";
    private static final String TALLIED = "EXISTS (SELECT FROM batch_tally WHERE batch_tally.batch = batch.id)";

    /** The columns that make the callback. */
    private static final String CALLBACK = ", grp, priority, owner, params, trace, content_type, payload";
    /** Bound on the callbacks of a transaction, and so on their payloads in memory. */
    private static final int AT_ONCE = 100;
    /** Unfinished batches; those that are over, the first behind a number, have what makes their callback. */
    private static final String UNFINISHED = "SELECT " + BatchColumns.VIEW + CALLBACK.replace("payload",
            "CASE WHEN ends THEN payload END AS payload") + ", tallied, ends FROM (SELECT seen.*, seen.later AND"
            + " count(*) FILTER (WHERE seen.later) OVER (ORDER BY seen.id ROWS UNBOUNDED PRECEDING) <= " + AT_ONCE
            + " AS ends FROM (SELECT batch.*, " + TALLIED + " AS tallied, batch.id > ? AND " + OVER
            + " AS later FROM batch WHERE finished_at IS NULL) AS seen) AS ended ORDER BY id";
    private static final String FOLD = """
            WITH gone AS (DELETE FROM batch_tally WHERE batch = ANY(?) RETURNING batch, pushed, done, dead, cancelled),
            added AS (SELECT batch, sum(pushed)::bigint AS pushed, sum(done)::bigint AS done, sum(dead)::bigint AS dead,
              sum(cancelled)::bigint AS cancelled FROM gone GROUP BY batch),
            seen AS MATERIALIZED (
              SELECT batch.id, OVER_NOW AS over, batch.pushed + coalesce(added.pushed, 0) AS pushed,
                batch.done + coalesce(added.done, 0) AS done, batch.dead + coalesce(added.dead, 0) AS dead,
                batch.cancelled + coalesce(added.cancelled, 0) AS cancelled
              FROM batch LEFT JOIN added ON added.batch = batch.id WHERE batch.id = ANY(?))
            UPDATE batch SET pushed = seen.pushed, dead = seen.dead, cancelled = seen.cancelled,
              done = CASE WHEN seen.over THEN seen.pushed - seen.dead - seen.cancelled ELSE seen.done END
            FROM seen WHERE batch.id = seen.id RETURNING batch.id, seen.over""".replace("OVER_NOW", OVER);

    /** Looks of a round at batches that other rounds hold, and the pause between two. */
    private static final int TRIES = 5;
    private static final Duration AGAIN = Duration.ofMillis(20);

    /** The longest wait for an open transaction. */
    private static final Duration WAIT = Duration.ofSeconds(5);
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final Time time = Time.system();
    private final Transactions transactions;
    private final DatabaseJobIds ids;
    private final PostgresPushes push;
    private final ViewRows rows;
    private final Callers callers;

    /** The transactions of callers. */
    public interface Callers {
        /** Runs statements in a transaction of the caller. */
        <T> T run(CallersTransaction transaction, String to, Transactions.Work<T> work);
    }

    PostgresBatches(Transactions transactions, DatabaseJobIds ids, PostgresPushes push, Callers callers) {
        this.transactions = transactions;
        this.ids = ids;
        this.push = push;
        this.callers = callers;
        rows = new ViewRows(ids);
    }

    /**
     * Tries again and again for what an open transaction may hold, and occupies no connection between two tries.
     *
     * @param refusal says what was not done, and what to do
     */
    private <T> T patiently(Transactions.Work<T> work, Supplier<String> refusal) {
        long deadline = time.deadline(WAIT);
        while (true) {
            Optional<T> done = transactions.run(connection -> Optional.of(work.on(connection)), _ -> Optional.empty());
            if (done.isPresent()) {
                return done.get();
            }
            if (time.reached(deadline) || Thread.currentThread().isInterrupted()) {
                throw new StoreException.Unavailable(refusal.get(), null);
            }
            time.park(time.deadline(PAUSE));
        }
    }

    @Override
    public Opening open(NewBatch batch, Instant now) {
        return patiently(connection -> open(connection, batch, now, LockPatience.BRIEF), () -> "Batch " + batch.name()
                + " is not opened: an open transaction opens it; let it end sooner, and open the batch again");
    }

    private Opening open(Connection connection, NewBatch batch, Instant now, LockPatience patience)
            throws SQLException {
        new Sql(connection, "SELECT FROM " + LockPatience.SET).with(patience.millis()).list(_ -> true);
        List<@Nullable Object> values = BatchColumns.values(batch, now);
        Sql insert = new Sql(connection, "INSERT INTO batch(" + BatchColumns.OPENED + ") VALUES("
                + String.join(", ", Collections.nCopies(values.size(), "?")) + ") ON CONFLICT DO NOTHING");
        values.forEach(insert::with);
        insert.update();
        Opening opening = new Sql(connection, counted(CALLBACK) + "name = ?").with(batch.name().value())
                .first(row -> opening(row, batch));
        if (opening == null) {
            throw new Transactions.OvertakenException("The batch of this name is no more");
        }
        return opening;
    }

    private Opening opening(ResultSet row, NewBatch asked) throws SQLException {
        BatchView kept = BatchColumns.view(row, ids::of);
        return new Opening(kept, kept.closedAt() == null && BatchColumns.opened(row).repeats(asked));
    }

    @Override
    public Optional<BatchView> find(BatchName name) {
        return transactions.run(connection -> views(connection, "name = ?", name.value())).stream().findFirst();
    }

    @Override
    public Optional<BatchView> find(long number) {
        return transactions.run(connection -> views(connection, "id = ?", number)).stream().findFirst();
    }

    @Override
    public List<BatchView> list(long below, int limit) {
        return transactions.run(connection -> views(connection, "id < ? ORDER BY id DESC LIMIT ?", below, limit));
    }

    private List<BatchView> views(Connection connection, String where, Object... values) throws SQLException {
        Sql query = new Sql(connection, counted("") + where);
        for (Object value : values) {
            query.with(value);
        }
        return query.list(row -> BatchColumns.view(row, ids::of));
    }

    /**
     * The selection of batches with what is not folded yet, up to the condition.
     *
     * @param more further columns
     */
    private static String counted(String more) {
        return "SELECT " + BatchColumns.VIEW.replace("pushed, done, dead, cancelled,", """
                pushed + coalesce(more.p, 0) AS pushed, done + coalesce(more.d, 0) AS done,
                dead + coalesce(more.x, 0) AS dead, cancelled + coalesce(more.c, 0) AS cancelled,""") + more + """
                 FROM batch LEFT JOIN LATERAL (SELECT sum(t.pushed)::bigint AS p, sum(t.done)::bigint AS d,
                  sum(t.dead)::bigint AS x, sum(t.cancelled)::bigint AS c FROM batch_tally AS t
                WHERE t.batch = batch.id AND batch.finished_at IS NULL) AS more ON true WHERE\s""";
    }

    @Override
    public List<JobView> members(long number, JobState state, @Nullable JobId after, int limit) {
        List<Integer> states = switch (state) {
            case WAITING -> List.of(0);
            case DELAYED -> List.of(1);
            case RUNNING -> List.of(2);
            case DEAD -> List.of(3, 4);
            case DONE, CANCELLED -> throw new IllegalArgumentException("Members that are " + state
                    + " are not listed by their batch: ask for another state");
        };
        return transactions.onSnapshot(connection -> {
            List<JobId> page = new Sql(connection, """
                    SELECT page.seq FROM unnest(?) AS wanted(state) CROSS JOIN LATERAL (
                      SELECT seq FROM job WHERE job.batch = ? AND job.batch IS NOT NULL AND job.state = wanted.state
                        AND job.seq + 0 > ? ORDER BY job.seq + 0 LIMIT ?) AS page ORDER BY page.seq LIMIT ?""")
                    .ints(states).with(number).with(after == null ? 0 : after.sequence()).with(limit)
                    .with(limit).list(row -> ids.of(row.getLong(1)));
            return rows.findAll(connection, page);
        });
    }

    @Override
    public Optional<BatchView> close(long number, Instant now) {
        return patiently(number, connection -> close(connection, number, now, false, LockPatience.BRIEF));
    }

    @Override
    public Optional<BatchView> cancel(long number, Instant now) {
        return patiently(number, connection -> close(connection, number, now, true, LockPatience.BRIEF));
    }

    private Optional<BatchView> patiently(long number, Transactions.Work<Optional<BatchView>> close) {
        return patiently(close, () -> "Batch " + find(number).map(batch -> batch.name().value()).orElse("" + number)
                + " is not closed: an open transaction pushes members into it; let it end sooner, then close again");
    }

    private Optional<BatchView> close(Connection connection, long number, Instant now, boolean cancel,
            LockPatience patience) throws SQLException {
        new Sql(connection, "SELECT id FROM " + LockPatience.SET + "CROSS JOIN batch WHERE id = ? FOR UPDATE OF batch")
                .with(patience.millis()).with(number).list(row -> row.getLong(1));
        long millis = now.toEpochMilli();
        new Sql(connection, "UPDATE batch SET closed_at = coalesce(closed_at, ?), cancelled_at = CASE WHEN ?"
                + " THEN coalesce(cancelled_at, ?) ELSE cancelled_at END WHERE id = ? AND finished_at IS NULL")
                .with(millis).with(cancel).with(millis).with(number).update();
        return views(connection, "id = ?", number).stream().findFirst();
    }

    /**
     * A batch that a round looks at.
     *
     * @param end the batch as it was opened, if it is over and has its callback in this round; else null
     */
    private record Seen(BatchView batch, boolean tallied, @Nullable NewBatch end) {
        NewJob callback() {
            return Objects.requireNonNull(end).callbackOf(batch);
        }
    }

    @Override
    public Finished finish(Instant now) {
        List<QueueName> callbacks = new ArrayList<>();
        long after = 0;
        int tries = 0;
        while (true) {
            List<Seen> unfinished = unfinished(after);
            Ended ended = finish(unfinished, now);
            List<BatchView> left = new ArrayList<>();
            for (Seen seen : unfinished) {
                if (ended.finished.contains(seen.batch.number())) {
                    callbacks.add(seen.batch.queue());
                } else {
                    left.add(seen.batch);
                }
            }
            List<Seen> ends = unfinished.stream().filter(seen -> seen.end != null).toList();
            if (ends.size() == AT_ONCE) {
                after = ends.getLast().batch.number();
            } else if (ended.missed && ++tries < TRIES) {
                time.park(time.deadline(AGAIN));
                after = 0;
            } else {
                int open = (int) left.stream().filter(batch -> batch.closedAt() == null).count();
                return new Finished(callbacks, left.stream().filter(batch -> batch.cancelledAt() != null).toList(),
                        open, left.size() - open);
            }
        }
    }

    private List<Seen> unfinished(long after) {
        return transactions.runAlone(connection -> new Sql(connection, UNFINISHED).with(after).list(row -> {
            BatchView batch = BatchColumns.view(row, ids::of);
            return new Seen(batch, row.getBoolean("tallied"),
                    row.getBoolean("ends") ? BatchColumns.opened(row) : null);
        }));
    }

    /**
     * What a round has ended.
     *
     * @param finished the numbers of the finished batches
     * @param missed whether a batch was closed between the look at it and its lock, or another round had locked it:
     *     that may have kept the other one from finishing it
     */
    private record Ended(Set<Long> finished, boolean missed) {
        static final Ended NOTHING = new Ended(Set.of(), false);

        Ended and(Ended other) {
            Set<Long> all = new HashSet<>(finished);
            all.addAll(other.finished);
            return new Ended(all, missed || other.missed);
        }
    }

    /** Counts what has ended, and finishes what is over. */
    private Ended finish(List<Seen> unfinished, Instant now) {
        Set<Long> held = heldCallbacks(unfinished.stream().filter(seen -> seen.end != null).toList());
        List<Seen> due = unfinished.stream().filter(seen -> !held.contains(seen.batch.number())
                && (seen.tallied || seen.end != null)).toList();
        if (due.isEmpty()) {
            return Ended.NOTHING;
        }
        return finishTogether(due, now).orElseGet(() -> due.stream()
                .map(seen -> finishTogether(List.of(seen), now).orElse(Ended.NOTHING))
                .reduce(Ended.NOTHING, Ended::and));
    }

    /**
     * The batches whose callbacks go into groups that other transactions hold now. A later round pushes these
     * callbacks: a wait for each of many held groups would hold up the callbacks of all other batches.
     */
    private Set<Long> heldCallbacks(List<Seen> ending) {
        List<Seen> grouped = ending.stream().filter(seen -> seen.callback().group() != null).toList();
        if (grouped.isEmpty()) {
            return Set.of();
        }
        return transactions.run(connection -> {
            Map<QueueName, Integer> queues = push.queues(connection, grouped.stream().map(Seen::callback).toList());
            Set<Lane> held = BlockedJobs.lanes(connection,
                    grouped.stream().map(seen -> lane(queues, seen.callback())).toList());
            return grouped.stream().filter(seen -> held.contains(lane(queues, seen.callback())))
                    .map(seen -> seen.batch.number()).collect(Collectors.toSet());
        });
    }

    private static Lane lane(Map<QueueName, Integer> queues, NewJob job) {
        return new Lane(Objects.requireNonNull(queues.get(job.queue())), Objects.requireNonNull(job.group()));
    }

    /**
     * Folds the counts of batches and finishes those that are over, in one transaction. Empty if another transaction
     * held one of the callbacks up.
     */
    private Optional<Ended> finishTogether(List<Seen> due, Instant now) {
        List<Seen> ends = due.stream().filter(seen -> seen.end != null).toList();
        // Encoded here, so that no lock is held meanwhile; anew only if one of them is not over any more.
        PostgresPushes.PushCall all = new PostgresPushes.PushCall(ends.stream().map(Seen::callback).toList(), now);
        return transactions.run(connection -> {
            Map<QueueName, Integer> queues = push.queues(connection, all.jobs);
            Set<Long> over = fold(connection, due.stream().map(seen -> seen.batch.number()).toList());
            List<Seen> ending = ends.stream().filter(seen -> over.contains(seen.batch.number())).toList();
            List<Long> numbers = ending.stream().map(seen -> seen.batch.number()).toList();
            if (!ending.isEmpty()) {
                PostgresPushes.PushCall pushed = ending.size() == ends.size()
                        ? all
                        : new PostgresPushes.PushCall(ending.stream().map(Seen::callback).toList(), now);
                List<Long> callbacks = push.write(connection, queues, pushed).stream()
                        .map(result -> result.id().sequence()).toList();
                new Sql(connection, "UPDATE batch SET finished_at = ?, callback = done.callback"
                        + " FROM unnest(?, ?) AS done(id, callback) WHERE batch.id = done.id")
                        .with(now.toEpochMilli()).longs(numbers).longs(callbacks).update();
            }
            return Optional.of(new Ended(Set.copyOf(numbers), over.size() > numbers.size()
                    || numbers.size() < ends.size()));
        }, _ -> Optional.empty());
    }

    /**
     * Adds the tallies of batches to their counts, and locks their rows. Returns those that are over: on the snapshot
     * of the tally, so that the end of each member is counted. Members that a node of version 0.1.0 ended, which writes
     * no tally, count as done then. A batch that another node has locked, or has finished, is not over.
     */
    private static Set<Long> fold(Connection connection, List<Long> numbers) throws SQLException {
        List<Long> locked = new Sql(connection, "SELECT id FROM batch WHERE id = ANY(?) AND finished_at IS NULL"
                + " ORDER BY id FOR NO KEY UPDATE SKIP LOCKED").longs(numbers).list(row -> row.getLong(1));
        Set<Long> over = new HashSet<>();
        if (!locked.isEmpty()) {
            new Sql(connection, FOLD).longs(locked).longs(locked).each(row -> {
                if (row.getBoolean("over")) {
                    over.add(row.getLong("id"));
                }
            });
        }
        return over;
    }

    /**
     * Deletes finished batches whose callback is kept no more, and tallies of finished batches.
     */
    static void prune(Connection connection) throws SQLException {
        new Sql(connection, """
                DELETE FROM batch WHERE callback IS NOT NULL
                  AND NOT EXISTS (SELECT FROM job WHERE job.seq = batch.callback)
                  AND NOT EXISTS (SELECT FROM ended WHERE ended.seq = batch.callback)""").update();
        new Sql(connection, """
                DELETE FROM batch_tally WHERE NOT EXISTS (
                  SELECT FROM batch WHERE batch.id = batch_tally.batch AND batch.finished_at IS NULL)""").update();
    }

    @Override
    public BatchStore in(CallersTransaction transaction) {
        return new InTransaction(transaction);
    }

    /** Changes in a transaction of the caller; the callback comes after its commit. */
    private final class InTransaction implements BatchStore {
        private final CallersTransaction transaction;

        InTransaction(CallersTransaction transaction) {
            this.transaction = transaction;
        }

        @Override
        public Opening open(NewBatch batch, Instant now) {
            return callers.run(transaction, "open a batch",
                    connection -> PostgresBatches.this.open(connection, batch, now, LockPatience.FULL));
        }

        @Override
        public Optional<BatchView> close(long number, Instant now) {
            return callers.run(transaction, "close a batch",
                    connection -> PostgresBatches.this.close(connection, number, now, false, LockPatience.FULL));
        }

        @Override
        public Optional<BatchView> cancel(long number, Instant now) {
            return callers.run(transaction, "cancel a batch",
                    connection -> PostgresBatches.this.close(connection, number, now, true, LockPatience.FULL));
        }

        @Override
        public Optional<BatchView> find(BatchName name) {
            return callers.run(transaction, "look at a batch",
                    connection -> views(connection, "name = ?", name.value()).stream().findFirst());
        }

        @Override
        public Optional<BatchView> find(long number) {
            return callers.run(transaction, "look at a batch",
                    connection -> views(connection, "id = ?", number).stream().findFirst());
        }

        @Override
        public List<BatchView> list(long below, int limit) {
            return PostgresBatches.this.list(below, limit);
        }

        @Override
        public List<JobView> members(long number, JobState state, @Nullable JobId after, int limit) {
            return PostgresBatches.this.members(number, state, after, limit);
        }

        @Override
        public Finished finish(Instant now) {
            return PostgresBatches.this.finish(now);
        }
    }
}
