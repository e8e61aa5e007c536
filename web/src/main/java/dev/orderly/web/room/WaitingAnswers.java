package dev.orderly.web.room;

import dev.orderly.room.Limits;
import dev.orderly.room.Opening;
import dev.orderly.room.OpeningStatus;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.RoomState;
import dev.orderly.room.RoomState.TierLine;
import dev.orderly.room.Tiers;
import dev.orderly.room.forecast.WaitEstimate;
import dev.orderly.room.gate.LinePosition;
import dev.orderly.text.LocalizedText;
import dev.orderly.web.header.AnswerPreference;
import dev.orderly.web.message.Header;
import dev.orderly.web.message.Response;
import dev.orderly.web.page.ReaderLanguages;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.room.page.PageState;
import dev.orderly.web.room.page.PageView;
import dev.orderly.web.room.page.ShownLimits;
import dev.orderly.web.room.page.WaitingPage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Answers to visitors who do not enter, at the requested address: pages for people, JSON for programs. */
final class WaitingAnswers {
    private static final String HTML = "text/html; charset=utf-8";
    private static final String VARY = "Accept, Accept-Language, Cookie, Authorization";
    private static final Duration CLOSED_RETRY = Duration.ofSeconds(30);
    private static final Duration REFUSED_RETRY = Duration.ofMinutes(5);

    private static final String STATE = "Orderly-State";

    private final GatedRoom gated;

    WaitingAnswers(GatedRoom gated) {
        this.gated = gated;
    }

    /**
     * The visitor waits.
     *
     * @param move the address of the form that makes a link for another device; null for none
     * @param invitation the address of the page that takes a code; null for none
     */
    Response waiting(VisitorRequest caller, LinePosition position, @Nullable String move,
            @Nullable String invitation) {
        RoomState state = gated.room().state();
        long poll = RoomJson.pollSeconds(position);
        if (state.mode() == RoomMode.REJECT) {
            return closed(caller, null);
        }
        OpeningStatus opening = position.opening();
        if (opening != null && opening.opening() == null) {
            return closed(caller, opening);
        }
        if (caller.preference() == AnswerPreference.HTML) {
            PageState shown = opening != null
                    ? new PageState.Lobby(shown(position), RoomOpenings.shown(gated.room(), opening, position.ticket()))
                    : !state.mode().calls()
                            ? new PageState.Held(shown(position))
                            : position.soon()
                                    ? new PageState.Door(shown(position))
                                    : new PageState.Waiting(shown(position));
            return page(caller, shown, Duration.ofSeconds(poll), gated.waitingStatus(), move, invitation);
        }
        byte[] json = RoomJson.document("\"type\":\"urn:orderly:problem:waiting\",\"title\":\"You are in line\","
                + "\"status\":" + gated.waitingStatus() + ","
                + RoomJson.position(gated.room(), position, caller.languages()));
        return answer(gated.waitingStatus(), Problem.CONTENT_TYPE, json, poll).addHeader(STATE, "waiting");
    }

    /**
     * The room admits no visitors without a pass, and issues no places.
     *
     * @param opening what its openings mean; null if an operator closed it
     */
    Response closed(VisitorRequest caller, @Nullable OpeningStatus opening) {
        Opening next = opening == null ? null : opening.opening();
        if (opening != null && next != null) {
            Duration retry = retry(caller, opening);
            return caller.preference() == AnswerPreference.HTML
                    ? page(caller, new PageState.Opens(RoomOpenings.shown(gated.room(), opening, null)), retry,
                            gated.waitingStatus())
                    : problem(ProblemType.ROOM_CLOSED, "Room " + gated.room().name() + " opens at "
                            + Opening.text(next.opens()) + ", and gives places from "
                            + Opening.text(next.lobbyFrom().atZone(next.opens().getZone())) + " on: try again then",
                            caller, retry, "closed");
        }
        return caller.preference() == AnswerPreference.HTML
                ? page(caller, new PageState.Closed(opening == null ? null : opening.cancelled()), CLOSED_RETRY,
                        gated.waitingStatus())
                : problem(ProblemType.ROOM_CLOSED,
                        "Room " + gated.room().name() + " admits no visitors at the moment: try"
                                + " again later",
                        caller, CLOSED_RETRY, "closed");
    }

