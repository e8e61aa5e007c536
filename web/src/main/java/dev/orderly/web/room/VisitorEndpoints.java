package dev.orderly.web.room;

import dev.orderly.room.OpeningStatus;
import dev.orderly.room.RoomState;
import dev.orderly.room.crowd.Newcomer;
import dev.orderly.room.gate.LinePosition;
import dev.orderly.room.gate.Reply;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.gate.Visit;
import dev.orderly.room.invitation.InvitationRefusal;
import dev.orderly.room.work.WorkSolution;
import dev.orderly.web.edge.EdgeHandler;
import dev.orderly.web.edge.EdgeRequest;
import dev.orderly.web.header.AnswerPreference;
import dev.orderly.web.message.Header;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.route.RequestRouter.Match;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The endpoints for visitors of a room, below {@code /.orderly/rooms/ROOM}: {@code cursor}, {@code ticket},
 * {@code pass}, {@code events}, {@code link}, {@code move}, {@code invitation}, {@code draw},
 * {@code receipt} and {@code nonce}. Never gated; answered from memory unless a place or pass
 * is requested.
 */
final class VisitorEndpoints implements EdgeHandler {
    private static final String BASE = "/.orderly/rooms/";
    private static final String CURSOR_CACHE = "public, max-age=1, s-maxage=1, stale-while-revalidate=5,"
            + " stale-if-error=60";

    private final Map<String, ProtectedRoom> rooms;
    private final WaitingStreams streams;

    VisitorEndpoints(List<ProtectedRoom> rooms, WaitingStreams streams) {
        this.streams = streams;
        this.rooms = rooms.stream().collect(Collectors.toUnmodifiableMap(room -> room.name().value(),
                Function.identity()));
    }

    @Override
    public Match match(EdgeRequest request, Next next) {
        String wire = request.path().wire();
        return wire.startsWith(BASE) ? match(wire, VisitorRequest.of(request)) : next.match(request);
    }

    private Match match(String wire, VisitorRequest caller) {
        int slash = wire.indexOf('/', BASE.length());
        ProtectedRoom room = slash < 0 ? null : rooms.get(wire.substring(BASE.length(), slash));
        if (room == null) {
            throw new ProblemException(ProblemType.UNKNOWN_PATH,
                    "There is nothing at this path: check the name of the room, and the path for a missing, doubled or"
                            + " trailing slash");
        }
        String method = caller.method().equals("HEAD") ? "GET" : caller.method();
        return switch (wire.substring(slash + 1) + " " + method) {
            case "cursor GET" -> new Match.Immediate(cursor(room, caller));
            case "ticket GET" -> look(room, caller);
            case "ticket POST" -> isForm(caller) ? form(room, caller) : join(room, caller);
            case "ticket DELETE" -> leave(room, caller);
            case "pass POST" -> enter(room, caller);
            case "link POST" -> new Match.Immediate(MoveEndpoints.link(room, caller));
            case "move GET" -> new Match.Immediate(MoveEndpoints.ask(room, caller));
            case "move POST" -> MoveEndpoints.take(room, caller);
            case "invitation GET" -> new Match.Immediate(InvitationEndpoints.ask(room, caller));
            case "invitation POST" -> InvitationEndpoints.take(room, caller);
            case "draw GET" -> new Match.Immediate(DrawEndpoints.draw(room));
            case "receipt GET" -> DrawEndpoints.receipt(room, caller);
            case "nonce POST" -> DrawEndpoints.nonce(room, caller);
            case "events GET" -> RoomEvents.open(room, caller, streams);
            case String call when call.startsWith("cursor ") || call.startsWith("events ")
                    || call.startsWith("draw ") || call.startsWith("receipt ") ->
                throw notAllowed("GET");
            case String call when call.startsWith("ticket ") -> throw notAllowed("DELETE, GET, POST");
            case String call when call.startsWith("move ") || call.startsWith("invitation ") ->
                throw notAllowed("GET, POST");
            case String call when call.startsWith("pass ") || call.startsWith("link ")
                    || call.startsWith("nonce ") ->
                throw notAllowed("POST");
            default -> throw new ProblemException(ProblemType.UNKNOWN_PATH,
                    "A room has cursor, ticket, pass, events, link, move, invitation, draw, receipt and nonce: use one"
                            + " of them");
        };
    }

