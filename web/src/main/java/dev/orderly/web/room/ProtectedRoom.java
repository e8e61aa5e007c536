package dev.orderly.web.room;

import dev.orderly.room.OpeningStatus;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.Tiers;
import dev.orderly.room.crowd.Newcomer;
import dev.orderly.room.gate.HeldRequest;
import dev.orderly.room.gate.Reply;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomVisits;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.gate.Visit;
import dev.orderly.room.invitation.InvitationRefusal;
import dev.orderly.room.token.Pass;
import dev.orderly.room.work.WorkSolution;
import dev.orderly.web.edge.EdgeHandler;
import dev.orderly.web.header.AnswerPreference;
import dev.orderly.web.message.Header;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.room.log.LogRedaction;
import dev.orderly.web.room.log.VisitorEntry;
import dev.orderly.web.route.ExchangeContext;
import dev.orderly.web.route.RequestLabel;
import dev.orderly.web.route.RequestLabel.Kind;
import dev.orderly.web.route.RequestRouter.Match;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A room in front of other handlers: lets requests of admitted visitors through, and answers the others. */
final class ProtectedRoom {
    private static final String REVOKE = "revoke";

    private final GatedRoom gated;
    private final Room room;
    private final RoomCookies cookies;
    private final WaitingAnswers answers;
    private final BuiltInBypass builtIn;
    private final RequestLabel passing;
    private final RequestLabel ungated;
    private final ExchangeContext waiting;
    private final ExchangeContext refused;

    ProtectedRoom(GatedRoom gated) {
        this.gated = gated;
        this.room = gated.room();
        this.cookies = new RoomCookies(room.name());
        this.answers = new WaitingAnswers(gated);
        this.builtIn = new BuiltInBypass(gated.match().builtInBypass());
        String name = room.name().value();
        this.passing = new RequestLabel(name, Kind.PASS);
        this.ungated = new RequestLabel(name, Kind.UNGATED);
        this.waiting = ExchangeContext.labelled(new RequestLabel(name, Kind.WAITING));
        this.refused = ExchangeContext.labelled(new RequestLabel(name, Kind.REFUSED));
    }

    GatedRoom gated() {
        return gated;
    }

    /** What visitors ask of the room. */
    RoomVisits visits() {
        return room.visits();
    }

    RoomName name() {
        return room.name();
    }

    WaitingAnswers answers() {
        return answers;
    }

    /** The requests that no visitor waits for. */
    BuiltInBypass builtIn() {
        return builtIn;
    }

    ShownTokens credentials(VisitorRequest caller) {
        return cookies.read(caller.head().headers(), caller.cookies());
    }

    /** The sender, as one who may take a place. */
    Newcomer newcomer(VisitorRequest caller) {
        return newcomer(caller, null);
    }

    /** @param work the solution that came with the request; null for none */
    Newcomer newcomer(VisitorRequest caller, @Nullable WorkSolution work) {
        return new RequestNewcomer(caller, gated, work);
    }

    /** @param next gets the request without tokens of visitors */
    Match match(VisitorRequest caller, EdgeHandler.Next next) {
        ShownTokens shown = credentials(caller);
        String code = InvitationEndpoints.sent(this, caller);
        Supplier<Reply<Visit>> decision = () -> code == null
                ? room.visits().arrive(shown, newcomer(caller), !caller.isPartOfPage())
                : InvitationEndpoints.redeem(this, caller, shown, code);
        Instant at = gated.log().next();
        return switch (decision.get()) {
            case Reply.Now<Visit>(Visit visit) -> at == null
                    ? serve(visit, caller, next)
                    : logged(at, visit, caller, next);
            case Reply.Later<Visit> later -> deferred(later, decision,
                    visit -> at == null ? later(visit, caller, next) : logged(at, visit, caller, next),
                    () -> room.visits().inside(shown, caller::addressKey).map(in -> forward(in, caller, next))
                            .orElse(null));
        };
    }

