package dev.orderly.job.settings;

import dev.orderly.job.Limit;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The bounds of a limit that an operator has put in place of the declared ones, on every node. A bound that is null
 * leaves the declared one in force. Bounds and meanings are those of {@link Limit}.
 *
 * @param starts the most starts in any span of the period; null if and only if {@code period} is
 * @param by the identity behind the last change
 * @param at moment of the last change
 */
public record LimitOverride(@Nullable Integer concurrency, @Nullable Integer starts, @Nullable Duration period,
        String by, Instant at) {
    /** Changes nothing. */
    public static final LimitOverride NONE = new LimitOverride(null, null, null, "", Instant.EPOCH);

    /** @throws IllegalArgumentException if a value is out of its bounds; the message names both */
    public LimitOverride {
        Objects.requireNonNull(at, "at");
        Objects.requireNonNull(by, "by");
        if ((starts == null) != (period == null)) {
            throw new IllegalArgumentException("A rate has starts and a period: give both or none");
        }
        if (concurrency != null) {
            var _ = Limit.concurrency(concurrency);
        }
        if (starts != null && period != null) {
            var _ = Limit.of(starts, period);
        }
    }

    /** @param value null for the declared bound */
    public LimitOverride withConcurrency(@Nullable Integer value) {
        return new LimitOverride(value, starts, period, by, at);
    }

    /** Both null for the declared rate. */
    public LimitOverride withRate(@Nullable Integer newStarts, @Nullable Duration newPeriod) {
        return new LimitOverride(concurrency, newStarts, newPeriod, by, at);
    }

    LimitOverride changed(String who, Instant when) {
        return new LimitOverride(concurrency, starts, period, who, when);
    }

    /** Whether all declared bounds are in force. */
    public boolean isEmpty() {
        return concurrency == null && starts == null;
    }

    /** The limit in force. */
    public Limit over(Limit declared) {
        Objects.requireNonNull(declared, "declared");
        int most = concurrency == null ? declared.concurrency() : concurrency;
        return starts == null || period == null
                ? new Limit(most, declared.starts(), declared.period(), declared.share())
                : new Limit(most, starts, period, declared.share());
    }

    /** The limit in force where none is declared; null if there are no bounds. */
    @Nullable
    Limit alone() {
        return isEmpty()
                ? null
                : new Limit(concurrency == null ? 0 : concurrency, starts == null ? 0 : starts,
                        period == null ? Duration.ZERO : period);
    }

    /** One line for the audit log: {@code concurrency 10, rate 100 per 10s}. */
    public String text() {
        String most = concurrency == null ? "" : "concurrency " + concurrency;
        String rate = starts == null || period == null ? "" : "rate " + Limit.of(starts, period).rateText();
        return isEmpty() ? "as declared" : most + (most.isEmpty() || rate.isEmpty() ? "" : ", ") + rate;
    }

    ObjectNode json() {
        ObjectNode json = JsonMapper.shared().createObjectNode();
        if (concurrency != null) {
            json.put("concurrency", concurrency);
        }
        if (starts != null && period != null) {
            json.put("starts", starts).put("period", period.toString());
        }
        return json.put("by", by).put("at", at.toString());
    }

    /** @throws IllegalArgumentException if it is out of bounds or malformed */
    static LimitOverride read(JsonNode json) {
        try {
            JsonNode period = json.path("period");
            return new LimitOverride(number(json, "concurrency"), number(json, "starts"),
                    period.isString() ? Duration.parse(period.stringValue()) : null, json.path("by").asString(""),
                    Instant.parse(json.path("at").asString("")));
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("The stored bounds of a limit have a malformed time", e);
        }
    }

    private static @Nullable Integer number(JsonNode json, String name) {
        return json.has(name) ? Integer.valueOf(json.path(name).asInt(0)) : null;
    }
}
