package dev.orderly.testkit.contract.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Limits;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.SlowdownReason;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.Departure;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.GateLease;
import dev.orderly.room.store.GateReport;
import dev.orderly.room.store.GateReport.Presence;
import dev.orderly.room.store.GovernorStep;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.MoveRequest;
import dev.orderly.room.store.RenewalRequest;
import dev.orderly.room.store.RoomChange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A row of the table: a room in some state, with a visitor in each situation, takes a request by all visitors, in the
 * store under test and in the model.
 */
final class RoomTableRun {
    private static final GateId GATE = new GateId("gate");
    private static final GateId AWAY = new GateId("away");
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration TICKET = Duration.ofDays(30);
    /**
     * Ends of passes. After the first a pass no longer counts as inside; after the second an unreachable gate keeps it.
     */
    private static final Duration ENDS = Duration.ofSeconds(10);
    private static final Duration ENDS_KEPT = Duration.ofSeconds(20);

    /** The free admissions of the room. */
    enum FreeAdmissions {
        UNBOUNDED, ONE_PLACE_LEFT, FULL, OVERFULL, ONE_ADMISSION_LEFT, RATE_SPENT, ON_HOLD, ON_HOLD_WITH_GRANTS,
        FULL_WITH_GRANTS, RATE_SPENT_WITH_GRANTS, OPEN_TO_ALL
    }

    /** The request of all visitors, in one call. */
    enum Request {
        TAKEN, TAKEN_ABSENT, UNTAKEN, UNTAKEN_ABSENT, RECORDED, RECORDED_ABSENT, TAKEN_ENDED, UNTAKEN_ENDED,
        RECORDED_ENDED, RENEW, REVIVE, MOVE, DEPART, REVOKE, PRESENT, GONE, GONE_ELSEWHERE, JOIN
    }

    private final RoomTrial trial;
    private final RoomName room;
    private final RoomModel model;
    private final List<TicketHolder> visitors = new ArrayList<>();

    RoomTableRun(RoomTrial trial, RoomName room) {
        this.trial = trial;
        this.room = room;
        this.model = new RoomModel(trial.rooms().isShared());
    }

    void check(FreeAdmissions hall, Request request) {
        cast();
        limit(hall);
        ask(request);
        compare(request);
        admit(AdmissionRequest.Kind.TAKEN, visitors, Duration.ofSeconds(3), LONG);
        renew(true);
        compare(request);
    }

    // ---- the visitors

    /** In list order: of an old epoch; departed, revoked without a pass; waiting; inside; ended; uncalled; unknown. */
    private void cast() {
        sync(GATE, GateLease.NONE, List.of());
        govern(Limits.NONE, 0);
        join(1, Duration.ZERO);
        change(new RoomChange.NewEpoch());
        sync(GATE, GateLease.NONE, List.of());
        join(12, Duration.ZERO);
        govern(Limits.NONE, 1_000);
        depart(visitors.subList(1, 2), true);
        depart(visitors.subList(2, 3), false);
        admit(AdmissionRequest.Kind.UNTAKEN, visitors.subList(5, 6), Duration.ZERO, LONG);
        admit(AdmissionRequest.Kind.TAKEN, List.of(visitors.get(6), visitors.get(11), visitors.get(12)), Duration.ZERO,
                LONG);
        admit(AdmissionRequest.Kind.UNTAKEN, visitors.subList(7, 8), Duration.ZERO, ENDS);
        admit(AdmissionRequest.Kind.TAKEN, visitors.subList(8, 9), Duration.ZERO, ENDS);
        admit(AdmissionRequest.Kind.UNTAKEN, visitors.subList(9, 10), Duration.ZERO, ENDS_KEPT);
        admit(AdmissionRequest.Kind.TAKEN, visitors.subList(10, 11), Duration.ZERO, ENDS_KEPT);
        depart(visitors.subList(11, 12), true);
        depart(visitors.subList(12, 13), false);
        sync(AWAY, new GateLease(trial.in(ENDS), trial.in(LONG)), List.of());
        govern(Limits.CLOSED, 0);
        join(2, Duration.ZERO);
        sync(GATE, GateLease.NONE, Stream.of(4, 13)
                .map(n -> new Presence(visitors.get(n).place(), trial.in(LONG))).toList());
        trial.pass(ENDS_KEPT);
        visitors.add(new TicketHolder(trial.visitor(), 2, 0));
        visitors.add(new TicketHolder(trial.visitor(), 2, visitors.size() + 3));
    }

