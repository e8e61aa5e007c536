package dev.orderly.testkit.sim;

import dev.orderly.room.VisitorId;
import dev.orderly.room.crowd.Newcomer;
import dev.orderly.room.gate.HeldRequest;
import dev.orderly.room.gate.LinePosition;
import dev.orderly.room.gate.Reply;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomListener;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.gate.Visit;
import dev.orderly.room.token.Pass;
import dev.orderly.room.token.Ticket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One person with a browser, from the first request to the last. */
final class Visitor {
    private static final long PATIENCE = 10_000;
    private static final long GATE_TELLS = 200;

    /** The state of a visitor. */
    private enum Phase {
        NEW,
        WAITING,
        /** The tab is closed. */
        AWAY,
        INSIDE,
        OVER
    }

    private final Crowd crowd;
    private final Agenda agenda;
    private final int number;
    private final WaitStyle kind;
    private final boolean impatient;
    private Phase phase = Phase.NEW;
    private ShownTokens shown = ShownTokens.NONE;
    private @Nullable Ticket ticket;
    private @Nullable Pass pass;
    private @Nullable Gate gate;
    private @Nullable RoomListener listener;
    /** The gate of the listener. */
    private @Nullable Gate connectedTo;
    /** The ticket of the listener: a late answer may have replaced the visitor's ticket since. */
    private @Nullable Ticket connectedWith;
    private HeldRequest held = new HeldRequest();
    private int expected;
    private long leavesAt;
    private int hits;
    private int streams;
    private boolean vanishes;
    private boolean signedIn;

    /** A request: the gate, the ticket that was shown, and whether a pass was; the invitation, or null. */
    private record Question(Gate gate, @Nullable Ticket ticket, boolean withPass, boolean signedIn, long at,
            GuestList.@Nullable Code code) {}

    /** The state of a gate when it decided, before its answer was on its way. */
    record Decision(Gate gate, long at, boolean reachable, long outageTime) {
        static Decision of(Gate gate, Agenda agenda) {
            return new Decision(gate, agenda.now(), gate.reachable(), gate.outageTime());
        }
    }

    /** @param impatient reloads the page while waiting */
    Visitor(Crowd crowd, int number, WaitStyle kind, boolean impatient) {
        this.crowd = crowd;
        this.agenda = crowd.agenda();
        this.number = number;
        this.kind = kind;
        this.impatient = impatient;
        this.signedIn = crowd.guests().isSignedIn(number);
    }

    /** Drops out: the visitor makes no request after the first answer. */
    void vanish() {
        vanishes = true;
    }

    boolean waits() {
        return phase == Phase.WAITING;
    }

    boolean isOver() {
        return phase == Phase.OVER;
    }

    @Nullable
    Pass pass() {
        return phase == Phase.INSIDE ? pass : null;
    }

    // ---- coming and going

    void come() {
        if (phase == Phase.NEW || phase == Phase.AWAY) {
            crowd.waits(1);
            phase = Phase.WAITING;
            arrive();
        }
    }

    /** With the same cookies, or in another browser. */
    void comeBack() {
        if (phase == Phase.AWAY && crowd.guests().user(number) != null && agenda.chance(0.5)) {
            shown = ShownTokens.NONE;
            ticket = null;
        }
        come();
    }

    /** Opens the same page in another tab. */
    void another() {
        if (phase == Phase.WAITING && ticket != null) {
            arrive();
        }
    }

    void closeTab(boolean forGood) {
        if (phase == Phase.WAITING) {
            agenda.note("closes the tab", place(), number);
            crowd.waits(-1);
            disconnect();
            held.drop();
            if (ticket != null) {
                crowd.referee().present.stopsAsking(ticket);
            }
            phase = forGood ? Phase.OVER : Phase.AWAY;
            expected++;
            if (forGood) {
                crowd.over();
            }
        }
    }

    /** Gives back the place. */
    void giveUp() {
        Ticket mine = ticket;
        Room room = phase == Phase.WAITING && mine != null ? room() : null;
        if (room != null && mine != null) {
            agenda.note("gives up", place(), number);
            crowd.referee().givenBack(mine);
            var _ = room.visits().leave(shown);
            closeTab(true);
        }
    }