    /**
     * The answer to a request that the store decides, which may be held.
     *
     * @param again decides the request another time
     * @param meanwhile as in {@link Match.Deferred}
     */
    Match deferred(Reply.Later<Visit> decided, Supplier<Reply<Visit>> again, Function<Visit, Match> answer,
            Supplier<@Nullable Match> meanwhile) {
        if (!gated.holds()) {
            return new Match.Deferred(decided.value().thenApply(answer), meanwhile);
        }
        HeldRequest held = new HeldRequest();
        return new Match.Deferred(room.visits().hold(held, decided, again).stage().thenApply(answer), meanwhile)
                .with(ExchangeContext.atEnd(_ -> held.drop()));
    }

    private Match serve(Visit visit, VisitorRequest caller, EdgeHandler.Next next) {
        return switch (visit) {
            case Visit.Allowed in -> forward(in, caller, next);
            case Visit.NotAllowed out -> new Match.Immediate(answer(out, caller)).with(label(out));
        };
    }

    /** A decision of another thread is answered by the connection's own, so that the other one renders no pages. */
    private Match later(Visit visit, VisitorRequest caller, EdgeHandler.Next next) {
        return switch (visit) {
            case Visit.Allowed in -> forward(in, caller, next);
            case Visit.NotAllowed out -> new Match.Composed(() -> answer(out, caller)).with(label(out));
        };
    }

    /** As {@link #later}, with an entry in the visitor log at the end of the exchange. */
    private Match logged(Instant at, Visit visit, VisitorRequest caller, EdgeHandler.Next next) {
        IntFunction<VisitorEntry> entry = entry(at, visit, caller);
        Match match;
        try {
            match = later(visit, caller, next);
        } catch (ProblemException refused) {
            match = new Match.Composed(() -> {
                throw refused;
            }).with(ExchangeContext.labelled(RequestLabel.OWN));
        }
        return match.with(ExchangeContext.atEnd(status -> gated.log().add(entry.apply(status))));
    }

    private IntFunction<VisitorEntry> entry(Instant at, Visit visit, VisitorRequest caller) {
        RoomState state = room.state();
        Long place = switch (visit) {
            case Visit.Admitted admitted -> admitted.pass().place();
            case Visit.Waiting waiting -> waiting.position().ticket().place();
            case Visit.Ungated _,Visit.TurnedAway _,Visit.NoTicket _ -> null;
            case Visit.Moved _,Visit.TooMany _,Visit.Unavailable _ -> null;
            case Visit.Slowed _,Visit.Refused _,Visit.Unchecked _ -> null;
            case Visit.NotInvited _,Visit.NotSignedIn _ -> null;
        };
        String target = LogRedaction.ofTarget(caller.request().host(), caller.head().path(), caller.query());
        List<String> agent = caller.header("User-Agent");
        return status -> new VisitorEntry(at, name().value(), caller.address(), caller.method(), target,
                agent.isEmpty() ? "" : agent.getFirst(), visit instanceof Visit.Allowed, status,
                place == null ? state.line().cursor() : Tiers.number(state.lineOf(place).cursor()),
                place == null ? null : Long.valueOf(Tiers.number(place)),
                place == null ? null : state.tierName(place));
    }

    private Match forward(Visit.Allowed visit, VisitorRequest caller, EdgeHandler.Next next) {
        RoomCookies.strip(caller.head().headers());
        return next.match(caller.request()).with(switch (visit) {
            case Visit.Admitted admitted -> additions(admitted, caller);
            case Visit.Ungated through -> new ExchangeContext(List.of(),
                    tokens(through.ticketToken(), through.passToken(), caller), room.visits().traffic(), ungated,
                    _ -> {});
        });
    }

    private ExchangeContext label(Visit.NotAllowed visit) {
        return visit instanceof Visit.Waiting told ? waiting.and(answering(told)) : refused;
    }

    /** Keeps the visitor present until the answer has left. */
    ExchangeContext answering(Visit.Waiting told) {
        Runnable sent = room.visits().answering(told);
        return ExchangeContext.atEnd(_ -> sent.run());
    }

