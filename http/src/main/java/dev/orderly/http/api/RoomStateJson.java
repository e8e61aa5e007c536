package dev.orderly.http.api;

import dev.orderly.http.api.json.JsonText;
import dev.orderly.room.Limits;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.RoomState;
import dev.orderly.room.forecast.WaitEstimate;
import dev.orderly.room.gate.Room;
import dev.orderly.text.LocalizedText;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Rooms as JSON. */
final class RoomStateJson {
    private RoomStateJson() {}

    /** @param declared null for a room that this node does not declare */
    static ObjectNode of(RoomState state, @Nullable Room declared) {
        RoomOptions options = declared == null ? null : declared.options();
        RoomState.Line line = state.line();
        RoomState.Load load = state.load();
        ObjectNode json = JsonText.object().put("room", state.room().value()).put("mode", lower(state.mode()))
                .put("epoch", state.epoch()).put("length", line.length())
                .put("cursor", line.cursor()).put("waiting", line.waiting()).put("door", load.door())
                .put("active", load.active()).put("free", load.free()).put("granted", load.granted())
                .put("gates", load.gates());
        LocalizedText message = state.message();
        json.put("message", message == null ? null : message.choose(List.of()).text());
        ObjectNode messages = json.putObject("messages");
        if (message != null) {
            message.byLanguage().forEach(messages::put);
        }
        json.putObject("admitted").put("last10s", state.pace().admitted10()).put("last60s", state.pace().admitted60())
                .put("sinceEpoch", state.pace().admitted());
        json.put("slowed", lower(state.slowed()));
        json.put("backlogSignal", declared == null ? null : lower(declared.backlogSignal()));
        ObjectNode limits = json.putObject("limits");
        limits.set("configured", options == null ? null : limits(state.limitsConfigured(options)));
        Limits override = state.override();
        limits.set("override", override == null ? null : limits(override));
        limits.set("inForce", limits(state.limits()));
        limits.set("next", options == null
                ? null
                : state.nextLimits(options).map(next -> limits(next.limits()).put("at", next.at().toString()))
                        .orElse(null));
        WaitEstimate estimate = declared == null
                ? WaitEstimate.unknown(WaitEstimate.Cause.LEARNING)
                : declared.forNewcomer();
        json.putObject("estimate").put("low", JsonText.text(estimate.low())).put("high", JsonText.text(estimate.high()))
                .put("cause", lower(estimate.cause()));
        return json.put("at", state.at().toString());
    }

    private static ObjectNode limits(Limits limits) {
        ObjectNode json = JsonText.object();
        json.put("capacity", limits.capacity());
        json.set("rate", limits.mostAdmissions().map(rate -> JsonText.object().put("visitors", rate.admissions())
                .put("period", rate.period().toString())).orElse(null));
        return json;
    }

    /** A constant in the spelling of the configuration and the API. */
    static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
