package dev.orderly.testkit.sim;

import dev.orderly.room.Limits;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomMode;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.store.RoomChange;
import dev.orderly.room.token.Pass;
import dev.orderly.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Random faults and operator changes; all of them end after a while. */
final class Troubles {
    private final Agenda agenda;
    private final Scenario scenario;
    private final Depot depot;
    private final List<Gate> gates;
    private final Crowd crowd;
    /**
     * A gate that starts after its clock was set sees other times than the rest, so a run has either jumps or restarts.
     */
    private final boolean clocksJump;
    private boolean healed;

    Troubles(Agenda agenda, Scenario scenario, Depot depot, List<Gate> gates, Crowd crowd) {
        this.agenda = agenda;
        this.scenario = scenario;
        this.depot = depot;
        this.gates = gates;
        this.crowd = crowd;
        this.clocksJump = agenda.chance(0.3);
    }

    void brew() {
        long span = scenario.crowd().arriving().toMillis() * 2;
        for (long n = agenda.between(3, 10); n > 0; n--) {
            agenda.in(agenda.between(3_000, span), this::one);
        }
        if (scenario.faults() == Scenario.Faults.CUT_OFF) {
            for (long n = agenda.between(2, 5); n > 0; n--) {
                agenda.in(agenda.between(3_000, span), this::cutOff);
            }
        }
        if (!scenario.guests().equals(Scenario.Guests.NONE)) {
            for (long n = agenda.between(3, 8); n > 0; n--) {
                agenda.in(agenda.between(3_000, span), crowd.guests()::trouble);
            }
        }
        agenda.in(span + 1_000, this::heal);
    }

    /** Cuts off one gate, sometimes for longer than it may act alone; another gate restarts meanwhile. */
    private void cutOff() {
        Gate gate = gates.get((int) agenda.between(0, gates.size() - 1));
        agenda.note("sees " + gate + " cut off", 0, 0);
        gate.cutOff(true);
        agenda.in(agenda.chance(0.5) ? agenda.between(1_000, 30_000) : agenda.between(30_000, 120_000),
                () -> gate.cutOff(false));
        if (!clocksJump && agenda.chance(0.5)) {
            Gate other = gates.get((int) agenda.between(0, gates.size() - 1));
            if (other != gate && other.room() != null) {
                other.kill();
                agenda.in(agenda.between(100, 2_000), other::start);
            }
        }
    }

    private void one() {
        switch ((int) agenda.between(0, 11)) {
            case 0, 1 -> {
                agenda.note("sees the store away", 0, 0);
                depot.away(agenda.chance(0.2) ? agenda.between(1_000, 120_000) : agenda.between(100, 15_000));
            }
            case 2 -> {
                agenda.note("sees the store die", 0, 0);
                depot.crash(agenda.between(3_000, 8_000));
            }
            case 3, 4 -> jumpOrRestart();
            case 5 -> {
                change(new RoomChange.Mode(agenda.chance(0.5) ? RoomMode.HOLD : RoomMode.DRAIN));
                agenda.in(agenda.between(2_000, 20_000), () -> change(new RoomChange.Mode(RoomMode.AUTO)));
            }
            case 6 -> change(new RoomChange.Admit((int) agenda.between(1, 10)));
            case 7, 8 -> {
                change(new RoomChange.Settings(other(agenda.chance(0.5) ? 0.5 : 1.5)));
                agenda.in(agenda.between(2_000, 30_000), () -> change(new RoomChange.Settings(null)));
            }
            case 9 -> {
                if (agenda.chance(0.3)) {
                    change(new RoomChange.NewEpoch());
                }
            }
            default -> {
                Pass pass = crowd.anyInside();
                if (pass != null) {
                    agenda.note("is revoked", pass.place(), 0);
                    withEngine(engine -> engine.revoke(Gate.ROOM, pass.visitor()));
                }
            }
        }
    }

    private void jumpOrRestart() {
        if (clocksJump) {
            agenda.time.jump(Duration.ofSeconds(agenda.between(-3_600, 3_600)));
            return;
        }
        Gate gate = gates.get((int) agenda.between(0, gates.size() - 1));
        if (gate.room() != null) {
            agenda.note("sees " + gate + " die", 0, 0);
            gate.kill();
            agenda.in(agenda.between(100, 15_000), gate::start);
        }
    }

    private Limits other(double share) {
        Limits limits = scenario.limits();
        Integer capacity = limits.capacity();
        Rate rate = limits.rate();
        return new Limits(capacity == null ? null : (int) Math.ceil(capacity * share),
                rate == null ? null : new Rate((int) Math.ceil(rate.admissions() * share), rate.period()));
    }

    private void change(RoomChange change) {
        boolean last = healed;
        withEngine(engine -> {
            if (last || !healed) {
                engine.change(Gate.ROOM, change);
            }
        });
    }

    private void withEngine(Consumer<RoomEngine> what) {
        for (Gate gate : gates) {
            RoomEngine engine = gate.engine();
            if (engine != null) {
                try {
                    what.accept(engine);
                } catch (StoreException e) {
                    agenda.in(1_000, () -> withEngine(what));
                }
                return;
            }
        }
        agenda.in(1_000, () -> withEngine(what));
    }

    private void heal() {
        healed = true;
        depot.heal();
        gates.forEach(gate -> gate.cutOff(false));
        if (!scenario.guests().equals(Scenario.Guests.NONE)) {
            crowd.guests().heal();
        }
        change(new RoomChange.Mode(RoomMode.AUTO));
        change(new RoomChange.Settings(null));
    }
}
