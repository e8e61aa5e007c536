package dev.orderly.job.bulk;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The progress at one moment. */
record BulkSnapshot(UUID id, BulkRequest request, Phase phase, long looked, long changed, BulkCount expected,
        Instant startedAt, @Nullable Instant endedAt, @Nullable String failure) implements BulkStatus {
    @Override
    public String summary() {
        String did = (request.action() == BulkRequest.Action.REDRIVE ? "redriven " : "cancelled ") + changed + " of "
                + looked + " found";
        return phase.text() + ", " + did + (failure == null ? "" : ": " + failure);
    }
}
