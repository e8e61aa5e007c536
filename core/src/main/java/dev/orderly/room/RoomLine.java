package dev.orderly.room;

import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this gate remembers of a room, and the step that keeps it true: who is present is told, how the room stands is
 * heard, and the room is governed if nobody else does. Read by any thread, stepped by one.
 */
final class RoomLine {
    private static final Logger LOG = LoggerFactory.getLogger(RoomLine.class);
    private static final Duration LEASE = Duration.ofSeconds(3);
    /** Rounds come a second apart, or little less. */
    private static final Duration HEALTH = Duration.ofMillis(900);
    /** A room that was crowded when this gate began calls nobody until those who wait had time to come back to it. */
    private static final Duration SETTLING = Duration.ofSeconds(5);
    private static final int TIDY_ROUNDS = 30;
    private static final Duration ENDED_KNOWN = Duration.ofSeconds(10);

    final RoomName name;
    final RoomOptions options;
    final @Nullable JoinLimiter limiter;
    final @Nullable UntakenPasses untaken;
    final @Nullable PassAddresses sharing;
    /** By epoch: who waits in this line, and in those that visitors of other gates were told of before this one was. */
    private final ConcurrentMap<Long, Attendance> attendances = new ConcurrentHashMap<>();
    private final ConcurrentMap<VisitorId, Instant> ended = new ConcurrentHashMap<>();
    private final GateId gate;
    private final RoomStore store;
    private final Time time;
    private final RoomSignals signals;
    private final @Nullable HealthLimit health;
    private final HeldSignal backlog;
    /** The last one the store has confirmed; null if no other process can reach it. */
    private volatile @Nullable GateLease lease;
    private final Instant begun;
    private volatile RoomState state;
    private volatile Reach reach = Reach.ALWAYS;
    private volatile Coasting coasting;
    private final Forecaster forecaster;
    private boolean settling;
    private boolean governed;
    /** By the health of the site, of which a second says something, however many rounds it has. */
    private int bearable = Integer.MAX_VALUE;
    private Instant healthAgain = Instant.EPOCH;
    private long rounds;

    /**
     * @param executor asks the signals, which may block
     * @throws StoreException if the store cannot be asked how the room stands
     */
    RoomLine(RoomName name, RoomOptions options, RoomSignals signals, GateContext context, Executor executor) {
        this.name = name;
        this.options = options;
        this.signals = signals;
        this.gate = context.gate();
        this.store = context.store();
        this.time = context.time();
        AddressLimits addresses = options.addresses();
        this.limiter = addresses.joins() == null ? null : new JoinLimiter(addresses.joins(), time);
        this.untaken = addresses.untaken() == null ? null : new UntakenPasses(addresses.untaken(), time);
        this.sharing = addresses.perPass() == null ? null : new PassAddresses(addresses.perPass());
        this.health = options.health() == null
                ? null
                : new HealthLimit(options.health(), options.limits().capacity());
        this.begun = time.now();
        this.backlog = new HeldSignal("Room " + name + ": its backlog", signals.backlog(), time, executor);
        this.lease = store.isShared() ? GateLease.taken(begun) : null;
        this.state = store.sync(name,
                new GateReport(gate, 0, 0, List.of(), lease == null ? GateLease.NONE : lease), begun);
        this.settling = state.line().crowded();
        this.coasting = new Coasting(state, begun, !store.isShared());
        this.forecaster = new Forecaster(state, options);
    }

    RoomState state() {
        return state;
    }

    Reach reach() {
        return reach;
    }

    /** How well the backlog is known that slows the room. */
    SignalHealth backlogSignal() {
        return backlog.health();
    }

    Coasting coasting() {
        return coasting;
    }

    /** The store did not answer: from now on this gate answers from what it remembers. */
    void lost(StoreException cause, int perhapsAdmitted) {
        if (cause instanceof StoreException.OutcomeUnknown) {
            coasting.admitted(perhapsAdmitted, time.now());
        }
        if (!reach.away()) {
            LOG.warn("Room {}: the store is out of reach ({}). {}", name, cause.getMessage(), store.isShared()
                    ? "Passes stay good, at least for a minute; nobody new enters"
                    : "Passes stay good; the last rate goes on for a minute");
            reach = Reach.lost(time.now(), lease);
        }
    }