    private Response answer(Visit.NotAllowed visit, VisitorRequest caller) {
        return switch (visit) {
            case Visit.Waiting waiting -> {
                Response answer = answers.waiting(caller, waiting.position(),
                        room.options().move() ? MoveEndpoints.linkForm(this, caller) : null,
                        InvitationEndpoints.address(this));
                yield waiting.token() == null
                        ? answer
                        : answer.addHeader("Set-Cookie", ticketCookie(waiting.token(), caller));
            }
            case Visit.TurnedAway(OpeningStatus opening) -> answers.closed(caller, opening);
            case Visit.TooMany(Duration retry) -> answers.tooMany(caller, retry);
            case Visit.Slowed slowed -> slowed(slowed, caller);
            case Visit.NotInvited(InvitationRefusal why) -> InvitationEndpoints.refused(this, caller, why);
            case Visit.NotSignedIn _ -> MoveEndpoints.signIn(this, caller);
            case Visit.Refused _ -> answers.refused(caller);
            case Visit.Unchecked(Duration retry) -> answers.unchecked(caller, retry);
            case Visit.Unavailable(Duration retry) -> answers.unavailable(caller, retry);
            case Visit.NoTicket _ -> answers.noPlace(caller);
            case Visit.Moved _ -> caller.preference() == AnswerPreference.HTML
                    ? MoveEndpoints.moved(this, caller)
                    : Response.problem(MoveEndpoints.movedProblem(this), caller.head().path());
        };
    }

    /** The answer to a visitor who gets a place after a wait, whose proof is kept as the ticket. */
    Response slowed(Visit.Slowed visit, VisitorRequest caller) {
        Response answer = answers.slowed(caller, visit.retryAfter(), visit.challenge());
        return visit.token() == null
                ? answer
                : answer.addHeader("Set-Cookie", ticketCookie(visit.token(), caller));
    }

    private ExchangeContext additions(Visit.Admitted admitted, VisitorRequest caller) {
        Pass pass = admitted.pass();
        List<Header> forwarded = List.of(new Header("Orderly-Room", pass.room().value()),
                new Header("Orderly-Visitor", pass.visitor().toString()),
                new Header("Orderly-Waited", Long.toString(pass.waited().toSeconds())));
        return new ExchangeContext(forwarded, tokens(admitted.ticketToken(), admitted.token(), caller),
                room.visits().traffic(), passing, command -> execute(command, pass));
    }

    private void execute(String command, Pass pass) {
        if (command.equalsIgnoreCase(REVOKE)) {
            var _ = room.visits().end(pass);
        }
    }

    /** Cookies for an answer of another handler, which must then not be cached. */
    private List<Header> tokens(@Nullable String ticket, @Nullable String pass, VisitorRequest caller) {
        if (ticket == null && pass == null) {
            return List.of();
        }
        List<Header> headers = new ArrayList<>(4);
        headers.add(new Header("Cache-Control", "no-store"));
        headers.add(new Header("Vary", "Cookie"));
        if (ticket != null) {
            headers.add(new Header("Set-Cookie", ticketCookie(ticket, caller)));
        }
        if (pass != null) {
            headers.add(new Header("Set-Cookie", passCookie(pass, caller)));
        }
        return headers;
    }

    String ticketCookie(String token, VisitorRequest caller) {
        return cookies.setTicket(token, room.options().stay().ticket(), caller.cookies());
    }

    /**
     * Kept for as long as the room may honour or renew the pass, which is beyond its end while the store is out of
     * reach: the token itself says whether the pass is valid.
     */
    String passCookie(String token, VisitorRequest caller) {
        return cookies.setPass(token, room.options().stay().longestPass(), caller.cookies());
    }

    List<Header> cleared(VisitorRequest caller) {
        return List.of(new Header("Set-Cookie", cookies.clearTicket(caller.cookies())),
                new Header("Set-Cookie", cookies.clearPass(caller.cookies())));
    }
}
