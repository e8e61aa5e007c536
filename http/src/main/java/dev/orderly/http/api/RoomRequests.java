package dev.orderly.http.api;

import dev.orderly.http.api.json.JsonBody;
import dev.orderly.http.openapi.Doc;
import dev.orderly.http.openapi.OmitNull;
import dev.orderly.operate.RoomControl;
import dev.orderly.room.Limits;
import dev.orderly.room.Opening;
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
 * Reads operators' changes of rooms from JSON. Invalid input throws a {@link dev.orderly.web.problem.ProblemException},
 * and a value out of its bounds an {@link IllegalArgumentException} when the change is made of it.
 */
final class RoomRequests {
    private RoomRequests() {}

    /** Limits in place of the configured ones. */
    @Doc(name = "RoomLimitsRequest")
    record LimitsRequest(@Nullable Integer capacity, RoomStateJson.@Nullable PaceLimit rate) {}

    /** A number of admissions. */
    @Doc(name = "AdmitRequest")
    record AdmitRequest(@Doc(value = "Added to admissions granted before and not used yet.",
            facets = "minimum: 1, maximum: 1000000") int visitors) {}

    /** A mode. */
    @Doc(name = "ModeRequest")
    record ModeRequest(RoomMode mode) {}

    /** A message. */
    @Doc(name = "MessageRequest", facets = "minProperties: 1")
    record MessageRequest(
            @Doc(value = "Plain text for visitors of all languages, or of those that texts does not name; null for"
                    + " none.", facets = "maxLength: 500") @Nullable String text,
            @Doc(value = "Plain texts by language, a BCP 47 tag such as de or pt-BR. A visitor reads the text of the"
                    + " first wanted language that has one, otherwise text, the English text, or the first.",
                    facets = "additionalProperties: {type: 'string', minLength: 1, maxLength: 500},"
                            + " maxProperties: 40") @OmitNull @Nullable Map<String, String> texts) {}

    /** Another time for an opening. */
    @Doc(name = "OpenAtRequest")
    record OpenAtRequest(
            @Doc(value = "A time with its zone, such as `2027-03-01T10:30 Europe/Berlin`.",
                    facets = "minLength: 1, maxLength: 100") String opens,
            @Doc(value = "The new end; absent to leave it.",
                    facets = "minLength: 1, maxLength: 100") @OmitNull @Nullable String closes) {}

    /** The value of a beacon. */
    @Doc(name = "DrawValueRequest")
    record DrawValueRequest(@Doc(value = "The value as it was published, in one line.",
            facets = "minLength: 1, maxLength: 200") String value) {}

    /** No opening. */
    @Doc(name = "CancelOpeningRequest")
    record CancelOpeningRequest() {}

    /** A new epoch. */
    @Doc(name = "EpochRequest")
    record EpochRequest() {}

    /** A visitor to revoke. */
    @Doc(name = "RevokeRequest")
    record RevokeRequest(@Doc(value = "The id that the origin received in `Orderly-Visitor`.",
            facets = "pattern: '^[A-Za-z0-9_-]{22}$'") String visitor) {}

    /** Invitations to issue. */
    @Doc(name = "InviteRequest")
    record InviteRequest(@Doc(value = "The name of a tier with invitations.",
            facets = "minLength: 1, maxLength: 40") String tier,
            @Doc(facets = "minimum: 1, maximum: 10000", value = "How many.") int count,
            @Doc("How long they are good, such as `PT24H`: a minute to 90 days.") Duration expires,
            @Doc(value = "The only user who may redeem them; absent or null for everybody.",
                    facets = "minLength: 1, maxLength: 200") @OmitNull @Nullable String user) {}

    /** A request for invitations. */
    record Invite(String tier, int count, Duration life, @Nullable String user) {}

