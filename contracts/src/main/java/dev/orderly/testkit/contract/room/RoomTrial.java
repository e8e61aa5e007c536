package dev.orderly.testkit.contract.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Store;
import dev.orderly.room.Limits;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.SlowdownReason;
import dev.orderly.room.VisitorId;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
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
import dev.orderly.room.store.RoomStore;
import dev.orderly.testkit.FaultyStore;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.contract.copy.MovingStore;
import dev.orderly.testkit.contract.input.KeptPromises;
import dev.orderly.testkit.resilience.InterceptedStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The store under test with its clock, and short forms of its calls for tests of rooms. */
final class RoomTrial {
    static final RoomName SALE = new RoomName("sale");
    /** Time for which a visitor is present after a report or request. */
    static final Duration PRESENT = Duration.ofSeconds(3);
    /** Life of a pass. */
    static final Duration PASS = Duration.ofMinutes(5);
    /** A place far behind every line. */
    static final long FAR = 1_000_000;

    private static final Duration TICKET = Duration.ofHours(24);
    private static final GateId GOVERNOR = new GateId("governor");
    private static final GateId GATE = new GateId("gate");

    private final ManualTime time = new ManualTime();
    private final Supplier<Store> open;
    private final UnaryOperator<Store> reopen;
    private final AtomicLong visitors = new AtomicLong();
    private @Nullable Store store;

    RoomTrial(Supplier<Store> open, UnaryOperator<Store> reopen) {
        this.open = open;
        this.reopen = reopen;
    }

    /** A trial of another, empty store; call {@link #begin} first. */
    RoomTrial another() {
        return new RoomTrial(open, reopen);
    }

    void begin() {
        store = open.get();
    }

    void end() {
        if (store != null) {
            store.close();
            store = null;
        }
    }

    private Store store() {
        return Objects.requireNonNull(store, "begin() was not called");
    }

    RoomStore rooms() {
        return KeptPromises.of(store().rooms());
    }

    /** The store, with faults on request. */
    FaultyStore faulty() {
        return new FaultyStore(store());
    }

    /** The store, with code around its calls. */
    InterceptedStore intercepted() {
        return new InterceptedStore(store());
    }

    /** The process dies, and another process opens the same data. */
    void crash() {
        store = reopen.apply(store());
    }

    /** The store is stopped and copied; the copy takes its place. */
    void copy() {
        store = MovingStore.moved(store(), now());
    }

    Instant now() {
        return time.now();
    }

    void pass(Duration step) {
        time.advance(step);
    }

    Instant in(Duration wait) {
        return now().plus(wait);
    }

    VisitorId visitor() {
        long number = visitors.incrementAndGet();
        return new VisitorId(number << Integer.SIZE, ~number);
    }

    // ---- the room

    static Limits capacity(int most) {
        return new Limits(most, null);
    }

    static Limits rate(int admissions, Duration period) {
        return new Limits(null, new Rate(admissions, period));
    }

    /** Reports a gate without visitors, and governs with these limits. */
    RoomState open(Limits limits) {
        gate();
        return govern(limits);
    }

    /** Reports a gate without visitors. */
    RoomState gate() {
        return sync(GATE, FAR);
    }

    RoomState sync(GateId gate, long covered, Presence... presences) {
        long epoch = find().map(RoomState::epoch).orElse(1L);
        return rooms().sync(SALE, new GateReport(gate, epoch, covered, List.of(presences)), now());
    }

    /** A gate takes a lease. */
    RoomState lease(GateId gate, Duration from, Duration until) {
        long epoch = find().map(RoomState::epoch).orElse(1L);
        return rooms().sync(SALE, new GateReport(gate, epoch, FAR, List.of(), new GateLease(in(from), in(until))),
                now());
    }

    /** A gate reports these visitors as present, and that it covers the whole line. */
    RoomState present(TicketHolder... visitors) {
        return sync(GATE, FAR, Stream.of(visitors).map(visitor -> new Presence(visitor.place(), in(PRESENT)))
                .toArray(Presence[]::new));
    }

    RoomState govern(Limits limits) {
        return govern(limits, 1_000);
    }

    RoomState govern(Limits limits, int door) {
        return govern(step(GOVERNOR, limits, door)).orElseThrow();
    }

    Optional<RoomState> govern(GovernorStep step) {
        return rooms().govern(SALE, step, now());
    }

    GovernorStep step(GateId governor, Limits limits, int door) {
        return new GovernorStep(governor, in(Duration.ofSeconds(3)), limits, SlowdownReason.NO, door, FAR,
                now().minus(TICKET));
    }

    RoomState change(RoomChange change) {
        return rooms().change(SALE, change, now());
    }

    Optional<RoomState> find() {
        return rooms().rooms(now()).stream().filter(state -> state.room().equals(SALE)).findFirst();
    }

    RoomState state() {
        return find().orElseThrow(() -> new AssertionError("Room " + SALE + " is not listed"));
    }

    int active() {
        return state().load().active();
    }

