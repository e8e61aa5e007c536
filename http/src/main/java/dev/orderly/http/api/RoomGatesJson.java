package dev.orderly.http.api;

import dev.orderly.http.api.json.JsonText;
import dev.orderly.room.RoomName;
import dev.orderly.room.gate.RefusalReport;
import dev.orderly.room.gate.RoomFront;
import dev.orderly.room.gate.RoomRefusals;
import java.util.TreeMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What the gates of a room know together, as JSON. */
final class RoomGatesJson {
    private RoomGatesJson() {}

    static ObjectNode of(RoomName room, RoomFront front) {
        ObjectNode json = JsonText.object().put("room", room.value()).put("cursor", front.cursor());
        ArrayNode visitors = json.putArray("visitors");
        front.visitors().forEach(one -> visitors.addObject().put("place", one.place()).put("called", one.called())
                .put("presentUntil", JsonText.text(one.presence().until())).put("connected", one.presence().connected())
                .put("gate", one.presence().gate()).put("joined", JsonText.text(one.joined()))
                .put("visitor", JsonText.text(one.id())));
        return JsonText.unreachable(json, front.unreachable());
    }

    static ObjectNode of(RoomName room, RefusalReport report) {
        ObjectNode json = JsonText.object().put("room", room.value());
        ArrayNode refusals = json.putArray("refusals");
        report.rows().forEach(row -> {
            ObjectNode gates = refusals.addObject().put("cause", RoomStateJson.lower(row.cause()))
                    .put("count", row.count()).put("last", row.last().toString())
                    .put("remedy", remedy(row.cause(), room.value())).putObject("gates");
            new TreeMap<>(row.gates()).forEach(gates::put);
        });
        return JsonText.unreachable(json, report.unreachable());
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
}
