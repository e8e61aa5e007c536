package dev.orderly.http.api;

import dev.orderly.http.message.QueryParameters;
import dev.orderly.http.message.Request;
import dev.orderly.http.message.RequestHead;
import dev.orderly.http.message.Response;
import dev.orderly.http.path.PathTemplate;
import dev.orderly.http.problem.Problem;
import dev.orderly.http.problem.ProblemType;
import dev.orderly.http.problem.Refusal;
import dev.orderly.http.route.Endpoint;
import dev.orderly.http.route.Endpoint.BodyLimit;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.VisitorId;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.store.RoomChange;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Rooms: state and operation. The answer to a change is the state after it. */
final class RoomEndpoints {
    private static final BodyLimit BODY = new BodyLimit(16 << 10, new Problem(ProblemType.TOO_LARGE,
            "The body has more than 16 KiB: a change of a room fits into less"));

    private final RoomEngine engine;
    private final String base;

    RoomEndpoints(RoomEngine engine, String base) {
        this.engine = engine;
        this.base = base + "/rooms";
    }

    List<Endpoint> endpoints() {
        return List.of(Endpoint.bodiless("GET", base, this::all),
                Endpoint.bodiless("GET", base + "/{room}", this::single),
                change("PATCH", "", call -> RoomRequests.settings(call, declared(call.head()))),
                change("POST", "/admit", RoomRequests::admit), change("POST", "/mode", RoomRequests::mode),
                change("POST", "/message", RoomRequests::message), change("POST", "/epoch", RoomRequests::epoch),
                new Endpoint("POST", PathTemplate.parse(base + "/{room}/why"), _ -> BODY, Map.of(), this::why),
                new Endpoint("POST", PathTemplate.parse(base + "/{room}/revoke"), _ -> BODY, Map.of(), this::revoke));
    }

    private Endpoint change(String method, String action, Function<Request, RoomChange> read) {
        return new Endpoint(method, PathTemplate.parse(base + "/{room}" + action), _ -> BODY, Map.of(), call -> {
            QueryParameters.of(call.head());
            Room room = declared(call.head());
            return answer(engine.change(room.name(), read.apply(call)));
        });
    }

    private Response all(Request call) {
        QueryParameters.of(call.head());
        ObjectNode json = JsonText.object();
        ArrayNode rooms = json.putArray("rooms");
        engine.states().forEach(state -> rooms.add(json(state)));
        return Response.json(200, JsonText.of(json));
    }

    private Response single(Request call) {
        QueryParameters.of(call.head());
        return answer(state(name(call.head())));
    }

    private Response revoke(Request call) {
        QueryParameters.of(call.head());
        Room room = declared(call.head());
        JsonNode visitor = JsonBody.of(call, "visitor").path("visitor");
        VisitorId id = VisitorId.parse(visitor.asString(""))
                .orElseThrow(() -> JsonBody.bad("The visitor is not an id of"
                        + " 22 characters: use the Orderly-Visitor header of a request to the origin"));
        engine.revoke(room.name(), id);
        return answer(state(room.name()));
    }

    /** The ticket is a secret, so it comes in the body: addresses are logged. */
    private Response why(Request call) {
        QueryParameters.of(call.head());
        Room room = declared(call.head());
        String ticket = JsonBody.of(call, "ticket").path("ticket").asString("");
        if (ticket.isBlank()) {
            throw JsonBody.bad("The ticket is missing: send {\"ticket\": \"...\"}, the value of the visitor's cookie");
        }
        return Response.json(200, JsonText.of(WhyJson.of(room.name(), room.diagnose(ticket.strip()))));
    }

    private Response answer(RoomState state) {
        return Response.json(200, JsonText.of(json(state)));
    }

    private ObjectNode json(RoomState state) {
        return RoomStateJson.of(state, engine.find(state.room()).orElse(null));
    }

    private RoomState state(RoomName name) {
        return engine.states().stream().filter(state -> state.room().equals(name)).findFirst()
                .orElseThrow(() -> unknown("Room " + name + " does not exist"));
    }

    private Room declared(RequestHead head) {
        RoomName name = name(head);
        return engine.find(name).orElseThrow(() -> unknown("Room " + name + " is not declared here"));
    }

    private RoomName name(RequestHead head) {
        try {
            return new RoomName(head.param("room"));
        } catch (IllegalArgumentException e) {
            throw new Refusal(ProblemType.UNKNOWN_ROOM, String.valueOf(e.getMessage()));
        }
    }

    private Refusal unknown(String what) {
        return new Refusal(ProblemType.UNKNOWN_ROOM,
                what + ": declare it in the configuration, or find the right name at " + base);
    }
}
