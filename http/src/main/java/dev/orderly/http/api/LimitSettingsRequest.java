package dev.orderly.http.api;

import dev.orderly.http.api.json.JsonBody;
import dev.orderly.http.intake.DelayText;
import dev.orderly.http.openapi.Doc;
import dev.orderly.job.settings.LimitOverride;
import dev.orderly.web.message.Request;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A change of the bounds of a limit: absent members stay as they are, null restores the declared bound.
 *
 * @param json an object with known members only
 */
record LimitSettingsRequest(JsonNode json) implements UnaryOperator<LimitOverride> {
    /** The members. */
    @Doc(name = "LimitSettingsRequest", facets = "minProperties: 1")
    record Members(
            @Doc(value = LimitJson.Changed.CONCURRENCY,
                    facets = LimitJson.Changed.CONCURRENCY_BOUNDS) @Nullable Integer concurrency,
            @Doc(value = LimitJson.Changed.STARTS, facets = LimitJson.Changed.STARTS_BOUNDS) @Nullable Integer starts,
            @Doc(LimitJson.Changed.PERIOD) @Nullable Duration period) {}

    /** @throws dev.orderly.web.problem.ProblemException if the body is malformed */
    static LimitSettingsRequest of(Request call) {
        JsonNode json = JsonBody.of(call, Members.class);
        if (json.isEmpty()) {
            throw JsonBody.bad("The body names no bound: send {\"concurrency\": 8}, or null to restore the declared"
                    + " one");
        }
        if (json.has("starts") != json.has("period")) {
            throw JsonBody.bad("starts and period go together: send both, or null for both to restore the declared"
                    + " rate");
        }
        return new LimitSettingsRequest(json);
    }

    @Override
    public LimitOverride apply(LimitOverride before) {
        LimitOverride next = json.has("concurrency") ? before.withConcurrency(number("concurrency")) : before;
        return json.has("starts") ? next.withRate(number("starts"), duration()) : next;
    }

    private @Nullable Integer number(String name) {
        JsonNode value = json.path(name);
        if (!value.isNull() && (!value.isIntegralNumber() || !value.canConvertToLong())) {
            throw JsonBody.bad(name + " is not a whole number: send {\"" + name
                    + "\": 100}, or null to restore the declared bound");
        }
        return value.isNull() ? null : Integer.valueOf(Math.clamp(value.longValue(), 0, Integer.MAX_VALUE));
    }

    private @Nullable Duration duration() {
        JsonNode value = json.path("period");
        try {
            return value.isNull() ? null : DelayText.parse(value.asString(""));
        } catch (IllegalArgumentException _) {
            throw JsonBody.bad("period is not a duration: send {\"period\": \"PT10S\"}, or null to restore the"
                    + " declared rate");
        }
    }
}
