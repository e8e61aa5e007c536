package dev.orderly.web.room;

import dev.orderly.room.VisitorId;
import dev.orderly.room.gate.Reply;
import dev.orderly.room.gate.RoomVisits;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.gate.Visit;
import dev.orderly.room.invitation.InvitationRefusal;
import dev.orderly.web.header.AnswerPreference;
import dev.orderly.web.message.Header;
import dev.orderly.web.message.Response;
import dev.orderly.web.page.ReaderLanguages;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.room.page.InvitationPage;
import dev.orderly.web.room.page.InvitationPage.Kind;
import dev.orderly.web.room.page.InvitationPage.Values;
import dev.orderly.web.route.RequestRouter.Match;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Invitations of visitors: the page of a room that takes a code, its form, and the header {@value #HEADER} of programs.
 * The code of a link is its fragment, which browsers send nowhere: neither logs nor programs that look at the links of
 * a mail get it.
 */
final class InvitationEndpoints {
    /** The code of an invitation, with a request for a page or for a ticket. */
    static final String HEADER = "Orderly-Invitation";

    private static final String HTML = "text/html; charset=utf-8";

    private InvitationEndpoints() {}

    /** The address of the page, for the waiting page; null for a room without invitations. */
    static @Nullable String address(ProtectedRoom room) {
        return isOn(room) ? MoveEndpoints.base(room) + "/invitation" : null;
    }

    private static boolean isOn(ProtectedRoom room) {
        return !room.gated().room().options().tiers().invited().isEmpty();
    }

    /** The code that a program sends; null for none. */
    static @Nullable String sent(ProtectedRoom room, VisitorRequest caller) {
        List<String> codes = caller.header(HEADER);
        return codes.isEmpty() || !isOn(room) ? null : codes.getFirst().strip();
    }

    /** Redeems the code of a program, which may repeat a request with an idempotency key. */
    static Reply<Visit> redeem(ProtectedRoom room, VisitorRequest caller, ShownTokens shown, String code) {
        RoomVisits visits = room.visits();
        List<String> keys = caller.header("Idempotency-Key");
        return visits.redeem(shown, code, keys.isEmpty() ? visits.newDevice() : keys.getFirst(), room.newcomer(caller));
    }

    /** The page that asks for a code. */
    static Response ask(ProtectedRoom room, VisitorRequest caller) {
        checkOn(room);
        String query = caller.query();
        String back = query == null ? caller.cameFrom() : MoveEndpoints.backOf(query);
        return page(room, caller, 200, new Values(Kind.ASK, "", room.visits().newDevice(), back));
    }

    /** The form of that page. */
    static Match.Collected take(ProtectedRoom room, VisitorRequest caller) {
        checkOn(room);
        MoveEndpoints.checkSite(caller.head());
        return MoveEndpoints.form(caller, body -> taken(room, caller, MoveEndpoints.fields(body)));
    }

    private static Response taken(ProtectedRoom room, VisitorRequest caller, Map<String, String> fields) {
        RoomVisits visits = room.visits();
        String text = fields.getOrDefault("code", "").strip();
        String code = text.substring(text.lastIndexOf('#') + 1);
        String shown = fields.getOrDefault("device", "");
        String device = VisitorId.parse(shown).isPresent() ? shown : visits.newDevice();
        String back = MoveEndpoints.local(fields.getOrDefault("back", "/"));
        Visit visit = visits.redeem(room.credentials(caller), code, device, room.newcomer(caller)).stage()
                .toCompletableFuture().join();
        if (caller.preference() != AnswerPreference.HTML) {
            return VisitorEndpoints.toResponse(room, caller, visit, 200);
        }
        return switch (visit) {
            case Visit.NotInvited(InvitationRefusal why) ->
                page(room, caller, 403, new Values(Kind.of(why), code, device, back));
            case Visit.TooMany(Duration retry) ->
                page(room, caller, 429, new Values(Kind.ASK_LATER, code, device, back))
                        .addHeader("Retry-After", Long.toString(retry.toSeconds() + 1));
            case Visit.Unavailable(Duration retry) ->
                page(room, caller, 503, new Values(Kind.ASK_AGAIN, code, device, back))
                        .addHeader("Retry-After", Long.toString(Math.max(1, retry.toSeconds())));
            case Visit.Waiting(_, String token, _) -> goOn(back, caller, room, token, null);
            case Visit.Admitted(_, String token, String ticket) -> goOn(back, caller, room, ticket, token);
            case Visit.Ungated(String ticket, String token) -> goOn(back, caller, room, ticket, token);
            case Visit.TurnedAway _,Visit.NoTicket _,Visit.Moved _,Visit.Slowed _ ->
                goOn(back, caller, room, null, null);
            case Visit.NotSignedIn _ -> MoveEndpoints.signInPage(room, caller, back);
            case Visit.Refused _,Visit.Unchecked _ -> goOn(back, caller, room, null, null);
        };
    }

    /** Back to the page of the site, which shows the visitor's place or lets the visitor in. */
    private static Response goOn(String back, VisitorRequest caller, ProtectedRoom room, @Nullable String ticket,
            @Nullable String pass) {
        Response answer = new Response(303,
                List.of(new Header("Location", back), new Header("Cache-Control", "no-store")),
                new byte[0]);
        Response more = ticket == null ? answer : answer.addHeader("Set-Cookie", room.ticketCookie(ticket, caller));
        return pass == null ? more : more.addHeader("Set-Cookie", room.passCookie(pass, caller));
    }

    /** The answer to a code that a program sent and that gives no place. */
    static Response refused(ProtectedRoom room, VisitorRequest caller, InvitationRefusal why) {
        return caller.preference() == AnswerPreference.HTML
                ? page(room, caller, 403, new Values(Kind.of(why), "", room.visits().newDevice(),
                        MoveEndpoints.here(room, caller)))
                : Response.problem(problem(why), caller.head().path());
    }

    private static Problem problem(InvitationRefusal why) {
        return new Problem(ProblemType.INVITATION_REFUSED, switch (why) {
            case UNKNOWN -> "The code is no invitation to this room: check it";
            case ENDED -> "The invitation has ended: ask for another one";
            case USED -> "The invitation has given its place: go on with the ticket that came with it";
            case SPENT ->
                "The invitation gave its place to this device, and the place is over: take a new place without it";
            case REVOKED -> "The invitation was revoked: ask those who sent it";
            case OTHER_USER -> "The invitation is for another user: send the token of its user";
            case SOONER -> "The visitor enters sooner with the present place, which is kept: keep the invitation";
        }).withMember("reason", why.wire());
    }

    private static void checkOn(ProtectedRoom room) {
        if (!isOn(room)) {
            throw new ProblemException(ProblemType.UNKNOWN_PATH,
                    "This room has no invitations: set invitations: true for one of its tiers");
        }
    }

    private static Response page(ProtectedRoom room, VisitorRequest caller, int status, Values values) {
        InvitationPage page = room.gated().page().inviting();
        ReaderLanguages reader = ReaderLanguages.of(caller.header("Accept-Language"));
        return Response.of(status, HTML, page.render(values, reader)).addHeader("Cache-Control", "no-store")
                .addHeader("Referrer-Policy", "same-origin").addHeader("Content-Language", reader.page().tag())
                .addHeader("Content-Security-Policy", page.contentSecurityPolicy())
                .addHeader("X-Robots-Tag", "noindex");
    }
}