    /** When to ask again who was turned away. */
    Duration retry(VisitorRequest caller, @Nullable OpeningStatus opening) {
        Opening next = opening == null ? null : opening.opening();
        return next == null ? CLOSED_RETRY : RoomOpenings.untilPlaces(gated.room(), next, caller.addressKey());
    }

    Response tooMany(VisitorRequest caller, Duration retry) {
        Duration seconds = Duration.ofSeconds(Math.max(1, retry.plusMillis(999).toSeconds()));
        return caller.preference() == AnswerPreference.HTML
                ? page(caller, new PageState.TooMany(seconds), seconds, 429)
                : problem(ProblemType.TOO_MANY_PLACES, "Your address has taken as many places in room "
                        + gated.room().name() + " as it may for now: keep the cookie or token you get with a place, and"
                        + " try again after " + seconds.toSeconds() + " s", caller, seconds, "waiting");
    }

    /**
     * The visitor gets a place after a wait.
     *
     * @param challenge work that ends the wait, as JSON; null if none does
     */
    Response slowed(VisitorRequest caller, Duration retry, @Nullable String challenge) {
        Duration seconds = Duration.ofSeconds(Math.max(1, retry.plusMillis(999).toSeconds()));
        if (challenge != null) {
            return working(caller, seconds, challenge);
        }
        return caller.preference() == AnswerPreference.HTML
                ? page(caller, new PageState.Slowed(), seconds, ProblemType.PLACE_LATER.status())
                : problem(ProblemType.PLACE_LATER, "Room " + gated.room().name() + " gives a place after a"
                        + " wait: keep the cookie or token you get with this answer, and ask again after "
                        + seconds.toSeconds() + " s", caller, seconds, "waiting");
    }

    private Response working(VisitorRequest caller, Duration retry, String challenge) {
        if (caller.preference() == AnswerPreference.HTML) {
            return page(caller, new PageState.Working(challenge), retry, ProblemType.PLACE_LATER.status());
        }
        RoomName room = gated.room().name();
        Problem problem = new Problem(ProblemType.PLACE_LATER, "The network of this visitor has taken many places in"
                + " room " + room + ": solve the challenge (ALTCHA, version 2) and send its payload as the form field"
                + " altcha with POST /.orderly/rooms/" + room + "/ticket, or keep the cookie or token you get with this"
                + " answer, and ask again after " + retry.toSeconds() + " s")
                .withMember("challenge", JsonMapper.shared().readTree(challenge));
        return problem(problem, caller, retry, "waiting");
    }

    /** The check gives the visitor no place. */
    Response refused(VisitorRequest caller) {
        return caller.preference() == AnswerPreference.HTML
                ? page(caller, new PageState.Refused(), REFUSED_RETRY, ProblemType.PLACE_REFUSED.status())
                : problem(ProblemType.PLACE_REFUSED, "The check of room " + gated.room().name() + " gives this visitor"
                        + " no place: ask those who run the site, if that is wrong", caller, REFUSED_RETRY, "refused");
    }

    /** There is no verdict on the visitor, and no place without one. */
    Response unchecked(VisitorRequest caller, Duration retry) {
        return caller.preference() == AnswerPreference.HTML
                ? page(caller, new PageState.Unavailable(), retry, 503)
                : problem(ProblemType.UNAVAILABLE, "The check of room " + gated.room().name() + " gave no verdict, and"
                        + " visitors get no place without one. Nothing was done: try again", caller, retry, "waiting");
    }

    Response unavailable(VisitorRequest caller, Duration retry) {
        return caller.preference() == AnswerPreference.HTML
                ? page(caller, new PageState.Unavailable(), retry, 503)
                : problem(ProblemType.UNAVAILABLE,
                        "Room " + gated.room().name() + " cannot give a place at this moment."
                                + " Nothing was done: try again",
                        caller, retry, "waiting");
    }

    /** The page after the visitor has given the place back. */
    Response left(VisitorRequest caller) {
        return notice(200, caller, gated.page().left(reader(caller), caller.cameFrom()));
    }

