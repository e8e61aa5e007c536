package dev.orderly.web.room;

import dev.orderly.room.VisitorId;
import dev.orderly.room.gate.LinePosition;
import dev.orderly.room.gate.Visit;
import dev.orderly.web.header.AnswerPreference;
import dev.orderly.web.message.Header;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.message.StrictText;
import dev.orderly.web.page.ReaderLanguages;
import dev.orderly.web.path.PathTemplate;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.room.page.MovePage;
import dev.orderly.web.room.page.MovePage.Kind;
import dev.orderly.web.route.Endpoint;
import dev.orderly.web.route.RequestRouter.Match;
import dev.orderly.web.user.PageOrigins;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The calls that move a place to another device: {@code link} makes a link on the device with the place, {@code move}
 * takes it on the other device. The secret is the fragment of the link, which browsers send nowhere: neither logs nor
 * prefetching programs get it. A form sends it.
 */
final class MoveEndpoints {
    private static final int FORM_MAX = 4_096;
    private static final int BACK_MAX = 1_024;
    private static final int FIELDS_MAX = 8;
    private static final List<String> SAME_ORIGIN = List.of("same-origin");
    private static final String HTML = "text/html; charset=utf-8";

    private MoveEndpoints() {}

    /** The address of the form that makes a link, on a waiting page at this path. */
    static String linkForm(ProtectedRoom room, VisitorRequest caller) {
        return base(room) + "/link?back=" + encoded(here(room, caller));
    }

    /** Path and query of the request, as browsers see them. */
    static String here(ProtectedRoom room, VisitorRequest caller) {
        String query = caller.query();
        String path = room.gated().page().root() + caller.head().path();
        return local(query == null ? path : path + "?" + query);
    }

    /** The link for the place that is shown. */
    static Response link(ProtectedRoom room, VisitorRequest caller) {
        checkOn(room);
        String back = back(caller);
        String secret = room.visits().link(room.credentials(caller)).orElseThrow(() -> new ProblemException(
                ProblemType.TICKET_GONE, "No ticket that counts came with the request: only a place in line can move"));
        String link = (caller.isSecure() ? "https://" : "http://") + caller.head().headers().get("Host") + base(room)
                + "/move?back=" + encoded(back) + "#" + secret;
        return caller.preference() == AnswerPreference.HTML
                ? page(room, caller, 200, new MovePage.Values(Kind.LINK, link, "", back))
                : secret(Response.json(201, RoomJson.document(RoomJson.link(link))));
    }

    /** The page that asks whether the place shall move to this device. */
    static Response ask(ProtectedRoom room, VisitorRequest caller) {
        checkOn(room);
        return page(room, caller, 200, new MovePage.Values(Kind.TAKE, "", room.visits().newDevice(),
                back(caller)));
    }

    /** The form of that page. */
    static Match.Collected take(ProtectedRoom room, VisitorRequest caller) {
        checkOn(room);
        checkSite(caller.head());
        return form(caller, body -> taken(room, caller, fields(body)));
    }

    /** A request with a form, answered on a thread that may block. */
    static Match.Collected form(VisitorRequest caller, FormAction action) {
        Problem large = new Problem(ProblemType.TOO_LARGE, "The form is larger than " + FORM_MAX + " bytes");
        Endpoint endpoint = new Endpoint("POST", PathTemplate.parse("/"), _ -> new Endpoint.BodyLimit(FORM_MAX, large),
                Map.of(), call -> action.answer(new String(call.body(), StandardCharsets.ISO_8859_1)));
        return new Match.Collected(endpoint, caller.head());
    }

    /** An answer to a form. */
    @FunctionalInterface
    interface FormAction {
        Response answer(String body);
    }

    /**
     * Refuses a form on the page of another site, which could replace or remove the visitor's ticket.
     *
     * @throws ProblemException if the request comes from there
     */
    static void checkSite(RequestHead head) {
        // A browser that names the site of the page is believed: a site may forbid referrers, which hides the origin.
        List<String> sites = head.headers().getAll("Sec-Fetch-Site");
        if (sites.isEmpty() ? PageOrigins.OWN.isForeign(head) : !sites.equals(SAME_ORIGIN)) {
            throw new ProblemException(ProblemType.FORBIDDEN,
                    "The form comes from a page of another site: open the page of this"
                            + " room and send it from there");
        }
    }

    /** The page for a device whose place was moved. */
    static Response moved(ProtectedRoom room, VisitorRequest caller) {
        return page(room, caller, 410, new MovePage.Values(Kind.MOVED, "", "", here(room, caller)))
                .addHeader("Orderly-State", "moved");
    }

    static Problem movedProblem(ProtectedRoom room) {
        return new Problem(ProblemType.PLACE_MOVED, "The place of this ticket of room " + room.name()
                + " is on another device now: drop the ticket to get a new place");
    }

