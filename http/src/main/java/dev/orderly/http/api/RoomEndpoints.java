package dev.orderly.http.api;

import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.access.OperationEndpoints;
import dev.orderly.http.api.json.JsonBody;
import dev.orderly.http.api.json.JsonText;
import dev.orderly.operate.OperationSpec;
import dev.orderly.operate.RoomControl;
import dev.orderly.room.RoomState;
import dev.orderly.room.VisitorId;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.VisitorDiagnosis;
import dev.orderly.room.store.RoomChange;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.Response;
import dev.orderly.web.path.PathTemplate;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.route.Endpoint;
import dev.orderly.web.route.Endpoint.BodyLimit;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Rooms: state and operation. The answer to a change is the state after it. */
final class RoomEndpoints {
    private static final BodyLimit BODY = new BodyLimit(128 << 10, new Problem(ProblemType.TOO_LARGE,
            "The body has more than 128 KiB: a change of a room fits into less"));

    private final OperationEndpoints operations;
    private final RoomEngine engine;
    private final String base;

    RoomEndpoints(OperationEndpoints operations) {
        this.operations = operations;
        this.engine = operations.targets().rooms();
        this.base = operations.base() + "/rooms";
    }

    List<ApiEndpoint> endpoints() {
        return List.of(new ApiEndpoint("rooms", LeastRole.VIEWER, Endpoint.bodiless("GET", base, this::all)),
                new ApiEndpoint("room", LeastRole.VIEWER, Endpoint.bodiless("GET", base + "/{room}", this::single)),
                change(OperationSpec.LIMIT_ROOM, RoomRequests::settings),
                change(OperationSpec.ADMIT, RoomRequests::admit), change(OperationSpec.ROOM_MODE, RoomRequests::mode),
                change(OperationSpec.ROOM_MESSAGE, RoomRequests::message),
                change(OperationSpec.ROOM_EPOCH, RoomRequests::epoch),
                operations.of(OperationSpec.REVOKE_VISITOR, BODY, call -> RoomControl.revoke(room(call),
                        id(JsonBody.of(call, "visitor").path("visitor").asString(""))), (call, _) -> single(call)),
                new ApiEndpoint("whyVisitor", LeastRole.VIEWER, new Endpoint("POST",
                        PathTemplate.parse(base + "/{room}/why"), _ -> BODY, Map.of(), this::why)));
    }

    private ApiEndpoint change(OperationSpec spec, Function<Request, Function<Room, RoomChange>> read) {
        return operations.of(spec, BODY, call -> RoomControl.change(spec, room(call), read.apply(call)),
                (_, changed) -> answer(changed.after()));
    }

    private static String room(Request call) {
        return OperationEndpoints.param(call, "room");
    }

    private Response all(Request call) {
        QueryParameters.of(call.head());
        ObjectNode json = JsonText.object();
        ArrayNode rooms = json.putArray("rooms");
        engine.states().forEach(state -> rooms.add(json(state)));
        return Response.json(200, JsonText.of(json));
    }

    private Response single(Request call) {
        return answer(operations.targets().roomState(room(call)));
    }

    private static VisitorId id(String text) {
        return VisitorId.parse(text).orElseThrow(() -> JsonBody.bad("The visitor is not an id of"
                + " 22 characters: use the Orderly-Visitor header of a request to the origin"));
    }

    /** The ticket is a secret, so it comes in the body: addresses are logged. */
    private Response why(Request call) {
        Room room = operations.targets().room(room(call));
        JsonNode asked = JsonBody.of(call, "ticket", "visitor");
        String ticket = asked.path("ticket").asString("");
        String visitor = asked.path("visitor").asString("");
        if (ticket.isBlank() == visitor.isBlank()) {
            throw JsonBody.bad("Send {\"ticket\": \"...\"}, the value of the visitor's cookie,"
                    + " or {\"visitor\": \"...\"}, the visitor's id");
        }
        VisitorDiagnosis why = visitor.isBlank()
                ? room.diagnose(ticket.strip())
                : engine.diagnose(room.name(), id(visitor.strip()));
        return Response.json(200, JsonText.of(WhyJson.of(room.name(), why)));
    }

    private Response answer(RoomState state) {
        return Response.json(200, JsonText.of(json(state)));
    }

    private ObjectNode json(RoomState state) {
        return RoomStateJson.of(state, engine.find(state.room()).orElse(null));
    }
}