    private long place() {
        return ticket == null ? 0 : ticket.place();
    }

    private @Nullable Room room() {
        gate = crowd.gate(number, gate);
        return gate == null ? null : gate.room();
    }

    private void later(long millis, Runnable what) {
        int mine = ++expected;
        agenda.in(millis, () -> {
            if (expected == mine && phase != Phase.OVER && phase != Phase.AWAY) {
                what.run();
            }
        });
    }

    private void arrive() {
        ask(false);
    }

    private void ask(boolean look) {
        Room room = room();
        Gate asked = gate;
        if (room == null || asked == null) {
            later(agenda.between(500, 1_500), this::arrive);
            return;
        }
        later(PATIENCE, this::arrive);
        if (ticket != null) {
            crowd.referee().present.asks(ticket, asked);
        }
        ShownTokens tokens = shown;
        Newcomer sender = sender();
        Supplier<Reply<Visit>> decision = () -> look
                ? room.visits().look(tokens)
                : room.visits().arrive(tokens, sender, true);
        held.drop();
        held = new HeldRequest();
        hear(room.visits().hold(held, decision.get(), decision), question(asked, null));
    }

    private Newcomer sender() {
        return crowd.guests().sender(number, "a" + (kind == WaitStyle.FORGETFUL ? number % 3 : number), signedIn);
    }

    private Question question(Gate asked, GuestList.@Nullable Code code) {
        return new Question(asked, ticket, !shown.passes().isEmpty(), signedIn, agenda.now(), code);
    }

    /** Leaves the page that waits for one that takes the code. */
    void redeem(GuestList.Code code) {
        if (phase == Phase.WAITING && kind != WaitStyle.FORGETFUL) {
            disconnect();
            held.drop();
            later(PATIENCE, agenda.chance(0.5) ? () -> redeem(code) : this::arrive);
            redeem(code, room(), gate);
        }
    }

    /** The same request reaches another gate. */
    void redeemElsewhere(GuestList.Code code) {
        Gate other = crowd.gate(number + 1, null);
        if (phase == Phase.WAITING && kind != WaitStyle.FORGETFUL && other != null) {
            redeem(code, other.room(), other);
        }
    }

    private void redeem(GuestList.Code code, @Nullable Room room, @Nullable Gate asked) {
        if (room != null && asked != null) {
            agenda.note("redeems " + code.text(), place(), number);
            hear(room.visits().redeem(shown, code.text(), device(), sender()), question(asked, code));
        }
    }

    private String device() {
        return "device " + number;
    }

    // ---- answers

    private void hear(Reply<Visit> reply, Question asked) {
        switch (reply) {
            case Reply.Now(Visit visit) -> send(visit, asked);
            case Reply.Later(var later) -> {
                var _ = later.whenComplete((visit, failure) -> {
                    try {
                        if (isDropped(failure)) {
                            dropped(asked);
                            return;
                        }
                        if (failure != null) {
                            throw new IllegalStateException("A visit failed", failure);
                        }
                        send(visit, asked);
                    } catch (RuntimeException e) {
                        agenda.fail(e);
                    }
                });
            }
        }
    }

    /** The visitor asks again with the same ticket, or no longer waits for the answer about another one. */
    private void dropped(Question asked) {
        Ticket had = asked.ticket();
        if (had != null && (ticket == null || !had.visitor().equals(ticket.visitor()))) {
            crowd.referee().present.stopsAsking(had);
        }
    }

    private static boolean isDropped(@Nullable Throwable failure) {
        return failure instanceof CancellationException
                || (failure instanceof CompletionException && failure.getCause() instanceof CancellationException);
    }

    /** An answer leaves its gate, unless that dies before, and is heard. */
    private void send(Visit visit, Question asked) {
        Gate from = asked.gate();
        Decision decided = Decision.of(from, agenda);
        Runnable sent = crowd.answering(from, visit);
        long stall = crowd.stall();
        if (stall == 0) {
            arrived(visit, asked, decided, sent);
            return;
        }
        int run = from.run();
        agenda.in(stall, () -> {
            if (from.run() == run) {
                arrived(visit, asked, decided, sent);
            }
        });
    }

