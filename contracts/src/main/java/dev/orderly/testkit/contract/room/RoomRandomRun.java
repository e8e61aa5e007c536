package dev.orderly.testkit.contract.room;

import static dev.orderly.testkit.contract.room.RoomTrial.FAR;
import static dev.orderly.testkit.contract.room.RoomTrial.PRESENT;
import static dev.orderly.testkit.contract.room.RoomTrial.SALE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.RoomState;
import dev.orderly.room.SlowdownReason;
import dev.orderly.room.Tiers;
import dev.orderly.room.VisitorId;
import dev.orderly.room.invitation.InvitationId;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.Departure;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.GateLease;
import dev.orderly.room.store.GateReport;
import dev.orderly.room.store.GateReport.Presence;
import dev.orderly.room.store.GovernorStep;
import dev.orderly.room.store.InvitationUse;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.MoveRequest;
import dev.orderly.room.store.RenewalRequest;
import dev.orderly.room.store.RoomChange;
import dev.orderly.room.store.TierShares;
import dev.orderly.room.store.UserJoin;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Runs the same commands on the store under test and on the model, and compares all answers and states. */
final class RoomRandomRun {
    private static final Duration TICKET = Duration.ofDays(30);

    private final RoomTrial trial;
    private final RoomModel model;
    private final List<TicketHolder> visitors = new ArrayList<>();

    RoomRandomRun(RoomTrial trial) {
        this.trial = trial;
        this.model = new RoomModel(trial.rooms().isShared());
        trial.gate();
        model.at(trial.now()).sync(report("gate", FAR, true, List.of(), List.of(), 0, -1));
    }

    void take(List<RandomRoomStep> commands) {
        for (RandomRoomStep command : commands) {
            model.at(trial.now());
            take(command);
            model.at(trial.now());
            compare();
        }
    }

    private void take(RandomRoomStep command) {
        switch (command) {
            case RandomRoomStep.Joins joins -> join(joins);
            case RandomRoomStep.Invited invited -> redeem(invited);
            case RandomRoomStep.UserJoins joins -> join(joins);
            case RandomRoomStep.RevokeInvitations(int series) -> {
                Departure revocation = new Departure(InvitationId.revocation(series), model.epoch, 0, trial.in(TICKET));
                trial.rooms().depart(SALE, List.of(revocation), trial.now());
                model.depart(revocation);
            }
            case RandomRoomStep.Admissions admissions -> admit(admissions);
            case RandomRoomStep.Renew renew -> renew(renew);
            case RandomRoomStep.Move(int pick) -> move(pick);
            case RandomRoomStep.Depart depart -> depart(depart);
            case RandomRoomStep.Sync sync -> sync(sync);
            case RandomRoomStep.Govern govern -> govern(govern);
            case RandomRoomStep.Change change -> {
                trial.change(change.change());
                model.change(change.change());
            }
            case RandomRoomStep.Pass pass -> trial.pass(pass.step());
            case RandomRoomStep.Crash _ -> {
                trial.change(new RoomChange.Message(model.message)); // removes ended passes before the crash
                trial.crash();
                model.crash();
                trial.change(new RoomChange.Message(model.message)); // from this moment on the lost leases count
            }
            case RandomRoomStep.Copy _ -> {
                trial.copy();
                model.copied(trial.rooms().isShared());
                trial.change(new RoomChange.Message(model.message)); // from this moment on the lost leases count
            }
        }
    }

    private Instant presentUntil(boolean present) {
        return present ? trial.in(PRESENT) : trial.now();
    }

    private void join(RandomRoomStep.Joins command) {
        List<JoinRequest> joins = Stream
                .generate(() -> new JoinRequest(trial.visitor(), presentUntil(command.present()),
                        trial.in(command.enters() ? RoomTrial.PASS : Duration.ZERO), null, command.tier()))
                .limit(command.visitors()).toList();
        List<JoinResult> results = trial.rooms().join(SALE, joins, trial.now());
        for (int n = 0; n < joins.size(); n++) {
            long next = model.next(joins.get(n).tier());
            int present = model.load().known();
            long waiting = model.waiting(joins.get(n).tier());
            boolean in = model.join(joins.get(n));
            JoinResult result = results.get(n);
            assertThat(result.epoch()).isEqualTo(model.epoch);
            assertThat(result.place()).isEqualTo(next);
            if (result instanceof JoinResult.Placed placed) {
                assertThat(in).as("%s is in at once", placed).isFalse();
                assertThat(placed.ahead()).isBetween(waiting, waiting + present);
            } else {
                assertThat(in).as("%s is in at once", result).isTrue();
            }
            visitors.add(new TicketHolder(joins.get(n).visitor(), result));
        }
    }