    /** The answer to a visitor who is not signed in, in a room where only users have places. */
    static Response signIn(ProtectedRoom room, VisitorRequest caller) {
        return caller.preference() == AnswerPreference.HTML
                ? signInPage(room, caller, here(room, caller))
                : Response.problem(new Problem(ProblemType.UNAUTHENTICATED, "In room " + room.name() + " each user has"
                        + " one place, and the request names no user: send a bearer token or a session cookie"),
                        caller.head().path()).addHeader("WWW-Authenticate", "Bearer");
    }

    /** @param back path and query of the page to go on to */
    static Response signInPage(ProtectedRoom room, VisitorRequest caller, String back) {
        String address = room.gated().signIn();
        String link = address == null ? "" : address + (address.indexOf('?') < 0 ? "?" : "&") + "back=" + encoded(back);
        return page(room, caller, ProblemType.UNAUTHENTICATED.status(),
                new MovePage.Values(Kind.SIGN_IN, link, "", back)).addHeader("WWW-Authenticate", "Bearer")
                .addHeader("Cache-Control", "no-store").addHeader("Orderly-State", "sign-in");
    }

    private static Response taken(ProtectedRoom room, VisitorRequest caller, Map<String, String> fields) {
        String link = fields.getOrDefault("link", "").strip();
        String secret = link.substring(link.lastIndexOf('#') + 1);
        String shown = fields.getOrDefault("device", "");
        String device = VisitorId.parse(shown).isPresent() ? shown : room.visits().newDevice();
        String back = local(fields.getOrDefault("back", "/"));
        Visit visit = room.visits().takeOver(secret, device, caller::addressKey).stage().toCompletableFuture()
                .join();
        boolean html = caller.preference() == AnswerPreference.HTML;
        return switch (visit) {
            case Visit.Waiting(LinePosition position, String token, _) when token != null -> (html
                    ? secret(new Response(303, List.of(new Header("Location", back)), new byte[0]))
                    : secret(Response.json(201, RoomJson.document(RoomJson.position(room.gated().room(), position,
                            caller.languages())))))
                    .addHeader("Set-Cookie", room.ticketCookie(token, caller));
            case Visit.TooMany(Duration retry) -> html
                    ? page(room, caller, 429, new MovePage.Values(Kind.TAKE_LATER, secret, device, back))
                            .addHeader("Retry-After", Long.toString(Math.max(1, retry.toSeconds() + 1)))
                    : room.answers().tooMany(caller, retry);
            case Visit.Unavailable(Duration retry) -> html
                    ? page(room, caller, 503, new MovePage.Values(Kind.TAKE_AGAIN, secret, device, back))
                            .addHeader("Retry-After", Long.toString(Math.max(1, retry.toSeconds())))
                    : room.answers().unavailable(caller, retry);
            default -> html
                    ? page(room, caller, 410, new MovePage.Values(Kind.STALE, "", "", back))
                    : Response.problem(new Problem(ProblemType.LINK_GONE, "The link was used, is too old, or was"
                            + " changed: make another on the device that has the place"), caller.head().path());
        };
    }

    private static void checkOn(ProtectedRoom room) {
        if (!room.gated().room().options().move()) {
            throw new ProblemException(ProblemType.UNKNOWN_PATH,
                    "Places of this room stay on their device: set move: true to let visitors move them");
        }
    }

    private static Response page(ProtectedRoom room, VisitorRequest caller, int status, MovePage.Values values) {
        MovePage pages = room.gated().page().moving();
        ReaderLanguages reader = ReaderLanguages.of(caller.header("Accept-Language"));
        return secret(Response.of(status, HTML, pages.render(values, reader)))
                .addHeader("Content-Language", reader.page().tag())
                .addHeader("Content-Security-Policy", pages.contentSecurityPolicy())
                .addHeader("X-Robots-Tag", "noindex");
    }

    /** An answer that no cache keeps, and whose address no other site learns. */
    private static Response secret(Response answer) {
        return answer.addHeader("Referrer-Policy", "same-origin");
    }

    /** The fields of a form, each name once. */
    static Map<String, String> fields(String form) {
        Map<String, String> fields = new HashMap<>();
        for (String pair : form.split("&", FIELDS_MAX + 1)) {
            int equals = pair.indexOf('=');
            if (equals > 0 && fields.size() < FIELDS_MAX) {
                fields.put(pair.substring(0, equals), StrictText.formDecoded("The form", pair.substring(equals + 1),
                        StandardCharsets.UTF_8, ProblemType.MALFORMED));
            }
        }
        return fields;
    }

    /** The page to go on to, as the form of a page says. */
    static String backOf(String form) {
        return local(fields(form).getOrDefault("back", "/"));
    }

    private static String back(VisitorRequest caller) {
        String query = caller.query();
        return query == null ? "/" : backOf(query);
    }

    /** A path of this host, whatever the text; other texts become the root. */
    static String local(String text) {
        boolean path = text.length() <= BACK_MAX && text.startsWith("/") && !text.startsWith("//")
                && text.indexOf('\\') < 0 && text.chars().allMatch(c -> c > ' ' && c < 0x7f);
        return path ? text : "/";
    }

    /** The address of the endpoints of a room. */
    static String base(ProtectedRoom room) {
        return room.gated().page().root() + "/.orderly/rooms/" + room.name();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
