package dev.orderly.store.postgres.job;

import dev.orderly.job.BatchCounts;
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

    /** A batch that a round looks at. */
    private record Seen(BatchView batch, NewBatch opened, boolean tallied, boolean over) {}

    @Override
    public Finished finish(Instant now) {
        List<Seen> unfinished = transactions.run(connection -> new Sql(connection, "SELECT " + BatchColumns.VIEW
                + CALLBACK + ", " + TALLIED + " AS tallied, " + OVER
                + " AS over FROM batch WHERE finished_at IS NULL ORDER BY id").list(
                        row -> new Seen(
                                BatchColumns.view(row, ids::of), BatchColumns.opened(row), row.getBoolean("tallied"),
                                row.getBoolean("over"))));
        Set<Long> held = heldCallbacks(unfinished.stream().filter(Seen::over).toList());
        List<QueueName> callbacks = new ArrayList<>();
        List<BatchView> left = new ArrayList<>();
        for (Seen seen : unfinished) {
            boolean over = seen.over && !held.contains(seen.batch.number());
            if ((seen.tallied || over) && finish(seen, over, now)) {
                callbacks.add(seen.batch.queue());
            } else {
                left.add(seen.batch);
            }
        }
        int open = (int) left.stream().filter(batch -> batch.closedAt() == null).count();
        return new Finished(callbacks, left.stream().filter(batch -> batch.cancelledAt() != null).toList(), open,
                left.size() - open);
    }

    /**
     * The batches whose callbacks go into groups that other transactions hold now. A later round pushes these
     * callbacks: a wait for each of many held groups would hold up the callbacks of all other batches.
     */
    private Set<Long> heldCallbacks(List<Seen> over) {
        List<NewJob> grouped = over.stream().map(seen -> seen.opened.callback()).filter(job -> job.group() != null)
                .toList();
        if (grouped.isEmpty()) {
            return Set.of();
        }
        return transactions.run(connection -> {
            Map<QueueName, Integer> queues = push.queues(connection, grouped);
            Set<Lane> held = BlockedJobs.lanes(connection, grouped.stream().map(job -> lane(queues, job)).toList());
            return over.stream().filter(seen -> seen.opened.callback().group() != null
                    && held.contains(lane(queues, seen.opened.callback()))).map(seen -> seen.batch.number())
                    .collect(Collectors.toSet());
        });
    }

    private static Lane lane(Map<QueueName, Integer> queues, NewJob job) {
        return new Lane(Objects.requireNonNull(queues.get(job.queue())), Objects.requireNonNull(job.group()));
    }

    /**
     * Folds the counts of a batch, and finishes it if it is over; returns whether it did.
     *
     * @param mayEnd whether its callback may be pushed now
     */
    private boolean finish(Seen seen, boolean mayEnd, Instant now) {
        NewJob callback = seen.opened.callbackOf(seen.batch);
        PostgresPushes.PushCall pushed = new PostgresPushes.PushCall(List.of(callback), now);
        return transactions.run(connection -> {
            Map<QueueName, Integer> queues = mayEnd ? push.queues(connection, List.of(callback)) : Map.of();
            boolean over = fold(connection, seen.batch.number()) && mayEnd;
            if (over) {
                JobId id = push.write(connection, queues, pushed).getFirst().id();
                new Sql(connection, "UPDATE batch SET finished_at = ?, callback = ? WHERE id = ?")
                        .with(now.toEpochMilli()).with(id.sequence()).with(seen.batch.number()).update();
            }
            return over;
        }, _ -> false);
    }

    /**
     * Adds the tally of a batch to its counts, and locks its row. Returns whether the batch is over: on the snapshot of
     * the tally, so that the end of each member is counted. Members that a node of version 0.1.0 ended, which writes no
     * tally, count as done then. A batch that another node has locked, or has finished, is not over.
     */
    private static boolean fold(Connection connection, long number) throws SQLException {
        Boolean open = new Sql(connection,
                "SELECT finished_at IS NULL FROM batch WHERE id = ? FOR NO KEY UPDATE SKIP LOCKED").with(number)
                .first(row -> row.getBoolean(1));
        if (open == null || !open) {
            return false;
        }
        record Tally(BatchCounts counts, boolean over) {}
        Tally tally = new Sql(connection, """
                WITH gone AS (DELETE FROM batch_tally WHERE batch = ? RETURNING pushed, done, dead, cancelled)
                SELECT coalesce(sum(gone.pushed), 0)::bigint AS pushed, coalesce(sum(gone.done), 0)::bigint AS done,
                  coalesce(sum(gone.dead), 0)::bigint AS dead, coalesce(sum(gone.cancelled), 0)::bigint AS cancelled,
                  (SELECT\s""" + OVER + " FROM batch WHERE id = ?) AS over FROM gone").with(number).with(number)
                .list(row -> new Tally(new BatchCounts(row.getLong("pushed"), row.getLong("done"), row.getLong("dead"),
                        row.getLong("cancelled")), row.getBoolean("over")))
                .getFirst();
        new Sql(connection, """
                UPDATE batch SET pushed = sum.pushed, dead = sum.dead, cancelled = sum.cancelled,
                  done = CASE WHEN ? THEN sum.pushed - sum.dead - sum.cancelled ELSE sum.done END
                FROM (SELECT pushed + ? AS pushed, done + ? AS done, dead + ? AS dead, cancelled + ? AS cancelled
                  FROM batch WHERE id = ?) AS sum WHERE id = ?""").with(tally.over).with(tally.counts.pushed())
                .with(tally.counts.done()).with(tally.counts.dead()).with(tally.counts.cancelled()).with(number)
                .with(number).update();
        return tally.over;
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
