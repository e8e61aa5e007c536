package dev.orderly.http.user.job;

import dev.orderly.job.JobView;
import dev.orderly.job.QueuePosition;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A job as its user sees it. Payload, params and failures are left out, since they may contain other people's data. */
final class UserJobJson {
    private UserJobJson() {}

    /**
     * Writes the document.
     *
     * @param place null unless the job waits
     * @param content whether to include the result's content
     */
    static byte[] of(JobView job, @Nullable QueuePosition place, boolean content) {
        ObjectNode json = JsonMapper.shared().createObjectNode().put("id", job.id().toString())
                .put("queue", job.queue().value()).put("state", job.state().text()).put("ended", job.state().isEnd())
                .put("attempt", job.attempt()).put("pushedAt", job.pushedAt().toString())
                .put("dueAt", text(job.dueAt())).put("endedAt", text(job.endedAt()));
        json.set("progress", JobJsonParts.progress(job.progress()));
        json.set("result", JobJsonParts.payload(job.result(), content));
        json.set("line", place == null ? null : line(place));
        return JsonMapper.shared().writeValueAsBytes(json.put("reason", job.reason()));
    }

    private static ObjectNode line(QueuePosition place) {
        ObjectNode line = JsonMapper.shared().createObjectNode().put("ahead", place.ahead()).put("more", place.more());
        QueuePosition.Wait estimate = place.estimate();
        if (estimate == null) {
            line.putNull("seconds");
        } else {
            line.putObject("seconds").put("low", estimate.low().toSeconds()).put("high", estimate.high().toSeconds());
        }
        return line;
    }

    private static @Nullable String text(@Nullable Instant instant) {
        return instant == null ? null : instant.toString();
    }
}