    private UserJoin user(int number) {
        return new UserJoin(new VisitorId(~number, 17), List.of(), trial.in(TICKET), trial.in(TICKET));
    }

    /** A user on another device each time. */
    private void join(RandomRoomStep.UserJoins command) {
        UserJoin user = user(command.user());
        JoinRequest join = new JoinRequest(trial.visitor(), presentUntil(command.present()),
                trial.in(command.enters() ? RoomTrial.PASS : Duration.ZERO), null, command.tier(), null, user);
        Optional<JoinResult> shared = model.shared(user);
        long next = model.next(command.tier());
        JoinResult result = trial.rooms().join(SALE, List.of(join), trial.now()).getFirst();
        if (result instanceof JoinResult.Shared(long of, long place, VisitorId holder, long _, Instant until)) {
            assertThat(Optional.of(new JoinResult.Shared(of, place, holder, 0, until))).isEqualTo(shared);
            return;
        }
        assertThat(shared).as("the place that the user has beside %s", result).isEmpty();
        boolean in = model.join(join);
        assertThat(result.place()).as("place of %s", join).isEqualTo(next);
        assertThat(result instanceof JoinResult.Entered).as("%s is in at once", result).isEqualTo(in);
        visitors.add(new TicketHolder(join.visitor(), result));
    }

    private void redeem(RandomRoomStep.Invited command) {
        TicketHolder holder = command.former() < 0
                ? null
                : picked(List.of(command.former())).stream().findFirst().orElse(null);
        InvitationUse use = new InvitationUse(new InvitationId(command.number() % 2, 1 + command.number()),
                holder == null ? model.epoch : holder.epoch(), trial.in(command.life()),
                holder == null ? null : new InvitationUse.Former(holder.id(), holder.place()));
        JoinRequest join = new JoinRequest(trial.visitor(), presentUntil(command.present()),
                trial.in(command.enters() ? RoomTrial.PASS : Duration.ZERO), null, command.tier(), use,
                command.user() < 0 ? null : user(command.user()));
        redeem(join, use);
    }

    /** As gates do it: with the place that the user has, if it is another one. */
    private void redeem(JoinRequest join, InvitationUse use) {
        JoinResult result = trial.rooms().join(SALE, List.of(join), trial.now()).getFirst();
        Optional<JoinResult> refused = model.refusal(join, use);
        if (result instanceof JoinResult.Shared(long of, long place, VisitorId held, long _, Instant until)) {
            assertThat(Optional.of(new JoinResult.Shared(of, place, held, 0, until))).isEqualTo(refused);
            InvitationUse named = new InvitationUse(use.invitation(), use.epoch(), use.until(),
                    new InvitationUse.Former(held, place));
            redeem(new JoinRequest(join.visitor(), join.presentUntil(), join.passUntil(), null, join.tier(), named,
                    join.user()), named);
            return;
        }
        if (refused.isPresent()) {
            assertThat(result).as("answer to %s", join).isEqualTo(refused.get());
            return;
        }
        long next = model.next(join.tier());
        boolean in = model.redeem(join, use);
        assertThat(result.place()).as("place of %s", join).isEqualTo(next);
        assertThat(result instanceof JoinResult.Entered).as("%s is in at once", result).isEqualTo(in);
        visitors.add(new TicketHolder(join.visitor(), result));
        assertThat(trial.rooms().join(SALE, List.of(join), trial.now())).as("the repeated request")
                .extracting(JoinResult::place).containsExactly(next);
    }

    private void admit(RandomRoomStep.Admissions command) {
        List<AdmissionRequest> requests = picked(command.picks()).stream()
                .map(visitor -> new AdmissionRequest(visitor.id(), visitor.epoch(), visitor.place(),
                        presentUntil(command.present()), trial.in(command.life()), command.kind()))
                .toList();
        List<AdmissionResult> results = trial.rooms().admit(SALE, requests, trial.now());
        assertThat(results).as("answers to %s", requests).isEqualTo(model.admit(requests));
    }

