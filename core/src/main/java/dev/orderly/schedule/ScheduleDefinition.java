package dev.orderly.schedule;

import dev.orderly.job.Payload;
import dev.orderly.job.PushRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A schedule that was made at run time: the store keeps it, and every node that has its queue declares it.
 *
 * @param job queue, payload of JSON, and a group if the queue is FIFO; the schedule sets all else
 * @param by the identity behind the last change
 * @param at moment of the last change
 */
public record ScheduleDefinition(Timing timing, PushRequest job, String by, Instant at) {
    /** No schedule. */
    public static final ScheduleDefinition NONE = new ScheduleDefinition(Timing.parse("never"),
            PushRequest.of("", Payload.json("{}")), "", Instant.EPOCH);

    /** @throws IllegalArgumentException if the payload is not JSON */
    public ScheduleDefinition {
        Objects.requireNonNull(at, "at");
        Objects.requireNonNull(by, "by");
        Objects.requireNonNull(job, "job");
        Objects.requireNonNull(timing, "timing");
        if (!job.payload().contentType().equals(Payload.JSON)) {
            throw new IllegalArgumentException("The payload of a schedule is " + job.payload().contentType()
                    + ": use JSON");
        }
    }

    /** A definition that nobody has stored yet. */
    public static ScheduleDefinition of(Timing timing, PushRequest job) {
        return new ScheduleDefinition(timing, job, "", Instant.EPOCH);
    }

    ScheduleDefinition changed(String who, Instant when) {
        return new ScheduleDefinition(timing, job, who, when);
    }

    /** Whether it is no schedule. */
    public boolean isEmpty() {
        return job.queue().isEmpty();
    }

    /** Whether another definition makes the same schedule. */
    boolean isLike(ScheduleDefinition other) {
        return timing.equals(other.timing) && job.equals(other.job);
    }

    /** One line for the audit log. */
    public String text() {
        return isEmpty()
                ? "none"
                : timing + " -> " + job.queue() + (job.group() == null ? "" : ", group " + job.group());
    }

    ObjectNode json() {
        ObjectNode json = JsonMapper.shared().createObjectNode();
        json.put("cron", timing.text()).put("zone", timing.zone().getId()).put("jitter", timing.jitter().toString())
                .put("queue", job.queue()).put("payload", new String(job.payload().bytes(), StandardCharsets.UTF_8));
        if (job.group() != null) {
            json.put("group", job.group());
        }
        return json.put("by", by).put("at", at.toString());
    }

    /** @throws IllegalArgumentException if it is malformed */
    static ScheduleDefinition read(JsonNode json) {
        try {
            Timing timing = Timing.parse(json.path("cron").asString(""), ZoneId.of(json.path("zone").asString("UTC")))
                    .withJitter(Duration.parse(json.path("jitter").asString("PT0S")));
            PushRequest job = PushRequest
                    .of(json.path("queue").asString(""), Payload.json(json.path("payload").asString("{}")))
                    .withGroup(json.hasNonNull("group") ? json.path("group").asString("") : null);
            return new ScheduleDefinition(timing, job, json.path("by").asString(""),
                    Instant.parse(json.path("at").asString("")));
        } catch (java.time.DateTimeException e) {
            throw new IllegalArgumentException("The stored schedule has a malformed time", e);
        }
    }
}
