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

/** A job as it was pushed. */
public interface PushedJob {
    /** The id of the job. */
    JobId id();

    /** Its queue. */
    QueueName queue();

    /** Null on a standard queue. */
    @Nullable
    String group();

    /** The payload as it is stored. */
    Payload payload();

    /** The params. */
    Map<String, String> params();

    /** The user that the job belongs to; null for none. */
    @Nullable
    UserId user();

    /** Its priority. */
    Priority priority();

    /** The moment from which the job is due; null for at once. */
    @Nullable
    Instant runAt();

    /** The moment at which the store accepted the push. */
    Instant pushedAt();

    /** The key of the dedupe id, or of the content; null if the push is never a duplicate. */
    @Nullable
    DedupeKey dedupe();

    /** The payload as text, as it is stored: a record is JSON. */
    String text();

    /**
     * The payload as a value of this type, read as JSON with Jackson's default settings.
     *
     * @throws tools.jackson.core.JacksonException if the payload cannot be read as this type: use {@link #text}
     */
    <T> T as(Class<T> type);
}