    /** What is known of a visitor. */
    @Doc(name = "WhyVisitorRequest", value = "One of ticket, visitor and place.")
    record WhyRequest(
            @Doc(value = "The value of the visitor's cookie.",
                    facets = "minLength: 1") @OmitNull @Nullable String ticket,
            @Doc(value = "The visitor's id. What the store keeps is found by it, and the place if a page of the visitor"
                    + " is connected to any node.",
                    facets = "minLength: 22, maxLength: 22") @OmitNull @Nullable String visitor,
            @Doc(value = "The ticket number that the waiting page shows, in the present line.",
                    facets = "minimum: 1") @OmitNull @Nullable Long place,
            @Doc("The tier of the ticket number, if the page names one.") @OmitNull @Nullable String tier) {}

    static String revoke(Request call) {
        return JsonBody.of(call, RevokeRequest.class).path("visitor").asString("");
    }

    static Function<Room, RoomChange> admit(Request call) {
        JsonNode visitors = JsonBody.of(call, AdmitRequest.class).path("visitors");
        if (!visitors.isIntegralNumber() || !visitors.canConvertToInt()) {
            throw JsonBody.bad("The number of visitors is missing or not a whole number: send {\"visitors\": 10}");
        }
        return _ -> new RoomChange.Admit(visitors.intValue());
    }

    static Function<Room, RoomChange> mode(Request call) {
        String text = JsonBody.of(call, ModeRequest.class).path("mode").asString("");
        return Arrays.stream(RoomMode.values()).filter(mode -> RoomControl.words(mode).equals(text)).findFirst()
                .<Function<Room, RoomChange>>map(mode -> _ -> new RoomChange.Mode(mode))
                .orElseThrow(() -> JsonBody.bad("The mode is missing or unknown: use "
                        + Arrays.stream(RoomMode.values()).map(RoomControl::words)
                                .collect(Collectors.joining(", "))));
    }

    static Function<Room, RoomChange> message(Request call) {
        JsonNode body = JsonBody.of(call, MessageRequest.class);
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

    static Function<Room, RoomChange> openAt(Request call) {
        JsonNode body = JsonBody.of(call, OpenAtRequest.class);
        String opens = body.path("opens").asString("");
        JsonNode closes = body.path("closes");
        if (opens.isEmpty() || !(closes.isMissingNode() || closes.isString())) {
            throw JsonBody.bad("The time is missing: send {\"opens\": \"2027-03-01T10:30 Europe/Berlin\"}, perhaps with"
                    + " \"closes\"");
        }
        return room -> room.movedOpening(Opening.parseTime(opens),
                closes.isString() ? Opening.parseTime(closes.stringValue()) : null);
    }

    static Function<Room, RoomChange> cancelOpening(Request call) {
        JsonBody.of(call, CancelOpeningRequest.class);
        return Room::cancelledOpening;
    }

    static Function<Room, RoomChange> drawValue(Request call) {
        JsonNode value = JsonBody.of(call, DrawValueRequest.class).path("value");
        if (!value.isString()) {
            throw JsonBody.bad("The value is missing: send {\"value\": \"...\"} as it was published");
        }
        return room -> room.drawValue(value.stringValue());
    }

    static Invite invite(Request call) {
        JsonNode body = JsonBody.of(call, InviteRequest.class);
        JsonNode count = body.path("count");
        JsonNode user = body.path("user");
        Duration life = period(body.path("expires").asString(""));
        if (!body.path("tier").isString() || !count.isIntegralNumber() || !count.canConvertToInt() || life == null
                || !(user.isString() || user.isNull() || user.isMissingNode())) {
            throw JsonBody.bad("The request names no invitations: send {\"tier\": \"press\", \"count\": 500,"
                    + " \"expires\": \"PT24H\"}, perhaps with \"user\"");
        }
        return new Invite(body.path("tier").stringValue(), count.intValue(), life,
                user.isString() ? user.stringValue() : null);
    }

    static Function<Room, RoomChange> epoch(Request call) {
        JsonBody.of(call, EpochRequest.class);
        return _ -> new RoomChange.NewEpoch();
    }

    /** Settings for absent members stay as they are; null restores the configured setting. */
    static Function<Room, RoomChange> settings(Request call) {
        JsonNode json = JsonBody.of(call, LimitsRequest.class);
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