    private void arrived(Visit visit, Question asked, Decision decided, @Nullable Runnable sent) {
        if (sent != null) {
            sent.run();
        }
        hear(visit, asked, decided);
    }

    private void hear(Visit visit, Question asked, Decision decided) {
        if (asked.ticket() != null) {
            crowd.referee().present.stopsAsking(asked.ticket());
        }
        if (phase != Phase.WAITING && phase != Phase.INSIDE) {
            return;
        }
        switch (visit) {
            case Visit.Admitted(Pass given, String token, _) -> admitted(given, token, decided);
            case Visit.Waiting(LinePosition standing, String token, _) -> waiting(standing, token, asked);
            case Visit.Ungated _ -> end();
            case Visit.Moved _ -> check(false, "has a place that nobody moved");
            case Visit.Slowed _,Visit.Refused _,Visit.Unchecked _ -> check(false, "was checked, and no room checks");
            case Visit.NotInvited(var why) -> {
                check(asked.code() != null, "was refused as " + why + ", and showed no invitation");
                later(agenda.between(100, 1_500), this::arrive);
            }
            case Visit.NotSignedIn _ -> {
                check(!asked.signedIn(), "is signed in, and counts as a stranger");
                signedIn = true;
                later(agenda.between(500, 5_000), this::arrive);
            }
            case Visit.NoTicket _ -> {
                Ticket had = asked.ticket();
                if (had == null && ticket != null) {
                    return; // to an earlier question: the visitor has a ticket since
                }
                check(had == null || had.epoch() != crowd.referee().epoch() || crowd.referee().isSpent(had.visitor())
                        || phase == Phase.INSIDE || !decided.reachable(), "has a ticket that counts as none");
                shown = ShownTokens.NONE;
                ticket = null;
                later(10, this::arrive);
            }
            case Visit.TurnedAway _,Visit.TooMany _,Visit.Unavailable _ -> {
                if (kind == WaitStyle.FORGETFUL) {
                    closeTab(true);
                } else {
                    later(agenda.between(2_000, 3_000), this::arrive);
                }
            }
        }
    }

    private void waiting(LinePosition standing, @Nullable String token, Question asked) {
        Gate from = asked.gate();
        Ticket told = standing.ticket();
        if (phase == Phase.INSIDE) {
            if (asked.withPass() && (pass == null || crowd.referee().isGone(pass.visitor()))) {
                end(); // another device of the user has left
            } else if (asked.withPass()) { // otherwise the answer was overtaken by the one with the pass
                crowd.lost(pass);
                end();
            }
            return;
        }
        Ticket had = asked.ticket();
        if (had != null && kind != WaitStyle.FORGETFUL && asked.code() == null) {
            boolean same = had.epoch() == told.epoch() && (had.isDrawn() == told.isDrawn()
                    ? had.place() == told.place()
                    : had.issued() == told.issued());
            check(same || had.epoch() != crowd.referee().epoch() || told.epoch() != crowd.referee().epoch()
                    || crowd.referee().isSpent(had.visitor()), "has place " + told.place() + " now");
        }
        if (token == null && had != null && (ticket == null || had.issued() != ticket.issued())) {
            return; // to an earlier question: the visitor has another ticket since, or none
        }
        ticket = told;
        GuestList.Code code = asked.code();
        check(code == null || code.user() == null || code.user().equals(crowd.guests().user(number))
                || !told.visitor().equals(VisitorId.derived(code.text() + " " + device())),
                "redeemed the invitation of another");
        if (token != null && had == null) {
            crowd.ticketed(number, told, asked.at());
        }
        if (token != null) {
            agenda.note("is taken", told.place(), number);
            shown = new ShownTokens(List.of(token), List.of());
        }
        if (kind == WaitStyle.FORGETFUL) {
            forget(standing);
            return;
        }
        if (vanishes) {
            closeTab(true);
            return;
        }
        crowd.told().announced(number, standing);
        boolean counts = told.epoch() == crowd.referee().epoch() && crowd.referee().mayStand(told.visitor());
        if (counts) {
            crowd.referee().present.asked(told, agenda.now() + presence(standing.poll()), from);
        }
        next(standing, from, counts);
    }

    private void forget(LinePosition standing) {
        shown = ShownTokens.NONE;
        ticket = null;
        if (++hits < 5) {
            later(standing.poll().toMillis(), this::arrive);
        } else {
            closeTab(true);
        }
    }

