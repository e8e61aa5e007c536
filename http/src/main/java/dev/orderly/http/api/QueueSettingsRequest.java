package dev.orderly.http.api;

import dev.orderly.http.api.json.JsonBody;
import dev.orderly.http.intake.DelayText;
import dev.orderly.http.openapi.Doc;
import dev.orderly.job.settings.QueueOverride;
import dev.orderly.web.message.Request;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A change of the settings of a queue: absent members stay as they are, null restores the configured value.
 *
 * @param json an object with known members only
 */
record QueueSettingsRequest(JsonNode json) implements UnaryOperator<QueueOverride> {
    /** The members. */
    @Doc(name = "QueueSettingsRequest", facets = "minProperties: 1")
    record Members(
            @Doc(value = QueueJson.Changed.CONCURRENCY,
                    facets = QueueJson.Changed.CONCURRENCY_BOUNDS) @Nullable Integer concurrency,
            @Doc(QueueJson.Changed.TIMEOUT) @Nullable Duration timeout,
            @Doc(facets = "minimum: 1") @Nullable Long maxPending,
            @Doc(facets = "minimum: 1") @Nullable Long maxLeased) {}

    /** @throws dev.orderly.web.problem.ProblemException if the body is malformed */
    static QueueSettingsRequest of(Request call) {
        JsonNode json = JsonBody.of(call, Members.class);
        if (json.isEmpty()) {
            throw JsonBody.bad("The body names no setting: send {\"concurrency\": 8}, or null to restore the"
                    + " configured value");
        }
        return new QueueSettingsRequest(json);
    }

    @Override
    public QueueOverride apply(QueueOverride before) {
        QueueOverride next = before;
        next = json.has("concurrency") ? next.withConcurrency(concurrency()) : next;
        next = json.has("timeout") ? next.withTimeout(duration("timeout")) : next;
        next = json.has("maxPending") ? next.withMaxPending(number("maxPending")) : next;
        return json.has("maxLeased") ? next.withMaxLeased(number("maxLeased")) : next;
    }

    private @Nullable Integer concurrency() {
        Long value = number("concurrency");
        return value == null ? null : Integer.valueOf(Math.clamp(value, 0, Integer.MAX_VALUE));
    }

    private @Nullable Long number(String name) {
        JsonNode value = json.path(name);
        if (!value.isNull() && (!value.isIntegralNumber() || !value.canConvertToLong())) {
            throw JsonBody.bad(name + " is not a whole number: send {\"" + name
                    + "\": 100}, or null to restore the configured value");
        }
        return value.isNull() ? null : Long.valueOf(value.longValue());
    }

    private @Nullable Duration duration(String name) {
        JsonNode value = json.path(name);
        try {
            return value.isNull() ? null : DelayText.parse(value.asString(""));
        } catch (IllegalArgumentException _) {
            throw JsonBody.bad(name + " is not a duration: send {\"" + name
                    + "\": \"PT30S\"}, or null to restore the configured value");
        }
    }
}
