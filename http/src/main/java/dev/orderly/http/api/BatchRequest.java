package dev.orderly.http.api;

import dev.orderly.http.api.json.JsonBody;
import dev.orderly.http.openapi.Doc;
import dev.orderly.job.BatchView;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRequest;
import dev.orderly.job.WhenDead;
import dev.orderly.operate.BatchControl;
import dev.orderly.operate.Operation;
import dev.orderly.user.UserId;
import dev.orderly.web.message.Request;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A batch that is to be opened. */
final class BatchRequest {
    private BatchRequest() {}

    /** The members. */
    @Doc(name = "BatchRequest")
    record Members(@Doc(value = "The name.", facets = "pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,79}$'") String batch,
            @Doc("The queue of the callback.") String queue,
            @Doc("The group of the callback; FIFO queues only.") @Nullable String group,
            @Doc("The user of the callback.") @Nullable String user,
            @Doc("The payload of the callback, any JSON; {} if absent.") @Nullable Object payload,
            @Doc("What dead letters mean for the end; `finish` if absent.") @Nullable WhenDead whenDead) {}

    /** @throws ProblemException if the body is malformed */
    static Operation<BatchView> of(Request call) {
        JsonNode json = JsonBody.of(call, Members.class);
        String batch = text(json, "batch");
        String queue = text(json, "queue");
        if (batch == null || queue == null) {
            throw JsonBody.bad("The body has no " + (batch == null ? "batch" : "queue")
                    + ": send {\"batch\": \"import-42\", \"queue\": \"reports\", \"payload\": {}}");
        }
        Payload payload = Payload.json(json.has("payload") ? json.path("payload").toString() : "{}");
        try {
            return BatchControl.open(batch, rule(text(json, "whenDead")), PushRequest.of(queue, payload)
                    .withGroup(text(json, "group")).withUser(UserId.ofStored(text(json, "user"))));
        } catch (IllegalArgumentException e) {
            throw new ProblemException(ProblemType.BOUNDS, String.valueOf(e.getMessage()));
        }
    }

    private static WhenDead rule(@Nullable String text) {
        return switch (text == null ? "finish" : text.toLowerCase(Locale.ROOT)) {
            case "finish" -> WhenDead.FINISH;
            case "wait" -> WhenDead.WAIT;
            case String other -> throw JsonBody.bad("whenDead is " + other + ": send finish or wait");
        };
    }

    private static @Nullable String text(JsonNode json, String name) {
        JsonNode value = json.path(name);
        if (!value.isMissingNode() && !value.isNull() && !value.isString()) {
            throw JsonBody.bad(name + " is not a string");
        }
        return value.isString() ? value.stringValue() : null;
    }
}
