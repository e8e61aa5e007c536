package dev.orderly.http.api;

import dev.orderly.http.openapi.Doc;
import dev.orderly.job.BatchCounts;
import dev.orderly.job.BatchView;
import dev.orderly.job.JobId;
import dev.orderly.job.WhenDead;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A batch. */
@Doc(name = "Batch")
record BatchJson(String batch,
        @Doc("`open`: anybody pushes members. `closed`: only running members push further ones. `cancelled`: nobody"
                + " does. `finished`: all have ended, and the callback was pushed.") BatchView.State state,
        @Doc("`finish`: a dead letter has ended. `wait`: the batch waits until it was redriven or"
                + " deleted.") WhenDead whenDead,
        @Doc("The queue of the callback.") String queue, Counts counts, Instant openedAt, @Nullable Instant closedAt,
        @Nullable Instant cancelledAt, @Nullable Instant finishedAt,
        @Doc("The callback; null before the batch is finished.") @Nullable JobId callback) {
    /** A page of batches. */
    @Doc(name = "Batches")
    record Page(List<BatchJson> batches,
            @Doc("The `after` of the next page; null on the last page.") @Nullable Long next) {}

    /** The members in numbers. */
    @Doc(name = "BatchCounts",
            value = "The members in numbers, a moment behind while they end. They stay once the batch is finished.")
    record Counts(@Doc("Members that were pushed.") long pushed, long done, long dead,
            @Doc("Members that were cancelled, discarded, deleted, or have expired.") long cancelled,
            @Doc("Members that have not ended.") long unfinished) {
        static Counts of(BatchCounts counts) {
            return new Counts(counts.pushed(), counts.done(), counts.dead(), counts.cancelled(), counts.unfinished());
        }
    }

    static BatchJson of(BatchView view) {
        return new BatchJson(view.name().value(), view.state(), view.whenDead(), view.queue().value(),
                Counts.of(view.counts()), view.openedAt(), view.closedAt(), view.cancelledAt(), view.finishedAt(),
                view.callback());
    }
}
