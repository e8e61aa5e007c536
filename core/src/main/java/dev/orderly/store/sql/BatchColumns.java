package dev.orderly.store.sql;

import dev.orderly.job.BatchCounts;
import dev.orderly.job.BatchLink;
import dev.orderly.job.BatchName;
import dev.orderly.job.JobId;
import dev.orderly.job.JobTerms;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.WhenDead;
import dev.orderly.job.store.BatchSnapshot;
import dev.orderly.job.store.NewBatch;
import dev.orderly.job.store.NewJob;
import dev.orderly.store.copy.CopiedRecord;
import dev.orderly.trace.TraceContext;
import dev.orderly.user.UserId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Columns of table {@code batch}, the same in all SQL databases. */
public final class BatchColumns {
    /** The columns of a view. */
    public static final String VIEW = "id, name, when_dead, queue, owner, pushed, done, dead, cancelled,"
            + " opened_at, closed_at, cancelled_at, finished_at, callback";
    /** The columns that an opening writes, without the number. */
    public static final String OPENED = "name, when_dead, queue, grp, priority, owner, params, trace, content_type,"
            + " payload, opened_at";

    /** All columns but the counts. */
    private static final String KEPT = "id, closed_at, cancelled_at, finished_at, callback, " + OPENED;

    private BatchColumns() {}

    /** The number of the batch that counts a job; null for none. */
    public static @Nullable Long number(JobTerms terms) {
        BatchLink link = terms.batch();
        return link == null || link.callback() ? null : link.number();
    }

    /** The columns that {@link #copied} reads. */
    public static String selected(String pushed, String done, String dead, String cancelled) {
        return KEPT + ", " + pushed + " AS pushed, " + done + " AS done, " + dead + " AS dead, " + cancelled
                + " AS cancelled";
    }

    /** A batch for a copy. */
    public static CopiedRecord.Batch copied(ResultSet row, LongFunction<JobId> ids) throws SQLException {
        return new CopiedRecord.Batch(view(row, ids), opened(row));
    }

    /** Writes batches of a copy. */
    public static void write(Connection connection, String overriding, List<CopiedRecord> batches)
            throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO batch(" + KEPT
                + ", pushed, done, dead, cancelled)" + overriding
                + " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
            for (CopiedRecord each : batches) {
                CopiedRecord.Batch batch = (CopiedRecord.Batch) each;
                BatchSnapshot state = batch.state();
                insert.setLong(1, state.number());
                ColumnCodecs.moment(insert, 2, state.closedAt());
                ColumnCodecs.moment(insert, 3, state.cancelledAt());
                ColumnCodecs.moment(insert, 4, state.finishedAt());
                insert.setObject(5, state.callback() == null ? null : state.callback().sequence(), Types.BIGINT);
                bind(insert, 6, batch.opened(), state.openedAt());
                BatchCounts counts = state.counts();
                insert.setLong(17, counts.pushed());
                insert.setLong(18, counts.done());
                insert.setLong(19, counts.dead());
                insert.setLong(20, counts.cancelled());
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    /** The text of a rule for dead letters. */
    public static String rule(WhenDead whenDead) {
        return whenDead.name().toLowerCase(Locale.ROOT);
    }

    /**
     * The batch of a row with {@link #VIEW}.
     *
     * @param ids the job of a sequence number
     */
    public static BatchSnapshot view(ResultSet row, LongFunction<JobId> ids) throws SQLException {
        long callback = row.getLong("callback");
        return new BatchSnapshot(new BatchName(row.getString("name")), row.getLong("id"), rule(row),
                new QueueName(row.getString("queue")), UserId.ofStored(row.getString("owner")),
                new BatchCounts(row.getLong("pushed"), row.getLong("done"), row.getLong("dead"),
                        row.getLong("cancelled")),
                Objects.requireNonNull(ColumnCodecs.moment(row, "opened_at")),
                ColumnCodecs.moment(row, "closed_at"), ColumnCodecs.moment(row, "cancelled_at"),
                ColumnCodecs.moment(row, "finished_at"),
                callback == 0 ? null : ids.apply(callback));
    }

    /** The batch of a row with {@link #OPENED}, as it was opened. */
    public static NewBatch opened(ResultSet row) throws SQLException {
        String params = row.getString("params");
        NewJob callback = new NewJob(new QueueName(row.getString("queue")), row.getString("grp"),
                Priority.of(row.getInt("priority")), null,
                new Payload(row.getString("content_type"), row.getBytes("payload")), ColumnCodecs.params(params),
                UserId.ofStored(row.getString("owner")), null, null)
                .traced(TraceContext.ofStored(row.getString("trace"))).on(ColumnCodecs.terms(params), null);
        return new NewBatch(new BatchName(row.getString("name")), rule(row), callback);
    }

    private static WhenDead rule(ResultSet row) throws SQLException {
        return WhenDead.valueOf(row.getString("when_dead").toUpperCase(Locale.ROOT));
    }

    /** Binds {@link #OPENED}, from a parameter on. */
    public static void bind(PreparedStatement into, int first, NewBatch batch, Instant now) throws SQLException {
        List<@Nullable Object> values = values(batch, now);
        for (int n = 0; n < values.size(); n++) {
            into.setObject(first + n, values.get(n));
        }
    }

    /** The values of {@link #OPENED}. */
    public static List<@Nullable Object> values(NewBatch batch, Instant now) {
        NewJob callback = batch.callback();
        List<@Nullable Object> values = new ArrayList<>();
        Collections.addAll(values, batch.name().value(), rule(batch.whenDead()), callback.queue().value(),
                callback.group(), callback.priority().number(), UserId.column(callback.user()),
                ColumnCodecs.params(callback.params(), callback.terms()), TraceContext.column(callback.trace()),
                callback.payload().contentType(), callback.payload().bytes(), now.toEpochMilli());
        return values;
    }
}