    /** One round. True if the store was asked and answered. */
    boolean step() {
        if (++rounds % TIDY_ROUNDS == 0) {
            tidy(time.now());
        }
        boolean away = reach.away();
        try {
            record();
            report(away);
            if (away) {
                LOG.info("Room {}: the store is back", name);
                reach = reach.found(time.now());
                report(false); // the line went on meanwhile: up to where it is heard now
            }
            govern();
            if (!governed) {
                governed = true; // the first step set limits and horizon, the second covers it and calls
                report(false);
                govern();
            }
        } catch (StoreException e) {
            lost(e, 0);
            return false;
        }
        forecaster.look(state, attendance(state.epoch()), time.now());
        return true;
    }

    /** Before anything else: who was let in meanwhile counts, and who was on a used-up ticket is out again. */
    private void record() {
        List<Claim> unrecorded = coasting.unrecorded();
        if (unrecorded.isEmpty()) {
            return;
        }
        List<ClaimResult> results = store.claim(name, unrecorded, time.now());
        List<Departure> uncounted = IntStream.range(0, results.size())
                .filter(i -> results.get(i) instanceof ClaimResult.Spent).mapToObj(unrecorded::get)
                .map(claim -> new Departure(claim.visitor(), claim.epoch(), claim.place(),
                        claim.passUntil().plus(Stay.REVIVABLE)))
                .toList();
        if (!uncounted.isEmpty()) {
            store.depart(name, uncounted, time.now());
            uncounted.forEach(each -> ended(each.visitor()));
        }
        coasting.recorded(unrecorded);
    }

    private void tidy(Instant now) {
        attendances.values().forEach(each -> each.tidy(now.toEpochMilli()));
        if (!reach.away()) {
            ended.values().removeIf(at -> now.isAfter(at.plus(ENDED_KNOWN)));
        }
        if (limiter != null) {
            limiter.tidy();
        }
        if (untaken != null) {
            untaken.tidy();
        }
        if (sharing != null) {
            sharing.tidy(now);
        }
    }

    /**
     * Tells the store and hears how the room stands. After it was away the first report has the old lease still: what that
     * allowed ends with the answer, and only then the store may forget of it.
     */
    private void report(boolean wasAway) {
        GateLease before = lease;
        GateLease next = store.isShared() && !wasAway ? GateLease.taken(time.now()) : before;
        if (next != null && before != null) {
            // Should the answer be lost, the store may have either of them.
            lease = new GateLease(next.from(), before.until());
        }
        RoomState heard = store.sync(name, news(wasAway, next), time.now());
        lease = next;
        hear(heard);
    }

    /** Tells the store that this gate lets nobody in from now on: it keeps no places for it. */
    void leave() {
        if (reach.away()) {
            return;
        }
        try {
            store.sync(name, news(false, GateLease.NONE), time.now());
        } catch (RuntimeException e) { // whatever the store has, the other rooms are left too
            LOG.debug("Room {}: the store was not told that this gate stops", name, e);
        }
    }

    /** @param anew whether the store may have forgotten what it was told */
    private GateReport news(boolean anew, @Nullable GateLease taken) {
        if (anew) {
            attendances.values().forEach(Attendance::untold);
        }
        RoomState known = state;
        Instant now = time.now();
        settling &= now.isBefore(begun.plus(SETTLING));
        long covered = settling ? known.line().cursor() : known.line().horizon();
        List<GateReport.Presence> news = attendance(known.epoch()).news(known.line().horizon(),
                now.toEpochMilli());
        return new GateReport(gate, known.epoch(), covered, news, taken == null ? GateLease.NONE : taken);
    }

    private void govern() {
        Instant now = time.now();
        if (health != null && !now.isBefore(healthAgain)) {
            bearable = health.tick(signals.traffic().take(), state.load().active(),
                    state.limitsSet(options).capacity());
            healthAgain = now.plus(HEALTH);
        }
        Governor.Step step = Governor.tick(state, options,
                new Governor.Signals(bearable, backlog.value()));
        store.govern(name, new Governance(gate, now.plus(LEASE), step.limits(), step.slowed(), step.door(),
                step.horizon(), now.minus(options.stay().ticket())), now).ifPresent(this::hear);
    }

