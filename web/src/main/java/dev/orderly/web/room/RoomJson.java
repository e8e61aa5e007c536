package dev.orderly.web.room;

import dev.orderly.room.OpeningStatus;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomState;
import dev.orderly.room.RoomState.TierLine;
import dev.orderly.room.Tiers;
import dev.orderly.room.forecast.WaitEstimate;
import dev.orderly.room.gate.LinePosition;
import dev.orderly.room.gate.Room;
import dev.orderly.text.ChosenText;
import dev.orderly.text.LocalizedText;
import dev.orderly.web.room.page.ShownWait;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The JSON for visitors and their programs. Built by hand, since it is built for every poll of every waiting visitor;
 * only the operator's message has to be escaped.
 */
final class RoomJson {
    private RoomJson() {}

    /**
     * The members of a document, without its braces.
     *
     * @param wanted the visitor's languages, by which the operator's message is chosen
     */
    static String position(Room room, LinePosition position, List<String> wanted) {
        RoomState state = room.state();
        Integer kept = ShownWait.told(room.estimatesKept());
        WaitEstimate estimate = position.estimate();
        StringBuilder json = new StringBuilder(320);
        json.append("\"state\":\"").append(stateOf(position, state)).append("\",\"room\":\"").append(state.room())
                .append("\",\"epoch\":").append(state.epoch()).append(",\"place\":")
                .append(Tiers.number(position.ticket().place())).append(tier(position, state))
                .append(",\"ahead\":").append(position.ahead().number()).append(",\"aheadKnown\":")
                .append(position.ahead().isKnown()).append(",\"progress\":")
                .append(Math.round(position.progress() * 1_000) / 1_000.0).append(",\"low\":")
                .append(seconds(estimate.low())).append(",\"high\":").append(seconds(estimate.high()))
                .append(",\"kept\":")
                .append(kept != null && estimate.high() != null ? kept.toString() : "null")
                .append(",\"cause\":\"").append(position.estimate().cause().wire()).append("\",\"poll\":")
                .append(pollSeconds(position)).append(',');
        return json.append(shared(state, wanted)).append(RoomOpenings.member(room)).toString();
    }

    /** The line of a tier; nothing in a room without tiers. */
    private static String tier(LinePosition position, RoomState state) {
        return state.tiers().isEmpty()
                ? ""
                : ",\"tier\":" + text(state.tier(position.ticket().place()).map(TierLine::name).orElse(null));
    }

    /** The lines of tiers in a room that has some, for the clients that read a cached answer. */
    private static String tiers(RoomState state) {
        return state.tiers().isEmpty()
                ? ""
                : state.tiers().stream().map(tier -> "{\"name\":" + text(tier.name()) + ",\"share\":" + tier.share()
                        + ",\"length\":" + Tiers.number(tier.line().length()) + ",\"cursor\":"
                        + Tiers.number(tier.line().cursor()) + ",\"door\":" + tier.door() + "}")
                        .collect(Collectors.joining(",", ",\"tiers\":[", "]"));
    }

    static String link(String link) {
        return "\"link\":" + text(link) + ",\"seconds\":300";
    }

    static String turn(RoomState state, List<String> wanted) {
        return "\"state\":\"turn\",\"room\":\"" + state.room() + "\",\"epoch\":" + state.epoch() + ","
                + shared(state, wanted);
    }

    static String closed(Room room, List<String> wanted) {
        RoomState state = room.state();
        return "\"state\":\"closed\",\"room\":\"" + state.room() + "\",\"epoch\":" + state.epoch() + ","
                + shared(state, wanted) + RoomOpenings.member(room);
    }

    /** The part that is equal for all visitors, so that a cache may answer it. */
    static byte[] cursor(Room room, long leastPoll, long mostPoll) {
        RoomState state = room.state();
        String json = "{\"room\":\"" + state.room() + "\",\"epoch\":" + state.epoch() + ",\"length\":"
                + state.line().length() + ",\"cursor\":" + state.line().cursor() + ",\"door\":"
                + state.seenFrom(0).load().door()
                + ",\"called\":{\"10s\":" + state.pace().called10() + ",\"60s\":" + state.pace().called60()
                + "},\"poll\":{\"least\":" + leastPoll + ",\"most\":" + mostPoll + "}," + shared(state, List.of())
                + messages(state) + tiers(state) + RoomOpenings.member(room)
                + ",\"time\":\"" + state.at().truncatedTo(ChronoUnit.SECONDS) + "\"}";
        return bytes(json);
    }

    static byte[] document(String members) {
        return bytes("{" + members + "}");
    }

    /** The poll interval in whole seconds, rounded up. */
    static long pollSeconds(LinePosition position) {
        return Math.max(1, position.poll().plusMillis(999).toSeconds());
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String shared(RoomState state, List<String> wanted) {
        LocalizedText message = state.message();
        String begin = "\"mode\":\"" + lower(state.mode()) + "\",\"message\":";
        if (message == null) {
            return begin + "null,\"messageLanguage\":null";
        }
        ChosenText choice = message.choose(wanted);
        return begin + text(choice.text()) + ",\"messageLanguage\":" + text(choice.language());
    }

    /** All texts of a message, from which a client that reads a cached answer chooses. */
    private static String messages(RoomState state) {
        LocalizedText message = state.message();
        return ",\"messages\":"
                + JsonMapper.shared().writeValueAsString(message == null ? Map.of() : message.byLanguage());
    }

    private static String stateOf(LinePosition position, RoomState state) {
        if (state.mode() == RoomMode.REJECT) {
            return "closed";
        }
        OpeningStatus opening = position.opening();
        if (opening != null) {
            return opening.opening() == null ? "closed" : "lobby";
        }
        return !state.mode().calls() ? "held" : position.soon() ? "door" : "waiting";
    }

    private static String seconds(@Nullable Duration duration) {
        return duration == null ? "null" : Long.toString(duration.toSeconds());
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static String text(@Nullable String message) {
        return message == null ? "null" : JsonMapper.shared().writeValueAsString(message);
    }
}