    /** The time for which a poll counts as presence, by the documented rule. */
    private static long presence(Duration poll) {
        return Math.max(3_000, poll.toMillis() * 3 / 2);
    }

    private void next(LinePosition standing, Gate from, boolean counts) {
        long poll = standing.poll().toMillis() + agenda.between(5, 100);
        if (impatient && agenda.chance(0.2)) {
            later(agenda.between(50, 300), this::arrive);
        } else if (kind == WaitStyle.EVENTS && listener == null && counts && from.room() != null) {
            later(agenda.between(5, 100), () -> connect(from));
        } else if (kind == WaitStyle.JSON) {
            later(poll, () -> ask(true));
        } else if (kind != WaitStyle.EVENTS || listener == null) {
            later(poll, this::arrive);
        } else {
            expected++;
        }
    }

    private void admitted(Pass given, @Nullable String token, Decision decided) {
        crowd.referee().handed(given, decided);
        if (token == null && pass == null) {
            later(agenda.between(5, 100), this::arrive);
            return;
        }
        if (token != null) {
            shown = new ShownTokens(shown.tickets(), List.of(token));
            pass = given;
        }
        if (phase == Phase.WAITING) {
            agenda.note("is inside", given.place(), number);
            crowd.told().entered(number);
            disconnect();
            crowd.waits(-1);
            phase = Phase.INSIDE;
            leavesAt = agenda.now() + crowd.stay();
        }
        long click = Math.min(Math.max(1, leavesAt - agenda.now()), crowd.click());
        later(click, this::click);
    }

    private void click() {
        if (agenda.now() < leavesAt) {
            arrive();
            return;
        }
        Room room = crowd.saysGoodbye() ? room() : null;
        Pass mine = pass;
        if (room != null && mine != null) {
            agenda.note("leaves", mine.place(), number);
            var _ = agenda.chance(0.5) ? room.visits().leave(shown) : room.visits().end(mine);
        }
        end();
    }

    private void end() {
        if (phase != Phase.OVER) {
            if (phase == Phase.WAITING) {
                crowd.waits(-1);
            }
            disconnect();
            phase = Phase.OVER;
            crowd.over();
        }
    }

    private void check(boolean kept, String broken) {
        if (!kept) {
            throw new IllegalStateException("The visitor of place " + place() + " " + broken);
        }
    }

    @Override
    public String toString() {
        return kind + " " + number + " " + phase + " of place " + place() + (listener == null ? "" : " connected")
                + " at "
                + gate;
    }

    // ---- events

    private void connect(Gate from) {
        Gate to = crowd.gate(number, from);
        Room room = to == null ? null : to.room();
        Ticket mine = ticket;
        if (to == null || room == null || mine == null) {
            arrive();
            return;
        }
        RoomListener fresh = new SimulatedEventStream(this, agenda, number * 31 + ++streams);
        if (room.visits().listen(shown, fresh)) {
            listener = fresh;
            gate = to;
            connectedTo = to;
            connectedWith = mine;
            to.connected.add(this);
            crowd.referee().present.connected(mine, agenda.now() + GATE_TELLS, to);
            expected++;
        } else {
            arrive();
        }
    }

    private void disconnect() {
        RoomListener mine = listener;
        Gate at = connectedTo;
        Ticket with = connectedWith;
        if (mine != null && at != null && with != null) {
            at.connected.remove(this);
            crowd.referee().present.disconnected(with, at);
            Room room = at.room();
            if (room != null) {
                room.visits().forget(mine);
            }
        }
        listener = null;
    }

    /** The gate has died. */
    void cutOff() {
        listener = null;
        later(agenda.between(1_000, 3_000), this::arrive);
    }

    /** Receives a message over a connection, perhaps an abandoned connection. */
    void told(SimulatedEventStream from, LinePosition standing) {
        if (from.equals(listener)) {
            crowd.told().announced(number, standing);
        }
    }

    /** The gate has ended this connection. */
    void hungUp(SimulatedEventStream from) {
        if (from.equals(listener)) {
            disconnect();
            later(agenda.between(20, 300), this::arrive);
        }
    }
}
