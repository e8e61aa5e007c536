package dev.orderly.http.api;

import dev.orderly.http.api.json.JsonText;
import dev.orderly.room.Limits;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.RoomState;
import dev.orderly.room.forecast.WaitEstimate;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomRefusals;
import dev.orderly.text.LocalizedText;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
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
        json.putObject("estimate").put("low", text(estimate.low())).put("high", text(estimate.high()))
                .put("cause", lower(estimate.cause()));
        if (declared != null) {
            refusals(declared, json.putArray("refusals"));
        }
        return json.put("at", state.at().toString());
    }

    private static void refusals(Room room, ArrayNode json) {
        for (RoomRefusals.Cause cause : RoomRefusals.Cause.values()) {
            RoomRefusals.Total total = room.refusals().total(cause);
            if (total.last() != null) {
                json.addObject().put("cause", lower(cause)).put("count", total.count())
                        .put("last", total.last().toString()).put("remedy", remedy(cause, room.name().value()));
            }
        }
    }

    private static String remedy(RoomRefusals.Cause cause, String room) {
        return switch (cause) {
            case JOINS_PER_ADDRESS -> "visitors share an address, or one client takes many places: raise rooms." + room
                    + ".joins-per-address, or name the proxy in front in edge.trusted-proxies";
            case UNTAKEN_PER_ADDRESS -> "visitors share an address, or a client drops its cookies: raise rooms." + room
                    + ".untaken-per-address, or name the proxy in front in edge.trusted-proxies";
            case ADDRESSES_PER_PASS -> "visitors change addresses, or a pass was copied: raise rooms." + room
                    + ".addresses-per-pass";
            case FORWARDED_FOR_NOT_TRUSTED -> "if the sender is your proxy, all visitors behind it count as one"
                    + " address: name it in edge.trusted-proxies";
            case TOKEN -> "tickets or passes are old, copied or made up; after a change of the secret, name the former"
                    + " secret too";
            case MODE -> "the room admits nobody new by an operator's order: orderly room auto " + room;
            case STORE -> "the store is out of reach: see its log, or set rooms." + room + ".on-failure";
        };
    }

    private static ObjectNode limits(Limits limits) {
        ObjectNode json = JsonText.object();
        json.put("capacity", limits.capacity());
        json.set("rate", limits.mostAdmissions().map(rate -> JsonText.object().put("visitors", rate.admissions())
                .put("period", rate.period().toString())).orElse(null));
        return json;
    }

    private static @Nullable String text(@Nullable Duration duration) {
        return duration == null ? null : duration.toString();
    }

    /** A constant in the spelling of the configuration and the API. */
    static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
