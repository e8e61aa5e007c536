package dev.orderly.http.api;

import dev.orderly.http.api.json.JsonBody;
import dev.orderly.http.intake.DelayText;
import dev.orderly.http.openapi.Doc;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRequest;
import dev.orderly.schedule.ScheduleDefinition;
import dev.orderly.schedule.Timing;
import dev.orderly.web.message.Request;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A schedule that is to be made. */
final class ScheduleRequest {
    private ScheduleRequest() {}

    /** The members. */
    @Doc(name = "ScheduleRequest")
    record Members(@Doc("The timing: cron fields, or words such as every 15 minutes.") String cron,
            @Doc("The time zone of the timing; UTC if absent.") @Nullable String zone,
            @Doc("The longest time by which a run begins after its instant; none if absent.") @Nullable Duration jitter,
            @Doc("The queue of its jobs.") String queue,
            @Doc("The group of its jobs; FIFO queues only.") @Nullable String group,
            @Doc("Any JSON; {} if absent.") @Nullable Object payload) {}

    /** @throws ProblemException if the body is malformed, or its timing */
    static ScheduleDefinition of(Request call) {
        JsonNode json = JsonBody.of(call, Members.class);
        String cron = text(json, "cron");
        String queue = text(json, "queue");
        if (cron == null || queue == null) {
            throw JsonBody.bad("The body has no " + (cron == null ? "cron" : "queue")
                    + ": send {\"cron\": \"daily at 07:30\", \"queue\": \"reports\"}");
        }
        String zone = text(json, "zone");
        String jitter = text(json, "jitter");
        try {
            Timing timing = Timing.parse(cron, ZoneId.of(zone == null ? "UTC" : zone))
                    .withJitter(jitter == null ? Duration.ZERO : DelayText.parse(jitter));
            Payload payload = Payload.json(json.has("payload") ? json.path("payload").toString() : "{}");
            return ScheduleDefinition.of(timing, PushRequest.of(queue, payload).withGroup(text(json, "group")));
        } catch (DateTimeException e) {
            throw new ProblemException(ProblemType.BOUNDS, "\"" + zone + "\" is no time zone (" + e.getMessage()
                    + "): use one such as Europe/Berlin");
        } catch (IllegalArgumentException e) {
            throw new ProblemException(ProblemType.BOUNDS, String.valueOf(e.getMessage()));
        }
    }

    private static @Nullable String text(JsonNode json, String name) {
        JsonNode value = json.path(name);
        if (!value.isMissingNode() && !value.isNull() && !value.isString()) {
            throw JsonBody.bad(name + " is not a string");
        }
        return value.isString() ? value.stringValue() : null;
    }
}