    private void limit(FreeAdmissions hall) {
        model.at(trial.now());
        int active = model.load().active();
        Duration hour = Duration.ofHours(1);
        switch (hall) {
            case UNBOUNDED, ON_HOLD, ON_HOLD_WITH_GRANTS, OPEN_TO_ALL -> govern(Limits.NONE, 0);
            case ONE_PLACE_LEFT -> govern(new Limits(active + 1, null), 0);
            case FULL, FULL_WITH_GRANTS -> govern(new Limits(active, null), 0);
            case OVERFULL -> govern(new Limits(active - 1, null), 0);
            case ONE_ADMISSION_LEFT -> govern(new Limits(null, new Rate(model.admissions() + 1, hour)), 0);
            case RATE_SPENT, RATE_SPENT_WITH_GRANTS ->
                govern(new Limits(null, new Rate(model.admissions(), hour)), 0);
        }
        if (hall.name().endsWith("WITH_GRANTS")) {
            change(new RoomChange.Admit(2));
        }
        if (hall.name().startsWith("ON_HOLD")) {
            change(new RoomChange.Mode(RoomMode.HOLD));
        } else if (hall == FreeAdmissions.OPEN_TO_ALL) {
            change(new RoomChange.Mode(RoomMode.OPEN));
        }
    }

    // ---- requests

    private void ask(Request request) {
        Duration present = request.name().endsWith("ABSENT") ? Duration.ZERO : Duration.ofSeconds(3);
        Duration life = request.name().endsWith("ENDED") ? Duration.ofMillis(-1) : LONG;
        switch (request) {
            case TAKEN, TAKEN_ABSENT, TAKEN_ENDED -> admit(AdmissionRequest.Kind.TAKEN, visitors, present, life);
            case UNTAKEN, UNTAKEN_ABSENT, UNTAKEN_ENDED ->
                admit(AdmissionRequest.Kind.UNTAKEN, visitors, present, life);
            case RECORDED, RECORDED_ABSENT, RECORDED_ENDED ->
                admit(AdmissionRequest.Kind.RECORDED, visitors, present, life);
            case RENEW -> renew(false);
            case REVIVE -> renew(true);
            case MOVE -> move();
            case DEPART -> depart(visitors, true);
            case REVOKE -> depart(visitors, false);
            case PRESENT -> sync(GATE, GateLease.NONE, presences(trial.in(LONG)));
            case GONE -> sync(GATE, GateLease.NONE, presences(trial.now()));
            case GONE_ELSEWHERE -> sync(AWAY, GateLease.NONE, presences(trial.now()));
            case JOIN -> join(3, LONG);
        }
    }

    /** Presences of all visitors of this epoch. */
    private List<Presence> presences(Instant until) {
        return visitors.stream().skip(1).map(visitor -> new Presence(visitor.place(), until)).toList();
    }

    /** @param life life of a pass if the visitors may enter at once; zero if not */
    private void join(int count, Duration life) {
        model.at(trial.now());
        List<JoinRequest> joins = Stream
                .generate(() -> new JoinRequest(trial.visitor(), trial.in(Duration.ofSeconds(3)),
                        trial.in(life)))
                .limit(count).toList();
        List<JoinResult> results = trial.rooms().join(room, joins, trial.now());
        for (int n = 0; n < count; n++) {
            assertThat(results.get(n) instanceof JoinResult.Entered).as("%s enters: %s", joins.get(n), results)
                    .isEqualTo(model.join(joins.get(n)));
            visitors.add(new TicketHolder(joins.get(n).visitor(), results.get(n)));
        }
    }