    private static ProblemException notAllowed(String allow) {
        return new ProblemException(
                new Problem(ProblemType.METHOD_NOT_ALLOWED, "This path takes " + allow + ": use one of those")
                        .withHeader("Allow", allow));
    }

    private static Response cursor(ProtectedRoom room, VisitorRequest caller) {
        Room shown = room.gated().room();
        RoomState state = shown.state();
        var poll = shown.options().poll();
        // The phase and the time left advance by the clock, also while no state comes from the store.
        String clock = shown.options().openings().isEmpty() ? "" : "-" + shown.now().getEpochSecond();
        String tag = "\"" + state.epoch() + "-" + state.at().getEpochSecond() + clock + "\"";
        List<Header> headers = List.of(new Header("Content-Type", Response.JSON),
                new Header("Cache-Control", CURSOR_CACHE), new Header("ETag", tag),
                new Header("Access-Control-Allow-Origin", "*"));
        if (caller.header("If-None-Match").contains(tag)) {
            return new Response(304, headers.subList(1, headers.size()), new byte[0]);
        }
        return new Response(200, headers, RoomJson.cursor(shown, poll.least().toSeconds(),
                poll.most().toSeconds()));
    }

    private static Match look(ProtectedRoom room, VisitorRequest caller) {
        ShownTokens credentials = room.credentials(caller);
        return answered(room, () -> room.visits().look(credentials), visit -> switch (visit) {
            case Visit.NoTicket _ -> credentials.tickets().isEmpty() && caller.preference() == AnswerPreference.HTML
                    ? room.answers().withoutCookies(caller)
                    : gone(room, caller, credentials);
            default -> toResponse(room, caller, visit, 200);
        });
    }

    private static Match join(ProtectedRoom room, VisitorRequest caller) {
        ShownTokens credentials = room.credentials(caller);
        String code = InvitationEndpoints.sent(room, caller);
        return answered(room, () -> code == null
                ? room.visits().arrive(credentials, room.newcomer(caller), true)
                : InvitationEndpoints.redeem(room, caller, credentials, code),
                visit -> toResponse(room, caller, visit, 200));
    }

    private static Match enter(ProtectedRoom room, VisitorRequest caller) {
        ShownTokens credentials = room.credentials(caller);
        return answered(room, () -> room.visits().enter(credentials), visit -> switch (visit) {
            case Visit.NoTicket _ -> gone(room, caller, credentials);
            default -> toResponse(room, caller, visit, 202);
        });
    }

    /** @param waiting the status for a visitor who waits with a known ticket */
    static Response toResponse(ProtectedRoom room, VisitorRequest caller, Visit visit, int waiting) {
        RoomState state = room.gated().room().state();
        return switch (visit) {
            case Visit.Waiting(LinePosition position, String token, boolean taken) -> {
                Response answer = Response.json(taken ? 201 : waiting,
                        RoomJson.document(RoomJson.position(room.gated().room(), position, caller.languages())))
                        .addHeader("Retry-After", Long.toString(RoomJson.pollSeconds(position)));
                yield token == null ? answer : answer.addHeader("Set-Cookie", room.ticketCookie(token, caller));
            }
            case Visit.Admitted(_, String token, String ticket) -> {
                Response answer = Response.json(200, RoomJson.document(RoomJson.turn(state, caller.languages())));
                Response more = ticket == null
                        ? answer
                        : answer.addHeader("Set-Cookie", room.ticketCookie(ticket, caller));
                yield token == null ? more : more.addHeader("Set-Cookie", room.passCookie(token, caller));
            }
            case Visit.Ungated _ -> Response.json(200, RoomJson.document(RoomJson.turn(state, caller.languages())));
            case Visit.TurnedAway(OpeningStatus opening) ->
                Response.json(409, RoomJson.document(RoomJson.closed(room.gated().room(), caller.languages())))
                        .addHeader("Retry-After", Long.toString(room.answers().retry(caller, opening).toSeconds()));
            case Visit.TooMany(Duration retry) -> room.answers().tooMany(caller, retry);
            case Visit.Slowed slowed -> room.slowed(slowed, caller);
            case Visit.NotInvited(InvitationRefusal why) -> InvitationEndpoints.refused(room, caller, why);
            case Visit.NotSignedIn _ -> MoveEndpoints.signIn(room, caller);
            case Visit.Refused _ -> room.answers().refused(caller);
            case Visit.Unchecked(Duration retry) -> room.answers().unchecked(caller, retry);
            case Visit.Unavailable(Duration retry) -> room.answers().unavailable(caller, retry);
            case Visit.NoTicket _ -> gone(room, caller, ShownTokens.NONE);
            case Visit.Moved _ -> Response.problem(MoveEndpoints.movedProblem(room), caller.head().path());
        };
    }

