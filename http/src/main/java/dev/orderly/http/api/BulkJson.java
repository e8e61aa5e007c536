package dev.orderly.http.api;

import dev.orderly.http.openapi.Doc;
import dev.orderly.http.openapi.OmitNull;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.bulk.BulkRequest;
import dev.orderly.job.bulk.BulkStatus;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A bulk operation. */
@Doc(name = "BulkOperation")
record BulkJson(UUID id, BulkRequest.Action action, String selection, BulkStatus.Phase phase,
        @Doc("Jobs found so far.") long looked,
        @Doc("Jobs changed; the others had changed before their turn.") long changed,
        @Doc("The count before the start.") long expected, boolean atLeast, Instant startedAt,
        @Nullable Instant endedAt, @Nullable String failure) {
    /** The operations of a node. */
    @Doc(name = "BulkOperations")
    record All(List<BulkJson> operations) {}

    /** The jobs that an operation would change. */
    @Doc(name = "BulkCount")
    record Counted(BulkRequest.Action action, String selection, long jobs,
            @Doc("Whether there may be more.") boolean atLeast) {}

    /** The jobs of an operation: named, or found by the conditions of a search. */
    @Doc(name = "BulkRequest")
    record Asked(BulkRequest.Action action,
            @Doc(value = "The jobs, instead of conditions of a search.",
                    facets = "minItems: 1, maxItems: 10000") @OmitNull @Nullable List<JobId> ids,
            @Doc("Jobs of this queue.") @OmitNull @Nullable String queue,
            @Doc("Jobs in this state.") @OmitNull @Nullable JobState state,
            @Doc("Jobs of this group of a FIFO queue, exactly.") @OmitNull @Nullable String group,
            @Doc("Jobs of this user, exactly.") @OmitNull @Nullable String user,
            @Doc("Jobs pushed with this param: `name=value`. The values of masked names (`redact`)"
                    + " cannot be searched.") @OmitNull @Nullable String param,
            @Doc("The job of which a push with this dedupe id would be a duplicate; needs its queue, and on a FIFO"
                    + " queue its group. Found for the five minutes of the dedupe"
                    + " window.") @OmitNull @Nullable String dedupe,
            @Doc("The beginning of an id, if it has at least eight digits; else a part of the summary of the last"
                    + " failure, or a whole user or group, in any case.") @OmitNull @Nullable String q,
            @Doc("The beginning of an id, or a whole one.") @OmitNull @Nullable String id,
            @Doc(value = "Dead letters with this error, by the fingerprint that `GET /dead` shows.",
                    facets = "pattern: '^[0-9a-f]{16}$'") @OmitNull @Nullable String error,
            @Doc("Jobs pushed at or after this moment.") @OmitNull @Nullable Instant from,
            @Doc("Jobs pushed before this moment.") @OmitNull @Nullable Instant to) {}

    static BulkJson of(BulkStatus status) {
        return new BulkJson(status.id(), status.request().action(), status.request().words(), status.phase(),
                status.looked(), status.changed(), status.expected().jobs(), status.expected().atLeast(),
                status.startedAt(), status.endedAt(), status.failure());
    }
}
