package dev.orderly.http.api;

import dev.orderly.http.api.json.JsonBody;
import dev.orderly.operate.RoomControl;
import dev.orderly.room.Limits;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomMode;
import dev.orderly.room.gate.Room;
import dev.orderly.room.store.RoomChange;
import dev.orderly.text.LocalizedText;
import dev.orderly.web.message.Request;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads operators' changes of rooms from JSON. Invalid input throws a {@link dev.orderly.web.problem.Refusal}, and a
 * value out of its bounds an {@link IllegalArgumentException} when the change is made of it.
 */
final class RoomRequests {
    private RoomRequests() {}

    static Function<Room, RoomChange> admit(Request call) {
        JsonNode visitors = JsonBody.of(call, "visitors").path("visitors");
        if (!visitors.isIntegralNumber() || !visitors.canConvertToInt()) {
            throw JsonBody.bad("The number of visitors is missing or not a whole number: send {\"visitors\": 10}");
        }
        return _ -> new RoomChange.Admit(visitors.intValue());
    }

    static Function<Room, RoomChange> mode(Request call) {
        String text = JsonBody.of(call, "mode").path("mode").asString("");
        return Arrays.stream(RoomMode.values()).filter(mode -> RoomControl.words(mode).equals(text)).findFirst()
                .<Function<Room, RoomChange>>map(mode -> _ -> new RoomChange.Mode(mode))
                .orElseThrow(() -> JsonBody.bad("The mode is missing or unknown: use "
                        + Arrays.stream(RoomMode.values()).map(RoomControl::words)
                                .collect(Collectors.joining(", "))));
    }

    static Function<Room, RoomChange> message(Request call) {
        JsonNode body = JsonBody.of(call, "text", "texts");
        JsonNode text = body.path("text");
        JsonNode texts = body.path("texts");
        boolean several = texts.isObject() && texts.valueStream().allMatch(JsonNode::isString);
        boolean known = text.isString() || text.isNull() || text.isMissingNode();
        if (!known || !(several || texts.isMissingNode()) || body.isEmpty()) {
            throw JsonBody.bad("The text is missing: send {\"text\": \"...\"}, {\"texts\": {\"en\": \"...\", \"de\":"
                    + " \"...\"}}, or {\"text\": null} to remove the message");
        }
        Map<String, String> byLanguage = new LinkedHashMap<>();
        texts.forEachEntry((tag, each) -> byLanguage.put(tag, each.stringValue().strip()));
        if (text.isString() && !text.stringValue().isBlank()) {
            byLanguage.put(LocalizedText.DEFAULT, text.stringValue().strip());
        }
        return _ -> new RoomChange.Message(byLanguage.isEmpty() ? null : LocalizedText.of(byLanguage));
    }

    static Function<Room, RoomChange> epoch(Request call) {
        JsonBody.of(call);
        return _ -> new RoomChange.NewEpoch();
    }

    /** Settings for absent members stay as they are; null restores the configured setting. */
    static Function<Room, RoomChange> settings(Request call) {
        JsonNode json = JsonBody.of(call, "capacity", "rate");
        return room -> settings(json, room);
    }

    private static RoomChange settings(JsonNode json, Room room) {
        Limits configured = room.state().limitsConfigured(room.options());
        Limits override = room.state().override();
        Limits now = override == null ? configured : override;
        Integer capacity = switch (member(json, "capacity")) {
            case null -> now.capacity();
            case JsonNode value when value.isNull() -> configured.capacity();
            case JsonNode value -> capacity(value);
        };
        Rate rate = switch (member(json, "rate")) {
            case null -> now.rate();
            case JsonNode value when value.isNull() -> configured.rate();
            case JsonNode value -> rate(value);
        };
        boolean same = Objects.equals(capacity, configured.capacity()) && Objects.equals(rate, configured.rate());
        return new RoomChange.Settings(same ? null : new Limits(capacity, rate));
    }

    private static @Nullable JsonNode member(JsonNode json, String name) {
        return json.get(name);
    }

    private static int capacity(JsonNode value) {
        if (!value.isIntegralNumber() || !value.canConvertToInt()) {
            throw JsonBody.bad("The capacity is not a whole number: send {\"capacity\": 200}, or null to restore the"
                    + " configured capacity");
        }
        return value.intValue();
    }

    private static Rate rate(JsonNode value) {
        JsonNode visitors = value.path("visitors");
        Duration period = period(value.path("period").asString(""));
        if (period == null || value.size() != 2 || !visitors.isIntegralNumber() || !visitors.canConvertToInt()) {
            throw JsonBody.bad("The rate is not a number of visitors and an ISO-8601 period: send {\"rate\":"
                    + " {\"visitors\": 5, \"period\": \"PT15S\"}}, or null to restore the configured rate");
        }
        return new Rate(visitors.intValue(), period);
    }

    private static @Nullable Duration period(String text) {
        try {
            return Duration.parse(text);
        } catch (DateTimeParseException _) {
            return null;
        }
    }
}
