package dev.orderly.store.postgres.job;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobProgress;
import dev.orderly.job.JobState;
import dev.orderly.job.Payload;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobSequence;
import dev.orderly.job.store.NewJob;
import dev.orderly.store.postgres.sql.StateName;
import dev.orderly.store.sql.ColumnCodecs;
import dev.orderly.store.sql.DatabaseJobIds;
import dev.orderly.store.sql.ParamsColumn;
import dev.orderly.trace.TraceContext;
import dev.orderly.user.UserId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Codecs of jobs and their parts as columns. */
final class JobColumns {
    private JobColumns() {}

    /** The state of a job in {@code job}. */
    static JobState live(int state) {
        return switch (StateName.live(state)) {
            case WAITING -> JobState.WAITING;
            case DELAYED -> JobState.DELAYED;
            case RUNNING -> JobState.RUNNING;
            default -> JobState.DEAD;
        };
    }

    /** A claimed job, from a row of the function {@code job_claim}. */
    static ClaimedJob claimed(ResultSet row, DatabaseJobIds ids, QueueName queue, ParamsColumn params)
            throws SQLException {
        long seq = row.getLong("seq");
        ParamsColumn.Value said = params.read(row.getString("params"));
        return new ClaimedJob(new AttemptId(ids.of(seq), queue, row.getInt("attempt")), row.getInt("failures"),
                row.getInt("crashes"), row.getString("grp"), seq,
                new Payload(row.getString("content_type"), row.getBytes("payload")),
                said.params(), UserId.ofStored(row.getString("owner")),
                TraceContext.ofStored(row.getString("trace")), said.terms());
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
