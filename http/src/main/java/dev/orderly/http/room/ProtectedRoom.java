package dev.orderly.http.room;

import dev.orderly.http.edge.EdgeHandler;
import dev.orderly.http.message.Header;
import dev.orderly.http.message.Response;
import dev.orderly.http.route.ExchangeAdditions;
import dev.orderly.http.route.RequestRouter.Match;
import dev.orderly.room.RoomName;
import dev.orderly.room.gate.Credentials;
import dev.orderly.room.gate.Reply;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.Visit;
import dev.orderly.room.token.Pass;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Lets requests through to what a room protects, or answers them in its stead. */
final class ProtectedRoom {
    private static final String REVOKE = "revoke";

    private final GatedRoom gated;
    private final Room room;
    private final RoomCookies cookies;
    private final WaitingAnswers answers;

    ProtectedRoom(GatedRoom gated) {
        this.gated = gated;
        this.room = gated.room();
        this.cookies = new RoomCookies(room.name());
        this.answers = new WaitingAnswers(gated);
    }

    GatedRoom gated() {
        return gated;
    }

    RoomName name() {
        return room.name();
    }

    WaitingAnswers answers() {
        return answers;
    }

    Credentials credentials(VisitorRequest caller) {
        return cookies.read(caller.head().headers(), caller.cookies());
    }

    /** @param behind gets no tokens of visitors to see */
    Match match(VisitorRequest caller, EdgeHandler.Next behind) {
        Reply<Visit> reply = room.arrive(credentials(caller), caller::addressKey, !caller.isPartOfPage());
        return switch (reply) {
            case Reply.Now<Visit>(Visit.LetIn in) -> letIn(in, caller, behind);
            case Reply.Now<Visit>(Visit.KeptOut out) -> new Match.Immediate(answer(out, caller));
            case Reply.Later<Visit>(CompletionStage<Visit> later) -> new Match.Deferred(
                    later.thenApply(visit -> later(visit, caller, behind)));
        };
    }

    /** What is decided on another thread is answered on the connection's own: a page is not made while others wait. */
    private Match later(Visit visit, VisitorRequest caller, EdgeHandler.Next behind) {
        return switch (visit) {
            case Visit.LetIn in -> letIn(in, caller, behind);
            case Visit.KeptOut out -> new Match.Streamed(exchange -> exchange.answer(answer(out, caller)),
                    caller.head());
        };
    }

    private Match letIn(Visit.LetIn visit, VisitorRequest caller, EdgeHandler.Next behind) {
        RoomCookies.strip(caller.head().headers());
        return behind.match(caller.request()).with(switch (visit) {
            case Visit.Admitted admitted -> additions(admitted, caller);
            case Visit.LetThrough through -> new ExchangeAdditions(List.of(),
                    tokens(through.ticketToken(), through.passToken(), caller), gated.traffic(), _ -> {});
        });
    }

    private Response answer(Visit.KeptOut visit, VisitorRequest caller) {
        return switch (visit) {
            case Visit.Waiting waiting -> {
                Response answer = answers.waiting(caller, waiting.standing());
                yield waiting.token() == null
                        ? answer
                        : answer.addHeader("Set-Cookie", ticketCookie(waiting.token(), caller));
            }
            case Visit.TurnedAway _ -> answers.closed(caller);
            case Visit.TooMany(Duration retry) -> answers.tooMany(caller, retry);
            case Visit.Unavailable(Duration retry) -> answers.unavailable(caller, retry);
            case Visit.NoTicket _ -> answers.noPlace(caller);
        };
    }

    private ExchangeAdditions additions(Visit.Admitted admitted, VisitorRequest caller) {
        Pass pass = admitted.pass();
        List<Header> forwarded = List.of(new Header("Orderly-Room", pass.room().value()),
                new Header("Orderly-Visitor", pass.visitor().toString()),
                new Header("Orderly-Waited", Long.toString(pass.waited().toSeconds())));
        return new ExchangeAdditions(forwarded, tokens(admitted.ticketToken(), admitted.token(), caller),
                gated.traffic(),
                command -> obey(command, pass));
    }

    private void obey(String command, Pass pass) {
        if (command.equalsIgnoreCase(REVOKE)) {
            var _ = room.end(pass);
        }
    }

    /** Cookies that come with somebody else's answer: it must not be kept for others, then. */
    private List<Header> tokens(@Nullable String ticket, @Nullable String pass, VisitorRequest caller) {
        if (ticket == null && pass == null) {
            return List.of();
        }
        List<Header> headers = new ArrayList<>(3);
        headers.add(new Header("Cache-Control", "no-store"));
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

    /** Kept as long as a ticket: whether the pass still counts says the token, and the room may renew it late. */
    String passCookie(String token, VisitorRequest caller) {
        return cookies.setPass(token, room.options().stay().passIdle().multipliedBy(2), caller.cookies());
    }

    List<Header> cleared(VisitorRequest caller) {
        return List.of(new Header("Set-Cookie", cookies.clearTicket(caller.cookies())),
                new Header("Set-Cookie", cookies.clearPass(caller.cookies())));
    }
}
