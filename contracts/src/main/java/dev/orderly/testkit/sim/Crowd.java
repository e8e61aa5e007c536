package dev.orderly.testkit.sim;

import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.Visit;
import dev.orderly.room.token.Pass;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.Ticket;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The visitors, and the state that they share. */
final class Crowd {
    private static final int SPIKES = 4;

    private final Scenario scenario;
    private final Scenario.Crowd sizes;
    private final Manner manner;
    private final Agenda agenda;
    private final Referee referee;
    private final AnnouncedWaits waits;
    private final List<Gate> gates;
    private final GuestList guests;
    private final RoomTokens tokens;
    private final List<Visitor> here = new ArrayList<>();
    private int waiting;
    private int over;
    private long noShows;
    /** Requests that were routed to the next gate. */
    private int turn;

    Crowd(Scenario scenario, Agenda agenda, Referee referee, AnnouncedWaits waits, List<Gate> gates,
            RoomTokens tokens) {
        this.tokens = tokens;
        this.guests = new GuestList(scenario, agenda, gates);
        this.scenario = scenario;
        this.sizes = scenario.crowd();
        this.manner = sizes.manner();
        this.waits = waits;
        this.agenda = agenda;
        this.referee = referee;
        this.gates = gates;
    }

    // ---- arrivals

    /** Schedules the arrivals, one event a visitor. */
    void gather() {
        boolean even = manner.coming() == Manner.Coming.EVEN;
        long at = 0;
        for (int n = 0; n < sizes.count(); n++) {
            long span = sizes.arriving().toMillis();
            at = guests.comesAlong(n)
                    ? at + agenda.between(0, 20)
                    : even || agenda.chance(0.5)
                            ? agenda.between(0, span)
                            : span * agenda.between(0, SPIKES - 1) / SPIKES + agenda.between(0, 2_000);
            int number = n;
            agenda.in(at, () -> come(number));
        }
    }

    private void come(int number) {
        WaitStyle kind = kind(agenda.random.nextDouble());
        boolean impatient = agenda.chance(0.05);
        Visitor visitor = new Visitor(this, number, kind, impatient && !manner.clean());
        here.add(visitor);
        if (manner.missing() == Manner.Missing.VANISHES && agenda.chance(sizes.noShow())) {
            noShows++;
            visitor.vanish();
        }
        visitor.come();
        if (manner.missing() == Manner.Missing.VANISHES) {
            return;
        }
        if (kind != WaitStyle.FORGETFUL && agenda.chance(sizes.noShow())) {
            agenda.in(agenda.between(0, sizes.patience().toMillis()), () -> close(visitor));
        } else if (scenario.faults() != Scenario.Faults.NONE && agenda.chance(0.05)) {
            agenda.in(agenda.between(0, sizes.patience().toMillis()), visitor::giveUp);
        } else if (!manner.clean() && agenda.chance(0.05)) {
            for (int i = 1; i < 6; i++) {
                agenda.in(i * agenda.between(1_000, 4_000), visitor::another);
            }
        }
        if (scenario.guests().invited() > 0 && agenda.chance(scenario.guests().invited())) {
            for (long n = agenda.between(1, 3); n > 0; n--) {
                agenda.in(agenda.between(0, sizes.patience().toMillis()), () -> redeem(visitor));
            }
        }
    }

    /** One code, at one gate or at two at once. */
    private void redeem(Visitor visitor) {
        GuestList.Code code = guests.code();
        visitor.redeem(code);
        if (agenda.chance(0.3)) {
            agenda.in(agenda.between(0, 60), () -> here.get((int) agenda.between(0, here.size() - 1)).redeem(code));
        }
        if (agenda.chance(0.3)) {
            agenda.in(agenda.between(0, 60), () -> visitor.redeemElsewhere(code));
        }
    }

    private WaitStyle kind(double dice) {
        boolean few = sizes.count() <= 100_000;
        return switch (manner.waiting()) {
            case EVENTS -> WaitStyle.EVENTS;
            case POLLS -> dice < 0.5 ? WaitStyle.PAGE : WaitStyle.JSON;
            case MIXED -> dice < 0.02 && !manner.clean()
                    ? WaitStyle.FORGETFUL
                    : dice < 0.35
                            ? WaitStyle.PAGE
                            : dice < 0.6 ? WaitStyle.JSON : few ? WaitStyle.EVENTS : WaitStyle.PAGE;
        };
    }

