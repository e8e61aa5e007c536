package dev.orderly.http.api;

import static dev.orderly.http.openapi.ErrorAnswer.NOT_FOUND;

import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.access.OperationEndpoints;
import dev.orderly.http.api.json.JsonBody;
import dev.orderly.http.openapi.OperationDoc;
import dev.orderly.http.openapi.OperationDoc.Body;
import dev.orderly.http.openapi.Parameter;
import dev.orderly.http.openapi.RecordJson;
import dev.orderly.operate.OperationSpec;
import dev.orderly.operate.RoomControl;
import dev.orderly.room.RoomState;
import dev.orderly.room.VisitorId;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.VisitorDiagnosis;
import dev.orderly.room.gate.VisitorQuery;
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
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Rooms: state and operation. The answer to a change is the state after it. */
final class RoomEndpoints {
    private static final BodyLimit BODY = new BodyLimit(128 << 10, new Problem(ProblemType.TOO_LARGE,
            "The body has more than 128 KiB: a change of a room fits into less"));

    private static final String TAG = "rooms";
    private static final String ASKS = "Asks all nodes, and waits up to 2 s for them; a node that does not answer is"
            + " named.";

    /** Visitors of the front by default. */
    private static final int FRONT = 50;
    /** Takers in each list of places by default. */
    private static final int TAKERS = 10;

    private final OperationEndpoints operations;
    private final RoomEngine engine;
    private final String base;

    RoomEndpoints(OperationEndpoints operations) {
        this.operations = operations;
        this.engine = operations.targets().rooms();
        this.base = operations.base() + "/rooms";
    }

    List<ApiEndpoint> endpoints() {
        return Stream.concat(rooms().stream(), invitations().stream()).toList();
    }

    private List<ApiEndpoint> invitations() {
        return List.of(
                operations.of(OperationSpec.INVITE, BODY, call -> {
                    RoomRequests.Invite asked = RoomRequests.invite(call);
                    return RoomControl.invite(room(call), asked.tier(), asked.count(), asked.life(), asked.user());
                }, (call, issued) -> RecordJson.answer(201, InvitationJson.of(room(call), issued)),
                        OperationDoc.of(TAG, OperationSpec.INVITE)
                                .body(Body.of(RoomRequests.InviteRequest.class))
                                .answers(201, InvitationJson.class,
                                        "The invitations. Keep the codes: they are shown once.")),
                operations.bodiless(OperationSpec.REVOKE_INVITATIONS,
                        call -> RoomControl.revokeInvitations(room(call), OperationEndpoints.param(call, "series")),
                        (call, _) -> invitations(call),
                        OperationDoc.of(TAG, OperationSpec.REVOKE_INVITATIONS)
                                .answers(InvitationJson.Series.class, "The series.")),
                ApiEndpoint.view("invitations", base + "/{room}/invitations/{series}", this::invitations,
                        OperationDoc.of(TAG, "What became of the invitations of a series")
                                .details("In the room's epoch, as this node knows: it may lag by a second. How many"
                                        + " were issued is in the audit log.")
                                .answers(InvitationJson.Series.class, "The series.").refuses(NOT_FOUND)));
    }

    private List<ApiEndpoint> rooms() {
        return List.of(
                ApiEndpoint.view("rooms", base, this::all,
                        OperationDoc.of(TAG, "All rooms, by name").answers(RoomStateJson.All.class,
                                "The rooms. Counts come from the store and may lag by a second.")),
                ApiEndpoint.view("room", base + "/{room}", this::single,
                        OperationDoc.of(TAG, "One room").answers(RoomStateJson.class, "How it stands.")
                                .refuses(NOT_FOUND)),
                ApiEndpoint.view("roomFront", base + "/{room}/front", this::front,
                        OperationDoc.of(TAG, "The visitors at the front of the line")
                                .details(
                                        "The present visitors with the lowest places, whichever gate sees them. " + ASKS
                                                + " Answered while the store is away, too.")
                                .takes(Parameter.query("limit", Integer.class, "The most visitors.")
                                        .with("minimum: 1, maximum: " + RoomEngine.FRONT_MAX + ", default: " + FRONT))
                                .answers(GatesJson.Front.class, "The front.").refuses(NOT_FOUND)),
                ApiEndpoint.view("roomRefusals", base + "/{room}/refusals", this::refusals,
                        OperationDoc.of(TAG, "What the gates refused to visitors")
                                .details("By cause, each gate since its start. " + ASKS)
                                .answers(GatesJson.Refusals.class, "The refusals.").refuses(NOT_FOUND)),
                new ApiEndpoint("roomPlaces", LeastRole.OPERATOR,
                        Endpoint.bodiless("GET", base + "/{room}/places", this::places),
                        OperationDoc.of(TAG, "Who took places lately")
                                .details("By address, network and sign-in, in the present hour of each gate and the one"
                                        + " before; kept in memory only, and never with tickets or passes. " + ASKS)
                                .takes(Parameter.query("limit", Integer.class, "The most takers in each list.")
                                        .with("minimum: 1, maximum: " + RoomEngine.PLACES_MAX + ", default: "
                                                + TAKERS))
                                .answers(GatesJson.Places.class, "The takers.").refuses(NOT_FOUND)),
                change(OperationSpec.LIMIT_ROOM, RoomRequests::settings, RoomRequests.LimitsRequest.class, "The room."),
                change(OperationSpec.ADMIT, RoomRequests::admit, RoomRequests.AdmitRequest.class,
                        "The room; `granted` is the number of visitors still to be admitted."),
                change(OperationSpec.OPEN_AT, RoomRequests::openAt, RoomRequests.OpenAtRequest.class, "The room."),
                change(OperationSpec.CANCEL_OPENING, RoomRequests::cancelOpening,
                        RoomRequests.CancelOpeningRequest.class, "The room."),
                change(OperationSpec.DRAW_VALUE, RoomRequests::drawValue, RoomRequests.DrawValueRequest.class,
                        "The room."),
                change(OperationSpec.ROOM_MODE, RoomRequests::mode, RoomRequests.ModeRequest.class, "The room."),
                change(OperationSpec.ROOM_MESSAGE, RoomRequests::message, RoomRequests.MessageRequest.class,
                        "The room."),
                change(OperationSpec.ROOM_EPOCH, RoomRequests::epoch, RoomRequests.EpochRequest.class, "The room."),
                operations.of(OperationSpec.REVOKE_VISITOR, BODY,
                        call -> RoomControl.revoke(room(call), id(RoomRequests.revoke(call))),
                        (call, _) -> single(call),
                        OperationDoc.of(TAG, OperationSpec.REVOKE_VISITOR)
                                .body(Body.of(RoomRequests.RevokeRequest.class))
                                .answers(RoomStateJson.class, "The room.")),
                new ApiEndpoint("whyVisitor", LeastRole.VIEWER,
                        new Endpoint("POST", PathTemplate.parse(base + "/{room}/why"), _ -> BODY, Map.of(), this::why),
                        OperationDoc.of(TAG, "What keeps a visitor from entering")
                                .details("Found by the ticket number that the waiting page shows, by the ticket, or by"
                                        + " the visitor's id. " + ASKS)
                                .body(Body.of(RoomRequests.WhyRequest.class)
                                        .saying("What is known of the visitor. A ticket is a secret: the value of the"
                                                + " cookie."))
                                .answers(WhyJson.Visitor.class, "The cause, as all gates see it that answered.")
                                .refuses(NOT_FOUND)));
    }

