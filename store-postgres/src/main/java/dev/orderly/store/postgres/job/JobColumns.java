package dev.orderly.store.postgres.job;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobProgress;
import dev.orderly.job.Payload;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobSequence;
import dev.orderly.job.store.NewJob;
import dev.orderly.store.sql.ColumnCodecs;
import dev.orderly.store.sql.JobIds;
import dev.orderly.trace.TraceContext;
import dev.orderly.user.UserId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Codecs of jobs and their parts as columns. */
final class JobColumns {
    static final int WAITING = 0;
    static final int DELAYED = 1;
    static final int RUNNING = 2;
    static final int DEAD = 3;
    static final int HALTING = 4;
    /** In {@code ended}. */
    static final int DONE = 0;
    /** In {@code ended}. */
    static final int CANCELLED = 1;

    private JobColumns() {}

    /** A claimed job, from a row of the function {@code job_claim}. */
    static ClaimedJob claimed(ResultSet row, JobIds ids, QueueName queue) throws SQLException {
        long seq = row.getLong(1);
        return new ClaimedJob(new AttemptId(ids.of(seq), queue, row.getInt(2)), row.getInt(3), row.getInt(9),
                row.getString(4), seq,
                new Payload(row.getString(5), row.getBytes(6)), ColumnCodecs.params(row.getString(7)),
                UserId.ofStored(row.getString(8)), TraceContext.ofStored(row.getString(12)));
    }

    /** The moment at which a pushed job is due; 0 if it is due at once. */
    static long readyAt(NewJob job, Instant now) {
        Instant runAt = job.runAt();
        return runAt != null && ColumnCodecs.millis(runAt) > ColumnCodecs.millis(now) ? ColumnCodecs.millis(runAt) : 0;
    }

    /**
     * The moment of a claim; null if it is unknown.
     *
     * @param column zero for a job that was handed off with its push
     */
    static @Nullable Instant claimedAt(long seq, int attempt, long column) {
        return column != 0 ? Instant.ofEpochMilli(column) : attempt == 1 ? JobSequence.timeOf(seq) : null;
    }

    static UUID key(DedupeKey key) {
        return new UUID(key.high(), key.low());
    }

    static @Nullable String progress(@Nullable JobProgress progress) {
        String column = ColumnCodecs.progress(progress);
        return column == null ? null : text(column);
    }

    /** Replaces the character zero, which texts of handlers may have and PostgreSQL cannot store. */
    static String text(String any) {
        return any.replace('\0', '\uFFFD');
    }
}
