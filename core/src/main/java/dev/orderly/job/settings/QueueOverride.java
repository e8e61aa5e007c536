package dev.orderly.job.settings;

import dev.orderly.job.QueueOptions;
import dev.orderly.text.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The settings of a queue that an operator has put in place of the configured ones, on every node. A value that is null
 * leaves the configured one in force. Bounds and meanings are those of {@link QueueOptions}.
 *
 * @param by the identity behind the last change
 * @param at moment of the last change
 */
public record QueueOverride(@Nullable Integer concurrency, @Nullable Duration timeout, @Nullable Long maxPending,
        @Nullable Long maxLeased, String by, Instant at) {
    /** Changes nothing. */
    public static final QueueOverride NONE = new QueueOverride(null, null, null, null, "", Instant.EPOCH);

    /** @throws IllegalArgumentException if a value is out of its bounds; the message names both */
    public QueueOverride {
        Objects.requireNonNull(at, "at");
        Objects.requireNonNull(by, "by");
        over(QueueOptions.STANDARD, concurrency, timeout, maxPending, maxLeased);
    }

    public QueueOverride withConcurrency(@Nullable Integer value) {
        return new QueueOverride(value, timeout, maxPending, maxLeased, by, at);
    }

    public QueueOverride withTimeout(@Nullable Duration value) {
        return new QueueOverride(concurrency, value, maxPending, maxLeased, by, at);
    }

    public QueueOverride withMaxPending(@Nullable Long value) {
        return new QueueOverride(concurrency, timeout, value, maxLeased, by, at);
    }

    public QueueOverride withMaxLeased(@Nullable Long value) {
        return new QueueOverride(concurrency, timeout, maxPending, value, by, at);
    }

    QueueOverride changed(String who, Instant when) {
        return new QueueOverride(concurrency, timeout, maxPending, maxLeased, who, when);
    }

    /** Whether every configured value is in force. */
    public boolean isEmpty() {
        return concurrency == null && timeout == null && maxPending == null && maxLeased == null;
    }

    /** The settings in force. */
    public QueueOptions over(QueueOptions configured) {
        Objects.requireNonNull(configured, "configured");
        return over(configured, concurrency, timeout, maxPending, maxLeased);
    }

    private static QueueOptions over(QueueOptions configured, @Nullable Integer concurrency,
            @Nullable Duration timeout, @Nullable Long maxPending, @Nullable Long maxLeased) {
        QueueOptions options = configured;
        options = concurrency == null ? options : options.withConcurrency(concurrency);
        options = timeout == null ? options : options.withTimeout(timeout);
        options = maxPending == null ? options : options.withMaxPending(maxPending);
        return maxLeased == null ? options : options.withMaxLeased(maxLeased);
    }

    /** One line for the audit log: {@code concurrency 8, timeout 1 min}. */
    public String text() {
        String text = (concurrency == null ? "" : ", concurrency " + concurrency)
                + (timeout == null ? "" : ", timeout " + DurationText.of(timeout))
                + (maxPending == null ? "" : ", max-pending " + maxPending)
                + (maxLeased == null ? "" : ", max-leased " + maxLeased);
        return text.isEmpty() ? "as configured" : text.substring(2);
    }

    ObjectNode json() {
        ObjectNode json = JsonMapper.shared().createObjectNode();
        if (concurrency != null) {
            json.put("concurrency", concurrency);
        }
        if (timeout != null) {
            json.put("timeout", timeout.toString());
        }
        if (maxPending != null) {
            json.put("maxPending", maxPending);
        }
        if (maxLeased != null) {
            json.put("maxLeased", maxLeased);
        }
        return json.put("by", by).put("at", at.toString());
    }

    /** @throws IllegalArgumentException if it is out of bounds or malformed */
    static QueueOverride read(JsonNode json) {
        try {
            JsonNode timeout = json.path("timeout");
            return new QueueOverride(
                    json.has("concurrency") ? Integer.valueOf(json.path("concurrency").asInt(0)) : null,
                    timeout.isString() ? Duration.parse(timeout.stringValue()) : null, number(json, "maxPending"),
                    number(json, "maxLeased"), json.path("by").asString(""),
                    Instant.parse(json.path("at").asString("")));
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("The stored settings of a queue have a malformed time", e);
        }
    }

    private static @Nullable Long number(JsonNode json, String name) {
        return json.has(name) ? Long.valueOf(json.path(name).asLong(0)) : null;
    }
}
