package dev.orderly.store.postgres;

import dev.orderly.job.Attempt;
import dev.orderly.job.ClaimedJob;
import dev.orderly.job.DedupeKey;
import dev.orderly.job.Payload;
import dev.orderly.job.Progress;
import dev.orderly.job.QueueName;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** How values of the domain stand in columns. */
final class Columns {
    static final int WAITING = 0;
    static final int DELAYED = 1;
    static final int RUNNING = 2;
    static final int DEAD = 3;
    static final int HALTING = 4;
    /** In {@code ended}. */
    static final int DONE = 0;
    /** In {@code ended}. */
    static final int CANCELLED = 1;

    /** What {@link #claimed} reads. */
    static final String CLAIMED = "job.seq, job.attempt, job.failures, job.grp, job.content_type, job.payload,"
            + " job.params, job.owner, job.crashes";

    private static final int PROGRESS_PARTS = 3;

    private Columns() {}

    static ClaimedJob claimed(ResultSet row, JobIds ids, QueueName queue) throws SQLException {
        long seq = row.getLong(1);
        return new ClaimedJob(new Attempt(ids.of(seq), queue, row.getInt(2)), row.getInt(3), row.getInt(9),
                row.getString(4), seq,
                new Payload(row.getString(5), row.getBytes(6)), params(row.getString(7)), row.getString(8));
    }

    static @Nullable String params(Map<String, String> params) {
        return params.isEmpty() ? null : Json.MAPPER.writeValueAsString(params);
    }

    static Map<String, String> params(@Nullable String column) {
        return column == null ? Map.of() : Json.MAPPER.readValue(column, Json.PARAMS);
    }

    static UUID key(DedupeKey key) {
        return new UUID(key.high(), key.low());
    }

    static @Nullable String progress(@Nullable Progress progress) {
        return progress == null ? null : progress.done() + " " + progress.total() + " " + text(progress.text());
    }

    static @Nullable Progress progress(@Nullable String column) {
        if (column == null) {
            return null;
        }
        String[] parts = column.split(" ", PROGRESS_PARTS);
        return new Progress(Long.parseLong(parts[0]), Long.parseLong(parts[1]), parts[2]);
    }

    /** Texts of handlers may hold what PostgreSQL cannot: the character zero. */
    static String text(String any) {
        return any.replace('\0', '\uFFFD');
    }

    /** Milliseconds, rounded up: what is due at a moment is not due before it. */
    static long millis(Instant moment) {
        long millis = moment.toEpochMilli();
        return Instant.ofEpochMilli(millis).isBefore(moment) ? millis + 1 : millis;
    }

    /** Null where a column of milliseconds is. */
    static @Nullable Instant moment(ResultSet row, int column) throws SQLException {
        long millis = row.getLong(column);
        return row.wasNull() ? null : Instant.ofEpochMilli(millis);
    }

    /** Apart, so that the mapper is made when the first job with params comes, not in front of the first job. */
    private static final class Json {
        static final JsonMapper MAPPER = JsonMapper.shared();
        static final TypeReference<Map<String, String>> PARAMS = new TypeReference<>() {
        };
    }
}
