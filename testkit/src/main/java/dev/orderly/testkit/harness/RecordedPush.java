package dev.orderly.testkit.harness;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.user.UserId;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** A push that the recorder has seen. */
record RecordedPush(JobId id, QueueName queue, @Nullable String group, Payload payload, Map<String, String> params,
        @Nullable UserId user, Priority priority, @Nullable Instant runAt, Instant pushedAt,
        @Nullable DedupeKey dedupe) implements PushedJob {
    RecordedPush {
        params = Map.copyOf(params);
    }

    @Override
    public String text() {
        return payload.asText();
    }

    @Override
    public <T> T as(Class<T> type) {
        Objects.requireNonNull(type, "type");
        return JsonMapper.shared().readValue(payload.bytes(), type);
    }
}
