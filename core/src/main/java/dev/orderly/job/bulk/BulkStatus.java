package dev.orderly.job.bulk;

import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** How far an operation has come. */
public interface BulkStatus {
    /** The phase of an operation. */
    enum Phase {
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

    /** The id of the operation. */
    UUID id();

    /** What was asked for. */
    BulkRequest request();

    /** The phase of the operation. */
    Phase phase();

    /** Number of jobs that were found so far. */
    long looked();

    /** Number of jobs that were changed; the others had changed before their turn. */
    long changed();

    /** The count before the start. */
    BulkCount expected();

    /** The moment of the start. */
    Instant startedAt();

    /** Null while it runs. */
    @Nullable
    Instant endedAt();

    /** Why it failed; null otherwise. */
    @Nullable
    String failure();

    /** How far it came, in words. */
    String summary();
}