    // ---- visitors

    JoinRequest asking() {
        return new JoinRequest(visitor(), now(), in(PASS));
    }

    JoinResult join() {
        return join(SALE);
    }

    JoinResult join(RoomName room) {
        return rooms().join(room, List.of(asking()), now()).getFirst();
    }

    /** Joins visitors while nobody can enter; they are not present. */
    List<TicketHolder> line(int visitors) {
        List<JoinRequest> joins = Stream.generate(this::asking).limit(visitors).toList();
        List<JoinResult> results = rooms().join(SALE, joins, now());
        List<TicketHolder> line = new ArrayList<>();
        for (int n = 0; n < visitors; n++) {
            assertThat(results.get(n)).isInstanceOf(JoinResult.Placed.class);
            line.add(new TicketHolder(joins.get(n).visitor(), results.get(n)));
        }
        return line;
    }

    /** Joins visitors in a closed room; then all are called, and the room gets these limits. */
    List<TicketHolder> called(int visitors, Limits limits) {
        open(Limits.CLOSED);
        List<TicketHolder> line = line(visitors);
        assertThat(govern(limits).line().cursor()).isEqualTo(state().line().length());
        return line;
    }

    /** Two visitors in a room with a capacity of 1; the first is inside. */
    List<TicketHolder> oneInside() {
        List<TicketHolder> line = called(2, capacity(1));
        assertThat(admit(line.getFirst())).isEqualTo(entered());
        return line;
    }

    AdmissionRequest request(TicketHolder visitor, AdmissionRequest.Kind kind) {
        return new AdmissionRequest(visitor.id(), visitor.epoch(), visitor.place(), in(PRESENT), in(PASS), kind);
    }

    /** The visitor's own request, for a pass with this life. */
    AdmissionRequest request(TicketHolder visitor, Duration life) {
        return new AdmissionRequest(visitor.id(), visitor.epoch(), visitor.place(), in(PRESENT), in(life),
                AdmissionRequest.Kind.TAKEN);
    }

    List<AdmissionResult> admit(AdmissionRequest.Kind kind, List<TicketHolder> visitors) {
        return rooms().admit(SALE, visitors.stream().map(visitor -> request(visitor, kind)).toList(), now());
    }

    AdmissionResult admit(AdmissionRequest.Kind kind, TicketHolder visitor) {
        return admit(kind, List.of(visitor)).getFirst();
    }

    /** The visitor asks for the pass. */
    AdmissionResult admit(TicketHolder visitor) {
        return admit(AdmissionRequest.Kind.TAKEN, visitor);
    }

    AdmissionResult.Entered entered() {
        return new AdmissionResult.Entered(in(PASS));
    }

    static AdmissionResult.Spent spent() {
        return new AdmissionResult.Spent();
    }

    /** The answer to a visitor who is not called yet. */
    static AdmissionResult.Waits uncalled(int ahead) {
        return new AdmissionResult.Waits(false, ahead);
    }

    /** The answer to a called visitor who has to wait at the door. */
    static AdmissionResult.Waits waits(int ahead) {
        return new AdmissionResult.Waits(true, ahead);
    }

    boolean renew(TicketHolder visitor, Duration life) {
        return renew(visitor, life, false);
    }

    boolean revive(TicketHolder visitor) {
        return renew(visitor, PASS, true);
    }

    private boolean renew(TicketHolder visitor, Duration life, boolean revive) {
        return rooms().renew(SALE,
                List.of(new RenewalRequest(visitor.id(), visitor.epoch(), visitor.place(), in(life), revive)), now())
                .getFirst();
    }

    MoveRequest moving(TicketHolder visitor, VisitorId to) {
        return new MoveRequest(visitor.id(), visitor.epoch(), visitor.place(), to, in(TICKET));
    }

    /** Moves the visitor's place to a new visitor. */
    TicketHolder move(TicketHolder visitor) {
        VisitorId to = visitor();
        assertThat(rooms().move(SALE, List.of(moving(visitor, to)), now())).containsExactly(true);
        return new TicketHolder(to, visitor.epoch(), visitor.place());
    }

    /** Whether the visitor's place moves to a new visitor. */
    boolean moves(TicketHolder visitor) {
        return rooms().move(SALE, List.of(moving(visitor, visitor())), now()).getFirst();
    }

    void depart(TicketHolder visitor) {
        rooms().depart(SALE, List.of(departure(visitor, visitor.place())), now());
    }

    /** An operator revokes a visitor by the id alone. */
    void revoke(TicketHolder visitor) {
        rooms().depart(SALE, List.of(departure(visitor, 0)), now());
    }

    /** As {@link #revoke}, with tokens that expire after this time. */
    void revoke(TicketHolder visitor, Duration life) {
        rooms().depart(SALE, List.of(new Departure(visitor.id(), visitor.epoch(), 0, in(life))), now());
    }

    private Departure departure(TicketHolder visitor, long place) {
        return new Departure(visitor.id(), visitor.epoch(), place, in(TICKET));
    }
}