    /** The page to which the waiting page leads where the ticket did not come back. */
    Response withoutCookies(VisitorRequest caller) {
        return notice(404, caller, gated.page().withoutCookies(reader(caller), caller.cameFrom()))
                .addHeader("Cache-Control", "no-store");
    }

    private Response notice(int status, VisitorRequest caller, byte[] page) {
        ReaderLanguages reader = reader(caller);
        return Response.of(status, HTML, page)
                .addHeader("Content-Language", reader.page().tag())
                .addHeader("Content-Security-Policy", gated.page().contentSecurityPolicy());
    }

    /** The answer to a request for a part of a page, which takes no place in line. */
    Response noPlace(VisitorRequest caller) {
        return problem(ProblemType.WAITING, "This path belongs to room " + gated.room().name()
                + ", and the request has no pass: request the page first", caller,
                CLOSED_RETRY, "waiting");
    }

    private Response problem(ProblemType type, String detail, VisitorRequest caller, Duration retry, String state) {
        return problem(new Problem(type, detail), caller, retry, state);
    }

    private static Response problem(Problem problem, VisitorRequest caller, Duration retry, String state) {
        return answer(problem.type().status(), Problem.CONTENT_TYPE, problem.json(caller.head().path()),
                retry.toSeconds())
                .addHeader(STATE, state);
    }

    private Response page(VisitorRequest caller, PageState shown, Duration refresh, int status) {
        return page(caller, shown, refresh, status, null, null);
    }

    private Response page(VisitorRequest caller, PageState shown, Duration refresh, int status,
            @Nullable String move, @Nullable String invitation) {
        RoomState state = gated.room().state();
        ReaderLanguages reader = reader(caller);
        LocalizedText message = state.message();
        PageView view = new PageView(shown, rule(state, gated.room().options()),
                message == null ? null : reader.choose(message), refresh, move, invitation);
        return page(gated.page(), view, reader, status).addHeader(STATE, "waiting");
    }

    /** A page that asks again by itself. */
    static Response page(WaitingPage page, PageView view, ReaderLanguages reader, int status) {
        return answer(status, HTML, page.render(view, reader), view.refresh().toSeconds())
                .addHeader("Content-Language", reader.page().tag())
                .addHeader("Content-Security-Policy", page.contentSecurityPolicy());
    }

    private static ReaderLanguages reader(VisitorRequest caller) {
        return ReaderLanguages.of(caller.header("Accept-Language"));
    }

    private static Response answer(int status, String type, byte[] body, long retry) {
        List<Header> headers = new ArrayList<>(8);
        headers.add(new Header("Content-Type", type));
        headers.add(new Header("Cache-Control", "no-store"));
        headers.add(new Header("Vary", VARY));
        headers.add(new Header("Retry-After", Long.toString(retry)));
        headers.add(new Header("X-Robots-Tag", "noindex"));
        return new Response(status, headers, body);
    }

    /** Before an opening, the limits that will be in force. */
    private static ShownLimits rule(RoomState state, RoomOptions options) {
        Limits limits = options.openings().isEmpty() ? state.limits() : state.limitsSet(options);
        ShownLimits.Rate rate = limits.mostAdmissions().map(r -> new ShownLimits.Rate(r.admissions(), r.period()))
                .orElse(null);
        return new ShownLimits(rate, limits.mostPasses().map(Integer::longValue).orElse(null), options.tiers().all()
                .stream().map(tier -> new ShownLimits.Tier(tier.name(), tier.share())).toList());
    }

    private dev.orderly.web.room.page.ShownPosition shown(LinePosition position) {
        WaitEstimate estimate = position.estimate();
        return new dev.orderly.web.room.page.ShownPosition(Tiers.number(position.ticket().place()), position.ahead(),
                position.progress(), estimate.low() == null
                        ? null
                        : new dev.orderly.web.room.page.ShownWait(estimate.low(), estimate.high(),
                                dev.orderly.web.room.page.ShownWait.told(gated.room().estimatesKept())),
                estimate.cause(), position.ticket().isDrawn(),
                gated.room().state().tier(position.ticket().place()).map(TierLine::name).orElse(null));
    }
}