    private void close(Visitor visitor) {
        if (!visitor.waits()) {
            return;
        }
        boolean forGood = agenda.chance(0.8);
        noShows++;
        visitor.closeTab(forGood);
        if (!forGood) {
            agenda.in(agenda.between(1_000, 90_000), visitor::comeBack);
        }
    }

    // ---- reports of visitors

    void waits(int more) {
        waiting += more;
    }

    void over() {
        over++;
    }

    /** A visitor inside was sent back into the line. */
    void lost(@Nullable Pass pass) {
        if (scenario.faults() == Scenario.Faults.NONE) {
            throw new IllegalStateException("A visitor inside lost " + pass);
        }
    }

    // ---- the world of visitors

    /** The gate of a visitor's next request, as the network chooses it; null if no gate lives. */
    @Nullable
    Gate gate(int number, @Nullable Gate before) {
        boolean hash = scenario.network().routing() == Network.Routing.HASH;
        if (hash && before != null && before.room() != null) {
            return before;
        }
        int first = hash ? number : turn++ & Integer.MAX_VALUE;
        for (int i = 0; i < gates.size(); i++) {
            Gate gate = gates.get((int) (((long) first + i) % gates.size()));
            if (gate.room() != null) {
                return gate;
            }
        }
        return null;
    }

    /** The delay of an answer. */
    long stall() {
        long most = scenario.network().stall().toMillis();
        return most == 0 ? 0 : agenda.between(0, most);
    }

    /** The action for an answer that has left; null for none. */
    @Nullable
    Runnable answering(Gate from, Visit visit) {
        Room room = from.room();
        return room == null || scenario.flaws().answersUnheard() || !(visit instanceof Visit.Waiting waiting)
                ? null
                : room.visits().answering(waiting);
    }

    Agenda agenda() {
        return agenda;
    }

    GuestList guests() {
        return guests;
    }

    /** The device of a visitor has a ticket for the first time, or anew. */
    void ticketed(int number, Ticket ticket, long asked) {
        String user = guests.user(number);
        if (user != null && guests.haveOnePlaceEach(asked) && ticket.epoch() == referee.epoch()) {
            referee.holders.told(tokens.users(Gate.ROOM, user).getFirst(), ticket.visitor());
        }
    }

    Referee referee() {
        return referee;
    }

    AnnouncedWaits told() {
        return waits;
    }

    /** The length of a stay inside. */
    long stay() {
        long mean = sizes.inside().toMillis();
        return switch (manner.staying()) {
            case EXPONENTIAL -> agenda.exponential(mean);
            case EVEN -> agenda.between(mean / 2, mean * 3 / 2);
            case FIXED -> mean;
        };
    }

    /** Whether a leaving visitor tells the gate; otherwise the pass expires. */
    boolean saysGoodbye() {
        return manner.clean() || agenda.chance(0.5);
    }

    /**
     * The time between requests inside: short enough for every pass, since a pass is renewed only after half of its
     * life, however long answers take.
     */
    long click() {
        return scenario.stay().passIdle().toMillis() * 9 / 20 - scenario.network().stall().toMillis();
    }

    // ---- state

    int waiting() {
        return waiting;
    }

    boolean allOver() {
        return over == sizes.count();
    }

    /** Some of the visitors who are not done yet. */
    String left() {
        return here.stream().filter(visitor -> !visitor.isOver()).limit(10).map(Visitor::toString)
                .collect(Collectors.joining("; "));
    }

    long noShows() {
        return noShows;
    }

    int came() {
        return here.size();
    }

    /** A visitor who is inside, if a few attempts find one. */
    @Nullable
    Pass anyInside() {
        for (int tries = 0; tries < 20 && !here.isEmpty(); tries++) {
            Pass pass = here.get((int) agenda.between(0, here.size() - 1)).pass();
            if (pass != null) {
                return pass;
            }
        }
        return null;
    }
}
