package dev.orderly.http.webhook;

import dev.orderly.http.intake.MediaType;
import dev.orderly.job.Payload;
import org.jspecify.annotations.Nullable;

/** The result of a worker, kept with the job as it was sent. */
public final class WorkerResult {
    private WorkerResult() {}

    /**
     * The body of an answer or of a report as a result; null if it is empty.
     *
     * @param contentType as sent; a missing or malformed one becomes {@code application/octet-stream}
     */
    public static @Nullable Payload of(@Nullable String contentType, byte[] body) {
        return body.length == 0 ? null : new Payload(valid(contentType), body);
    }

    private static String valid(@Nullable String contentType) {
        if (contentType == null) {
            return Payload.BYTES;
        }
        try {
            return MediaType.parse(contentType.strip()).text();
        } catch (IllegalArgumentException _) {
            return Payload.BYTES;
        }
    }
}
