package dev.orderly.testkit.contract.room;

import static dev.orderly.testkit.contract.room.RoomTrial.FAR;
import static dev.orderly.testkit.contract.room.RoomTrial.PASS;
import static dev.orderly.testkit.contract.room.RoomTrial.PRESENT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Store;
import dev.orderly.room.Limits;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.VisitorId;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.Departure;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.GateReport;
import dev.orderly.room.store.GateReport.Presence;
import dev.orderly.room.store.GovernorStep;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.MoveRequest;
import dev.orderly.room.store.RenewalRequest;
import dev.orderly.room.store.RoomChange;
import dev.orderly.room.store.RoomStore;
import dev.orderly.room.store.VisitorRecord;
import dev.orderly.testkit.contract.input.NthCall;
import dev.orderly.testkit.contract.input.NthCall.Fault;
import dev.orderly.testkit.resilience.InterceptedStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The answer to every call may get lost, and the call be repeated. The life of a room with every operation that gates
 * repeat is led again and again: once untouched, then without the answer to its first call, its second, and so on to
 * the last. No state on the way exceeds the capacity, and each life ends as the untouched one.
 */
public interface RoomNthCallPart extends RoomPart {
    /** How each life ends. */
    String EXPECTED = "{a=no pass, void, used up, b=no pass, void, used up, c=no pass, void, moved, used up, "
            + "d=a pass, used up}, AUTO, 1 inside, 0 wait";

    /**
     * Leads the life on a store that fails by itself.
     *
     * @return how a store tells its end: {@link #EXPECTED}
     */
    static Function<Store, Object> led(Store store) {
        RoomTrial trial = new RoomTrial(() -> store, UnaryOperator.identity());
        trial.begin();
        Life life = new Life(trial, NthCall.ofStore(), 0);
        life.lead();
        return ended -> life.end(ended.rooms());
    }

    @Test
    default void whicheverAnswerIsLostARepetitionEndsAsIfNoneHadBeen() {
        NthCall untouched = new NthCall(0, Fault.AFTER);
        assertThat(new Life(trial(), untouched, 0).lead()).isEqualTo(EXPECTED);
        for (int call = 1; call <= untouched.calls(); call++) {
            NthCall failing = new NthCall(call, Fault.AFTER);
            assertThat(new Life(trial(), failing, call).lead()).as(failing::toString).isEqualTo(EXPECTED);
        }
    }

    /** The life of a room of its own. */
    final class Life {
        private static final int CAPACITY = 2;
        private static final Duration SETTLING = Duration.ofSeconds(5);
        private static final Duration TICKET = Duration.ofHours(24);
        private static final GateId GATE = new GateId("gate");

        private final RoomTrial trial;
        private final NthCall fault;
        private final RoomStore rooms;
        private final RoomName room;
        private List<TicketHolder> visitors = List.of();

        private Life(RoomTrial trial, NthCall fault, int call) {
            InterceptedStore store = trial.intercepted();
            fault.in(store);
            this.trial = trial;
            this.fault = fault;
            this.rooms = store.rooms();
            this.room = new RoomName("nth-" + call);
        }

        /** Returns how the life ended. */
        private String lead() {
            fault.begin();
            report();
            govern(Limits.CLOSED);
            TicketHolder a = join();
            TicketHolder b = join();
            TicketHolder c = join();
            report(a, b, c);
            govern(RoomTrial.capacity(CAPACITY));
            assertThat(admitted(a, AdmissionRequest.Kind.UNTAKEN, a, b, c)).isEqualTo(trial.entered());
            assertThat(admitted(a, AdmissionRequest.Kind.TAKEN, a, b, c)).isEqualTo(trial.entered());
            assertThat(admitted(b, AdmissionRequest.Kind.TAKEN, b, c)).isEqualTo(trial.entered());
            assertThat(admit(c, AdmissionRequest.Kind.TAKEN)).isInstanceOf(AdmissionResult.Waits.class);
            assertThat(renew(a)).isTrue();
            change(new RoomChange.Mode(RoomMode.HOLD));
            TicketHolder d = move(c);
            depart(a);
            report(d);
            govern(RoomTrial.capacity(CAPACITY));
            assertThat(admit(d, AdmissionRequest.Kind.TAKEN)).as("while the room holds")
                    .isInstanceOf(AdmissionResult.Waits.class);
            change(new RoomChange.Mode(RoomMode.AUTO));
            govern(RoomTrial.capacity(CAPACITY));
            assertThat(admitted(d, AdmissionRequest.Kind.TAKEN, d)).isEqualTo(trial.entered());
            depart(b);
            visitors = List.of(a, b, c, d);
            return end(rooms);
        }

