package dev.orderly.job.store;

import dev.orderly.job.BatchCounts;
import dev.orderly.job.BatchName;
import dev.orderly.job.BatchView;
import dev.orderly.job.JobId;
import dev.orderly.job.QueueName;
import dev.orderly.job.WhenDead;
import dev.orderly.user.UserId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A read-only copy of a batch; its parts are those of {@link BatchView}. */
public record BatchSnapshot(BatchName name, long number, WhenDead whenDead, QueueName queue, @Nullable UserId user,
        BatchCounts counts, Instant openedAt, @Nullable Instant closedAt, @Nullable Instant cancelledAt,
        @Nullable Instant finishedAt,
        @Nullable JobId callback) implements BatchView {}