    private void admit(AdmissionRequest.Kind kind, List<TicketHolder> asking, Duration present, Duration life) {
        model.at(trial.now());
        List<AdmissionRequest> requests = asking.stream()
                .map(visitor -> new AdmissionRequest(visitor.id(), visitor.epoch(), visitor.place(),
                        trial.in(present), trial.in(life), kind))
                .toList();
        assertThat(trial.rooms().admit(room, requests, trial.now())).as("%s %s", room, requests)
                .isEqualTo(model.admit(requests));
    }

    /** Renews in reverse order, so that the last visitor of the list gets the capacity that is left. */
    private void renew(boolean revive) {
        model.at(trial.now());
        List<RenewalRequest> renewals = visitors.reversed().stream()
                .map(visitor -> new RenewalRequest(visitor.id(), visitor.epoch(),
                        visitor.place(), trial.in(LONG.plusSeconds(1)), revive))
                .toList();
        assertThat(trial.rooms().renew(room, renewals, trial.now())).as("%s %s", room, renewals)
                .isEqualTo(renewals.stream().map(model::renew).toList());
    }

    /** Moves all places; former visitors and new visitors take part in the requests that follow. */
    private void move() {
        model.at(trial.now());
        List<MoveRequest> moves = visitors.stream().map(visitor -> new MoveRequest(visitor.id(), visitor.epoch(),
                visitor.place(), trial.visitor(), trial.in(TICKET))).toList();
        List<Boolean> moved = trial.rooms().move(room, moves, trial.now());
        assertThat(moved).as("%s %s", room, moves).isEqualTo(moves.stream().map(model::move).toList());
        for (int n = 0; n < moves.size(); n++) {
            if (moved.get(n)) {
                visitors.add(new TicketHolder(moves.get(n).to(), moves.get(n).epoch(), moves.get(n).place()));
            }
        }
    }

    private void depart(List<TicketHolder> leaving, boolean placed) {
        model.at(trial.now());
        List<Departure> departures = leaving.stream().map(visitor -> new Departure(visitor.id(), visitor.epoch(),
                placed ? visitor.place() : 0, trial.in(TICKET))).toList();
        trial.rooms().depart(room, departures, trial.now());
        departures.forEach(model::depart);
    }

    private void sync(GateId gate, GateLease lease, List<Presence> presences) {
        model.at(trial.now());
        GateReport report = new GateReport(gate, model.epoch, RoomTrial.FAR, presences, lease);
        trial.rooms().sync(room, report, trial.now());
        model.sync(report);
    }

    private void govern(Limits limits, int door) {
        model.at(trial.now());
        GovernorStep step = new GovernorStep(new GateId("governor"), trial.in(Duration.ofSeconds(3)), limits,
                SlowdownReason.NO,
                door, RoomTrial.FAR, trial.now().minus(TICKET));
        assertThat(trial.rooms().govern(room, step, trial.now()).isPresent()).isEqualTo(model.govern(step));
    }

    private void change(RoomChange change) {
        model.at(trial.now());
        trial.rooms().change(room, change, trial.now());
        model.change(change);
    }

    private void compare(Request request) {
        model.at(trial.now());
        RoomState state = trial.rooms().change(room, RoomChange.Message.of("compared"), trial.now());
        assertThat(state.line()).as("%s after %s: line", room, request).isEqualTo(model.line());
        assertThat(state.load()).as("%s after %s: load", room, request).isEqualTo(model.load());
        assertThat(state.voided()).as("%s after %s: voided", room, request).isEqualTo(model.voided);
        assertThat(state.moved()).as("%s after %s: moved", room, request).isEqualTo(model.moved.keySet());
        assertThat(state.pace().admitted()).as("%s after %s: admitted", room, request).isEqualTo(model.admitted);
    }
}
