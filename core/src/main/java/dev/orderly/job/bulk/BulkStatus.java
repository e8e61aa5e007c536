package dev.orderly.job.bulk;

import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How far an operation has come.
 *
 * @param looked number of jobs that were found so far
 * @param changed number of jobs that were changed; the others had changed before their turn
 * @param expected the count before the start
 * @param endedAt null while it runs
 * @param failure why it failed; null otherwise
 */
public record BulkStatus(UUID id, BulkRequest request, Phase phase, long looked, long changed, BulkCount expected,
        Instant startedAt, @Nullable Instant endedAt, @Nullable String failure) {
    /** The phase of an operation. */
    public enum Phase {
        RUNNING,
        /** All jobs of the selection had their turn. */
        DONE,
        /** Stopped by an operator, or since the node stopped. */
        STOPPED,
        /** The store did not answer for long. */
        FAILED;

        /** The name in lower case, as in JSON. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** How far it came, in words. */
    public String summary() {
        String did = (request.action() == BulkRequest.Action.REDRIVE ? "redriven " : "cancelled ") + changed + " of "
                + looked + " found";
        return phase.text() + ", " + did + (failure == null ? "" : ": " + failure);
    }
}