    /** Whether the ticket is of the line that was last heard of, not of one before or after it. */
    boolean isOfThis(Ticket ticket) {
        return ticket.epoch() == state.epoch();
    }

    /** Who waits here in the line of this epoch. Of one that is over nothing is kept. */
    private Attendance attendance(long epoch) {
        return epoch < state.epoch()
                ? new Attendance()
                : attendances.computeIfAbsent(epoch, _ -> new Attendance());
    }

    /** Ended here just now: counts until the store's word on it is heard. */
    void ended(VisitorId visitor) {
        ended.put(visitor, time.now());
    }

    boolean isVoid(VisitorId visitor) {
        return ended.containsKey(visitor) || state.voided().containsKey(visitor);
    }

    /** The visitor was told to ask again after this. */
    void seen(Ticket ticket, Duration poll) {
        present(ticket, presentUntil(poll));
    }

    /** The visitor counts as present until then at least. */
    void present(Ticket ticket, Instant until) {
        attendance(ticket.epoch()).seen(ticket.place(), until.toEpochMilli());
    }

    /** The store takes the visitor for present until then. */
    void told(Ticket ticket, Instant until) {
        attendance(ticket.epoch()).told(ticket.place(), until.toEpochMilli());
    }

    void gone(Ticket ticket) {
        attendance(ticket.epoch()).gone(ticket.place());
    }

    /** How the visitor stands, who is told so. */
    Standing standing(Ticket ticket) {
        RoomState known = state;
        return Standing.of(ticket, known, options.poll(), reach.away(),
                forecaster.tell(known, ticket, attendance(ticket.epoch()), time.now()));
    }

    /** After which the visitor is likely to be told to ask again. */
    Duration poll(Ticket ticket) {
        RoomState known = state;
        return Standing.isCalled(ticket, known)
                ? PollPolicy.AT_THE_DOOR
                : Standing.of(ticket, known, options.poll(), reach.away(),
                        forecaster.estimate(known, ticket.place(), time.now())).poll();
    }

    /** How long visitors stay, as far as that is known; otherwise a minute. */
    Duration stay() {
        return forecaster.stay();
    }

    /** The wait of a visitor who would come now. */
    Estimate forNewcomer() {
        RoomState known = state;
        return forecaster.estimate(known, known.line().length() + 1, time.now());
    }

    /** The visitor took this place here. */
    void taken(Ticket ticket) {
        forecaster.taken(ticket, attendance(ticket.epoch()));
    }

    /** The visitor asked again, or listens. */
    void asked(Ticket ticket) {
        forecaster.asked(ticket, attendance(ticket.epoch()), time.now());
    }

    /** The visitor is in. */
    void entered(Ticket ticket) {
        forecaster.entered(ticket, time.now());
        gone(ticket);
    }

    /** Whether the store takes the visitor for present. */
    private boolean isKnown(Ticket ticket, Instant now) {
        return attendance(ticket.epoch()).isKnown(ticket.place(), now.toEpochMilli());
    }

    /** Whether the store has to know at once that this visitor, who is soon to be called, is present again. */
    boolean isNews(Ticket ticket, Instant now) {
        boolean soon = !isOfThis(ticket) || ticket.place() <= state.line().horizon();
        return soon && !reach.away() && !isKnown(ticket, now);
    }

    /** Present visitors of this gate with lower places than this one, counted up to {@code most}. */
    int before(Ticket ticket, int most, Instant now) {
        return attendance(ticket.epoch()).present(0, ticket.place() - 1, most, now.toEpochMilli()).size();
    }

    /** The lowest places in line whose visitors are present at this gate, at most so many. */
    List<Long> first(int most, Instant now) {
        RoomState known = state;
        return attendance(known.epoch()).present(0, known.line().length(), most, now.toEpochMilli());
    }

    /** Until when the store is to take one for present who asks again after this. */
    Instant presentUntil(Duration poll) {
        return time.now().plus(PollPolicy.presence(poll)).plus(Attendance.SLACK);
    }

    /** How the room stands, from the store. */
    void hear(RoomState heard) {
        if (heard.epoch() != state.epoch()) {
            coasting = new Coasting(heard, time.now(), !store.isShared());
        }
        coasting.stands(heard);
        forecaster.heard(heard);
        state = heard;
        attendances.keySet().removeIf(epoch -> epoch < heard.epoch());
    }
}