    private ApiEndpoint change(OperationSpec spec, Function<Request, Function<Room, RoomChange>> read, Class<?> body,
            String answer) {
        return operations.of(spec, BODY, call -> RoomControl.change(spec, room(call), read.apply(call)),
                (_, changed) -> answer(changed.after()), OperationDoc.of(TAG, spec)
                        .body(Body.of(body)).answers(RoomStateJson.class, answer));
    }

    private static String room(Request call) {
        return OperationEndpoints.param(call, "room");
    }

    private Response all(Request call) {
        QueryParameters.of(call.head());
        return RecordJson.ok(new RoomStateJson.All(engine.states().stream().map(this::json).toList()));
    }

    private Response single(Request call) {
        return answer(operations.targets().roomState(room(call)));
    }

    private Response front(Request call) {
        QueryParameters query = QueryParameters.of(call.head(), "limit");
        Room room = operations.targets().room(call.head().param("room"));
        return RecordJson.ok(GatesJson.Front.of(room.name(),
                engine.front(room.name(), query.number("limit", 1, RoomEngine.FRONT_MAX, FRONT))));
    }

    private Response refusals(Request call) {
        Room room = operations.targets().room(room(call));
        return RecordJson.ok(GatesJson.Refusals.of(room.name(), engine.refusals(room.name())));
    }

    private Response places(Request call) {
        QueryParameters query = QueryParameters.of(call.head(), "limit");
        Room room = operations.targets().room(call.head().param("room"));
        return RecordJson.ok(GatesJson.Places.of(room.name(),
                engine.places(room.name(), query.number("limit", 1, RoomEngine.PLACES_MAX, TAKERS))));
    }

    private Response invitations(Request call) {
        Room room = operations.targets().room(room(call));
        String series = OperationEndpoints.param(call, "series");
        long id = RoomControl.series(series);
        return RecordJson.ok(new InvitationJson.Series(room.name().value(), series, room.invited(id),
                room.isRevoked(id)));
    }

    private static VisitorId id(String text) {
        return VisitorId.parse(text).orElseThrow(() -> JsonBody.bad("The visitor is not an id of"
                + " 22 characters: use the Orderly-Visitor header of a request to the origin"));
    }

    /** The ticket is a secret, so it comes in the body: addresses are logged. */
    private Response why(Request call) {
        Room room = operations.targets().room(room(call));
        VisitorDiagnosis why = engine.diagnose(room.name(), query(JsonBody.of(call, RoomRequests.WhyRequest.class)));
        return RecordJson.ok(WhyJson.Visitor.of(room.name(), why));
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
        String tier = asked.path("tier").asString("").strip();
        return known
                ? tier.isEmpty()
                        ? new VisitorQuery.ByPlace(place.longValue())
                        : new VisitorQuery.ByTier(tier, place.longValue())
                : visitor.isEmpty() ? new VisitorQuery.ByTicket(ticket) : new VisitorQuery.ById(id(visitor));
    }

    private Response answer(RoomState state) {
        return RecordJson.ok(json(state));
    }

    private RoomStateJson json(RoomState state) {
        return RoomStateJson.of(state, engine.find(state.room()).orElse(null));
    }
}