    private void renew(RandomRoomStep.Renew command) {
        for (TicketHolder visitor : picked(List.of(command.pick()))) {
            RenewalRequest renewal = new RenewalRequest(visitor.id(), visitor.epoch(), visitor.place(),
                    trial.in(command.life()), command.revive());
            assertThat(trial.rooms().renew(SALE, List.of(renewal), trial.now())).as("answer to %s", renewal)
                    .containsExactly(model.renew(renewal));
        }
    }

    private void move(int pick) {
        for (TicketHolder visitor : picked(List.of(pick))) {
            MoveRequest move = new MoveRequest(visitor.id(), visitor.epoch(), visitor.place(), trial.visitor(),
                    trial.in(TICKET));
            boolean moved = trial.rooms().move(SALE, List.of(move), trial.now()).getFirst();
            assertThat(moved).as("answer to %s", move).isEqualTo(model.move(move));
            if (moved) {
                visitors.add(new TicketHolder(move.to(), visitor.epoch(), visitor.place()));
            }
        }
    }

    private void depart(RandomRoomStep.Depart command) {
        for (TicketHolder visitor : picked(List.of(command.pick()))) {
            Departure departure = new Departure(visitor.id(), visitor.epoch(),
                    command.placed() ? visitor.place() : 0, trial.in(TICKET));
            trial.rooms().depart(SALE, List.of(departure), trial.now());
            model.depart(departure);
        }
    }

    private void sync(RandomRoomStep.Sync command) {
        long covered = command.covers() < 0 ? FAR : Math.max(0, model.line().length() - command.covers());
        GateReport report = report(command.gate() == 0 ? "gate" : "another", covered, command.current(),
                picked(command.present()), picked(command.gone()), command.lease(), command.covers());
        trial.rooms().sync(SALE, report, trial.now());
        model.sync(report);
    }

    private GateReport report(String gate, long covered, boolean current, List<TicketHolder> present,
            List<TicketHolder> gone, int lease, int covers) {
        List<Presence> presences = Stream.concat(
                present.stream().map(visitor -> new Presence(visitor.place(), trial.in(PRESENT))),
                gone.stream().map(visitor -> new Presence(visitor.place(), trial.now()))).toList();
        return new GateReport(new GateId(gate), current ? model.epoch : model.epoch + 1, 0, covered, presences,
                lease == 0
                        ? GateLease.NONE
                        : new GateLease(trial.in(Duration.ofSeconds(lease)), trial.in(Duration.ofSeconds(60))),
                model.tiers().stream().map(tier -> covers < 0
                        ? Tiers.start(tier.number() + 1) - 1
                        : Math.max(Tiers.start(tier.number()), tier.line().length() - covers)).toList());
    }

    private void govern(RandomRoomStep.Govern command) {
        GovernorStep step = new GovernorStep(new GateId("governor-" + command.governor()),
                trial.in(Duration.ofSeconds(3)), command.limits(), SlowdownReason.NO, command.door(), command.horizon(),
                trial.now().minus(TICKET), TierShares.of(trial.state(), command.tiers(), command.horizon()));
        assertThat(trial.govern(step).isPresent()).as("%s may govern", step).isEqualTo(model.govern(step));
    }

    /** Picks from the latest visitors, so that visitors of the current epoch are picked often. */
    private List<TicketHolder> picked(List<Integer> picks) {
        List<TicketHolder> lately = visitors.subList(Math.max(0, visitors.size() - 25), visitors.size());
        return lately.isEmpty() ? List.of() : picks.stream().map(pick -> lately.get(pick % lately.size())).toList();
    }

    private void compare() {
        RoomState state = trial.state();
        assertThat(state.epoch()).as("epoch").isEqualTo(model.epoch);
        assertThat(state.mode()).as("mode").isEqualTo(model.mode);
        assertThat(state.message()).as("message").isEqualTo(model.message);
        assertThat(state.override()).as("override").isEqualTo(model.override);
        assertThat(state.openings()).as("openings").isEqualTo(model.openings);
        assertThat(state.limits()).as("limits").isEqualTo(model.limits);
        assertThat(state.line()).as("line").isEqualTo(model.line());
        assertThat(state.load()).as("load").isEqualTo(model.load());
        assertThat(state.voided()).as("voided").isEqualTo(model.voided);
        assertThat(state.moved()).as("moved").isEqualTo(model.moved.keySet());
        assertThat(state.tiers()).as("tiers").isEqualTo(model.tiers());
        assertThat(state.pace().admitted()).as("admitted").isEqualTo(model.admitted);
        assertThat(state.line().cursor()).as("cursor").isLessThanOrEqualTo(state.line().length());
    }
}
