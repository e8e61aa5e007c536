package dev.orderly.http.user.job;

import dev.orderly.http.openapi.Doc;
import dev.orderly.http.openapi.RecordJson;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.QueuePosition;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A job as its user sees it. Payload, params and failures are left out, since they may contain other people's data. */
@Doc(name = "UserJob")
public record UserJobJson(JobId id, String queue, JobState state, boolean ended, int attempt, Instant pushedAt,
        @Nullable Instant dueAt, @Nullable Instant endedAt, @Nullable ProgressJson progress,
        @Nullable PayloadJson result, @Nullable Line line, @Nullable String reason) {
    /** The jobs before one that waits. */
    @Doc(name = "UserJobLine")
    record Line(int ahead, @Doc("Whether there are more than could be counted.") boolean more,
            @Nullable Seconds seconds) {
        private static Line of(QueuePosition place) {
            QueuePosition.Wait wait = place.estimate();
            return new Line(place.ahead(), place.more(), wait == null
                    ? null
                    : new Seconds(wait.low().toSeconds(), wait.high().toSeconds()));
        }
    }

    /** A range of time. */
    @Doc(name = "SecondsRange")
    record Seconds(long low, long high) {}

    /**
     * Writes the document.
     *
     * @param place null unless the job waits
     * @param content whether to include the result's content
     */
    static byte[] of(JobView job, @Nullable QueuePosition place, boolean content) {
        return RecordJson.bytes(new UserJobJson(job.id(), job.queue().value(), job.state(), job.state().isEnd(),
                job.attempt(), job.pushedAt(), job.dueAt(), job.endedAt(), ProgressJson.of(job.progress()),
                PayloadJson.of(job.result(), content), place == null ? null : Line.of(place), job.reason()));
    }
}
