package dev.orderly.http.api;

import dev.orderly.http.listener.Answer;
import dev.orderly.http.listener.Call;
import dev.orderly.http.listener.Endpoint;
import dev.orderly.http.listener.Endpoint.BodyLimit;
import dev.orderly.http.listener.Head;
import dev.orderly.http.listener.PathPattern;
import dev.orderly.http.listener.Query;
import dev.orderly.http.problem.Problem;
import dev.orderly.http.problem.ProblemType;
import dev.orderly.http.problem.Refusal;
import dev.orderly.room.Room;
import dev.orderly.room.RoomChange;
import dev.orderly.room.RoomEngine;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.VisitorId;
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
                new Endpoint("POST", PathPattern.parse(base + "/{room}/revoke"), _ -> BODY, Map.of(), this::revoke));
    }

    private Endpoint change(String method, String action, Function<Call, RoomChange> read) {
        return new Endpoint(method, PathPattern.parse(base + "/{room}" + action), _ -> BODY, Map.of(), call -> {
            Query.of(call.head());
            Room room = declared(call.head());
            return answer(engine.change(room.name(), read.apply(call)));
        });
    }

    private Answer all(Call call) {
        Query.of(call.head());
        ObjectNode json = JsonText.object();
        ArrayNode rooms = json.putArray("rooms");
        engine.states().forEach(state -> rooms.add(json(state)));
        return Answer.json(200, JsonText.of(json));
    }

    private Answer single(Call call) {
        Query.of(call.head());
        return answer(state(name(call.head())));
    }

    private Answer revoke(Call call) {
        Query.of(call.head());
        Room room = declared(call.head());
        JsonNode visitor = JsonBody.of(call, "visitor").path("visitor");
        VisitorId id = VisitorId.parse(visitor.asString(""))
                .orElseThrow(() -> JsonBody.bad("The visitor is not an id of"
                        + " 22 characters: use the Orderly-Visitor header of a request to the origin"));
        engine.revoke(room.name(), id);
        return answer(state(room.name()));
    }

    private Answer answer(RoomState state) {
        return Answer.json(200, JsonText.of(json(state)));
    }

    private ObjectNode json(RoomState state) {
        return RoomStateJson.of(state, engine.find(state.room()).orElse(null));
    }

    private RoomState state(RoomName name) {
        return engine.states().stream().filter(state -> state.room().equals(name)).findFirst()
                .orElseThrow(() -> unknown("Room " + name + " does not exist"));
    }

    private Room declared(Head head) {
        RoomName name = name(head);
        return engine.find(name).orElseThrow(() -> unknown("Room " + name + " is not declared here"));
    }

    private RoomName name(Head head) {
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
