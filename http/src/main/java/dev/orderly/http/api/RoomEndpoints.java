package dev.orderly.http.api;

import dev.orderly.http.access.ApiCall;
import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.api.json.JsonBody;
import dev.orderly.http.api.json.JsonText;
import dev.orderly.room.Limits;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.VisitorId;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.VisitorDiagnosis;
import dev.orderly.room.gate.VisitorQuery;
import dev.orderly.room.store.RoomChange;
import dev.orderly.text.LocalizedText;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.path.PathTemplate;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.problem.Refusal;
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

    /** Visitors of the front by default. */
    private static final int FRONT = 50;

    private final RoomEngine engine;
    private final String base;

    RoomEndpoints(RoomEngine engine, String base) {
        this.engine = engine;
        this.base = base + "/rooms";
    }

    List<ApiEndpoint> endpoints() {
        return List.of(ApiEndpoint.view("rooms", LeastRole.VIEWER, Endpoint.bodiless("GET", base, this::all)),
                ApiEndpoint.view("room", LeastRole.VIEWER, Endpoint.bodiless("GET", base + "/{room}", this::single)),
                ApiEndpoint.view("roomFront", LeastRole.VIEWER,
                        Endpoint.bodiless("GET", base + "/{room}/front", this::front)),
                ApiEndpoint.view("roomRefusals", LeastRole.VIEWER,
                        Endpoint.bodiless("GET", base + "/{room}/refusals", this::refusals)),
                change("limitRoom", "PATCH", "", call -> RoomRequests.settings(call, declared(call.head()))),
                change("admit", "POST", "/admit", RoomRequests::admit),
                change("roomMode", "POST", "/mode", RoomRequests::mode),
                change("roomMessage", "POST", "/message", RoomRequests::message),
                change("roomEpoch", "POST", "/epoch", RoomRequests::epoch),
                operate("revokeVisitor", "POST", "/revoke", this::revoke),
                ApiEndpoint.view("whyVisitor", LeastRole.VIEWER, new Endpoint("POST",
                        PathTemplate.parse(base + "/{room}/why"), _ -> BODY, Map.of(), this::why)));
    }

    private ApiEndpoint operate(String operation, String method, String path, Endpoint.Action action) {
        return ApiEndpoint.change(operation, LeastRole.OPERATOR,
                new Endpoint(method, PathTemplate.parse(base + "/{room}" + path), _ -> BODY, Map.of(), action));
    }

    private ApiEndpoint change(String operation, String method, String path, Function<Request, RoomChange> read) {
        return operate(operation, method, path, call -> {
            QueryParameters.of(call.head());
            Room room = declared(call.head());
            RoomChange change = read.apply(call);
            return answer(ApiCall.current().change("room " + room.name(), audited(room.state()),
                    () -> engine.change(room.name(), change), RoomEndpoints::audited));
        });
    }

    /** The state in the audit log. */
    private static String audited(RoomState state) {
        Limits limits = state.override();
        LocalizedText message = state.message();
        return "mode " + RoomStateJson.lower(state.mode()) + ", epoch " + state.epoch()
                + (limits == null
                        ? ", configured limits"
                        : ", capacity " + limits.capacity() + ", rate " + rate(limits))
                + (message == null ? "" : ", message \"" + message + "\"");
    }

    private static String rate(Limits limits) {
        Rate rate = limits.rate();
        return rate == null ? "null" : rate.admissions() + " per " + rate.period();
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

    private Response front(Request call) {
        QueryParameters query = QueryParameters.of(call.head(), "limit");
        Room room = declared(call.head());
        return Response.json(200, JsonText.of(RoomGatesJson.of(room.name(),
                engine.front(room.name(), query.number("limit", 1, RoomEngine.FRONT_MAX, FRONT)))));
    }

    private Response refusals(Request call) {
        QueryParameters.of(call.head());
        Room room = declared(call.head());
        return Response.json(200, JsonText.of(RoomGatesJson.of(room.name(), engine.refusals(room.name()))));
    }

    private Response revoke(Request call) {
        QueryParameters.of(call.head());
        Room room = declared(call.head());
        JsonNode visitor = JsonBody.of(call, "visitor").path("visitor");
        VisitorId id = id(visitor.asString(""));
        ApiCall.current().change("room " + room.name(), "visitor " + id, () -> {
            engine.revoke(room.name(), id);
            return true;
        }, _ -> "revoked");
        return answer(state(room.name()));
    }

    private static VisitorId id(String text) {
        return VisitorId.parse(text).orElseThrow(() -> JsonBody.bad("The visitor is not an id of"
                + " 22 characters: use the Orderly-Visitor header of a request to the origin"));
    }

    /** The ticket is a secret, so it comes in the body: addresses are logged. */
    private Response why(Request call) {
        QueryParameters.of(call.head());
        Room room = declared(call.head());
        VisitorDiagnosis why = engine.diagnose(room.name(), query(JsonBody.of(call, "ticket", "visitor", "place")));
        return Response.json(200, JsonText.of(WhyJson.of(room.name(), why)));
    }

    private static VisitorQuery query(JsonNode asked) {
        String ticket = asked.path("ticket").asString("").strip();
        String visitor = asked.path("visitor").asString("").strip();
        JsonNode place = asked.path("place");
        boolean known = place.isIntegralNumber() && place.canConvertToLong() && place.longValue() > 0;
        if ((ticket.isEmpty() ? 0 : 1) + (visitor.isEmpty() ? 0 : 1) + (place.isMissingNode() ? 0 : 1) != 1
                || (!place.isMissingNode() && !known)) {
            throw JsonBody.bad("Send one of {\"place\": 458}, the ticket number that the waiting page shows,"
                    + " {\"ticket\": \"...\"}, the value of the visitor's cookie, and {\"visitor\": \"...\"},"
                    + " the visitor's id");
        }
        return known
                ? new VisitorQuery.ByPlace(place.longValue())
                : visitor.isEmpty() ? new VisitorQuery.ByTicket(ticket) : new VisitorQuery.ById(id(visitor));
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
