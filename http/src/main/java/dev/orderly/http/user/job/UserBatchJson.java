package dev.orderly.http.user.job;

import dev.orderly.http.openapi.Doc;
import dev.orderly.http.openapi.RecordJson;
import dev.orderly.job.BatchCounts;
import dev.orderly.job.BatchView;
import dev.orderly.job.JobId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A batch as its user sees it: the members in numbers, since they may belong to other people. */
@Doc(name = "UserBatch")
public record UserBatchJson(String batch, BatchView.State state,
        @Doc("Whether the callback was pushed; nothing changes from then on.") boolean ended,
        @Doc("Members that were pushed.") long pushed, long done, long dead,
        @Doc("Members that were cancelled, discarded, deleted, or have expired.") long cancelled,
        @Doc("Members that have not ended.") long unfinished, Instant openedAt, @Nullable Instant finishedAt,
        @Doc("The callback, a job of the same user; null before the end.") @Nullable JobId callback) {
    /** Writes the document. */
    static byte[] of(BatchView batch) {
        BatchCounts counts = batch.counts();
        return RecordJson.bytes(new UserBatchJson(batch.name().value(), batch.state(), batch.callback() != null,
                counts.pushed(), counts.done(), counts.dead(), counts.cancelled(), counts.unfinished(),
                batch.openedAt(), batch.finishedAt(), batch.callback()));
    }
}
