package dev.orderly.testkit.harness;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.user.UserId;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A job as it was pushed.
 *
 * @param group null on a standard queue
 * @param runAt moment from which the job is due; null for at once
 * @param user the user that the job belongs to; null for none
 * @param pushedAt moment at which the store accepted the push
 * @param dedupe the key of the dedupe id, or of the content; null if the push is never a duplicate
 */
public record PushedJob(JobId id, QueueName queue, @Nullable String group, Payload payload, Map<String, String> params,
        @Nullable UserId user, Priority priority, @Nullable Instant runAt, Instant pushedAt,
        @Nullable DedupeKey dedupe) {
    public PushedJob {
        params = Map.copyOf(params);
    }

    /** The payload as text, as it is stored: a record is JSON. */
    public String text() {
        return payload.asText();
    }

    /**
     * The payload as a value of this type, read as JSON with Jackson's default settings.
     *
     * @throws tools.jackson.core.JacksonException if the payload cannot be read as this type: use {@link #text}
     */
    public <T> T as(Class<T> type) {
        return JsonMapper.shared().readValue(payload.bytes(), type);
    }
}