        private String end(RoomStore rooms) {
            RoomState end = within(sure(() -> rooms.sync(room, new GateReport(GATE, 1, FAR, List.of()), trial.now())));
            TreeMap<String, String> ends = new TreeMap<>();
            visitors.forEach(each -> ends.put("abcd".charAt(ends.size()) + "", endOf(rooms, each)));
            return ends + ", " + end.mode() + ", " + end.load().active() + " inside, "
                    + end.line().waiting() + " wait";
        }

        private String endOf(RoomStore rooms, TicketHolder visitor) {
            VisitorRecord known = sure(() -> rooms.find(room, visitor.id(), trial.now()));
            boolean used = sure(() -> rooms.use(room, visitor.place(), trial.now())).usedUp();
            return (known.pass() == null ? "no pass" : "a pass") + (known.voidUntil() == null ? "" : ", void")
                    + (known.movedTo() == null ? "" : ", moved") + (used ? ", used up" : "");
        }

        /** Repeats a call until it is answered. */
        private <T> T sure(Supplier<T> call) {
            return fault.sure(call);
        }

        private RoomState within(RoomState state) {
            assertThat(state.load().active()).as("live passes").isLessThanOrEqualTo(CAPACITY);
            assertThat(state.line().cursor()).as("cursor").isLessThanOrEqualTo(state.line().length());
            return state;
        }

        /** A visitor whose answer is lost asks as another one, and the first place stays empty. */
        private TicketHolder join() {
            return sure(() -> {
                VisitorId visitor = trial.visitor();
                JoinResult joined = rooms.join(room, List.of(new JoinRequest(visitor, trial.now(), trial.now())),
                        trial.now()).getFirst();
                return new TicketHolder(visitor, joined);
            });
        }

        private RoomState report(TicketHolder... present) {
            GateReport report = new GateReport(GATE, 1, FAR, Stream.of(present)
                    .map(visitor -> new Presence(visitor.place(), trial.in(PRESENT))).toList());
            return within(sure(() -> rooms.sync(room, report, trial.now())));
        }

        private void govern(Limits limits) {
            GovernorStep step = trial.step(GATE, limits, 10);
            Optional<RoomState> after = sure(() -> rooms.govern(room, step, trial.now()));
            assertThat(after).hasValueSatisfying(this::within);
        }

        private void change(RoomChange change) {
            within(sure(() -> rooms.change(room, change, trial.now())));
        }

        private AdmissionResult admit(TicketHolder visitor, AdmissionRequest.Kind kind) {
            return sure(() -> rooms.admit(room, List.of(trial.request(visitor, kind)), trial.now())).getFirst();
        }

        /** A store that has read its room again after a failure of its own admits nobody until gates have reported. */
        private AdmissionResult admitted(TicketHolder visitor, AdmissionRequest.Kind kind, TicketHolder... present) {
            AdmissionResult result = admit(visitor, kind);
            if (result instanceof AdmissionResult.Waits && fault.isOfStore() && fault.failures() > 0) {
                govern(RoomTrial.capacity(CAPACITY));
                trial.pass(SETTLING);
                report(present);
                govern(RoomTrial.capacity(CAPACITY));
                return admit(visitor, kind);
            }
            return result;
        }

        private boolean renew(TicketHolder visitor) {
            return sure(() -> rooms.renew(room, List.of(new RenewalRequest(visitor.id(), visitor.epoch(),
                    visitor.place(), trial.in(PASS), false)), trial.now())).getFirst();
        }

        private TicketHolder move(TicketHolder visitor) {
            MoveRequest move = trial.moving(visitor, trial.visitor());
            assertThat(sure(() -> rooms.move(room, List.of(move), trial.now()))).containsExactly(true);
            return new TicketHolder(move.to(), visitor.epoch(), visitor.place());
        }

        private void depart(TicketHolder visitor) {
            Departure departure = new Departure(visitor.id(), visitor.epoch(), visitor.place(), trial.in(TICKET));
            sure(() -> {
                rooms.depart(room, List.of(departure), trial.now());
                return true;
            });
        }
    }
}