    static Response gone(ProtectedRoom room, VisitorRequest caller, ShownTokens shown) {
        boolean none = shown.tickets().isEmpty() && shown.passes().isEmpty();
        Problem problem = none
                ? new Problem(ProblemType.NO_TICKET, "No ticket of room " + room.name()
                        + " came with the request: get one with POST " + BASE + room.name() + "/ticket")
                : new Problem(ProblemType.TICKET_GONE, "The ticket is expired, used up, given back or of an earlier"
                        + " line: get another with POST " + BASE + room.name() + "/ticket");
        return Response.problem(problem, caller.head().path());
    }

    private static Match leave(ProtectedRoom room, VisitorRequest caller) {
        return new Match.Deferred(room.visits().leave(room.credentials(caller)).thenApply(
                _ -> new Match.Immediate(new Response(204, room.cleared(caller), new byte[0]))));
    }

    private static boolean isForm(VisitorRequest caller) {
        String type = caller.head().headers().get("Content-Type");
        return type != null && type.startsWith("application/x-www-form-urlencoded");
    }

    /**
     * The forms of pages: a button gives the place back, another drops the ticket of a place that was moved. Script and
     * programs send a proof of work.
     */
    private static Match form(ProtectedRoom room, VisitorRequest caller) {
        MoveEndpoints.checkSite(caller.head());
        return MoveEndpoints.form(caller, body -> {
            if (body.contains("action=leave")) {
                room.visits().leave(room.credentials(caller)).toCompletableFuture().join();
                return withCleared(room, caller, room.answers().left(caller));
            }
            if (body.contains("action=anew")) {
                return withCleared(room, caller, new Response(303,
                        List.of(new Header("Location", MoveEndpoints.backOf(body))), new byte[0]));
            }
            String work = MoveEndpoints.fields(body).get("altcha");
            if (work != null) {
                return worked(room, caller, work);
            }
            throw new ProblemException(ProblemType.MALFORMED,
                    "The form says none of action=leave, action=anew and altcha: send no form to get a ticket");
        });
    }

    /** A solution that does not count is as none, and answered with another challenge. */
    private static Response worked(ProtectedRoom room, VisitorRequest caller, String payload) {
        Newcomer newcomer = room.newcomer(caller, WorkSolution.read(payload).orElse(null));
        Visit visit = room.visits().arrive(room.credentials(caller), newcomer, true).stage()
                .toCompletableFuture().join();
        return toResponse(room, caller, visit, 200);
    }

    private static Response withCleared(ProtectedRoom room, VisitorRequest caller, Response response) {
        Response answer = response;
        for (Header header : room.cleared(caller)) {
            answer = answer.addHeader(header.name(), header.value());
        }
        return answer;
    }

    private static Match answered(ProtectedRoom room, Supplier<Reply<Visit>> decision,
            Function<Visit, Response> answer) {
        Function<Visit, Match> match = visit -> {
            Match answered = new Match.Immediate(answer.apply(visit));
            return visit instanceof Visit.Waiting told ? answered.with(room.answering(told)) : answered;
        };
        return switch (decision.get()) {
            case Reply.Now<Visit>(Visit visit) -> match.apply(visit);
            case Reply.Later<Visit> later -> room.deferred(later, decision, match, () -> null);
        };
    }
}
