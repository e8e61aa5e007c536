package dev.orderly.room.gate;

import dev.orderly.room.Opening;
import dev.orderly.room.OpeningStatus;
import dev.orderly.room.PollPolicy;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomObserver.AnnouncedWait;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.RoomState;
import dev.orderly.room.Tiers;
import dev.orderly.room.VisitorId;
import dev.orderly.room.crowd.PlaceCounts;
import dev.orderly.room.forecast.Forecaster;
import dev.orderly.room.forecast.PeopleAhead;
import dev.orderly.room.forecast.PresenceTable;
import dev.orderly.room.forecast.WaitEstimate;
import dev.orderly.room.quota.AddressQuotas;
import dev.orderly.room.quota.UsedWaits;
import dev.orderly.room.store.PresentPlaces;
import dev.orderly.room.token.Ticket;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A room as this gate remembers it: the last state from the store, visitors present here, visitors who left here,
 * quotas of addresses, and the forecast of waits. Read by any thread; one thread takes over states and makes forecasts.
 */
final class RoomCache {
    private static final Duration ENDED_KNOWN = Duration.ofSeconds(10);

    private volatile RoomOptions options;
    private final Outage outage;
    private final Time time;
    private final Runnable ring;
    private final LocalPresence presence;
    private final PendingAnswers answers = new PendingAnswers();
    private final AddressQuotas addresses;
    private final PlaceCounts places;
    private final UsedWaits waits = new UsedWaits();
    private final LineForecasts forecasts;
    private final ConcurrentMap<VisitorId, Instant> ended = new ConcurrentHashMap<>();
    private final ConcurrentMap<VisitorId, Instant> moved = new ConcurrentHashMap<>();
    private final AtomicInteger freed = new AtomicInteger();
    private final DrawnPlaces drawnPlaces = new DrawnPlaces();
    private volatile RoomState state;

    /** @param ring wakes the rounds when a visitor leaves, so that {@link #freed} is read soon */
    RoomCache(RoomOptions options, RoomState first, Outage outage, Time time, Runnable ring) {
        this.options = options;
        this.state = first;
        this.outage = outage;
        this.time = time;
        this.ring = ring;
        this.presence = new LocalPresence(first);
        drawnPlaces.update(first); // a gate that starts after a draw
        presence.present(first, issued -> drawnPlaces.of(first, issued), time.now());
        this.addresses = new AddressQuotas(options.addresses(), time);
        this.places = new PlaceCounts(time);
        this.forecasts = new LineForecasts(first, options);
    }

    RoomName name() {
        return state.room();
    }

    RoomOptions options() {
        return options;
    }

    /** Replaces the options. Called by one thread at a time. */
    void change(RoomOptions value) {
        addresses.change(value.addresses());
        options = value;
    }

    RoomState state() {
        return state;
    }

    Outage outage() {
        return outage;
    }

    LocalPresence presence() {
        return presence;
    }

    PendingAnswers answers() {
        return answers;
    }

    AddressQuotas addresses() {
        return addresses;
    }

    PlaceCounts places() {
        return places;
    }

    UsedWaits waits() {
        return waits;
    }

    // ---- the thread of the rounds

    /** Takes over a state from the store. */
    void update(RoomState latest) {
        outage.update(latest);
        forecasts.update(latest);
        drawnPlaces.update(latest);
        boolean ended = latest.draws().drawn() != state.draws().drawn();
        state = latest;
        presence.present(latest, issued -> drawnPlaces.of(latest, issued), time.now());
        if (ended) {
            presence.reportAgain(); // the store counted no report that was made before this gate knew
        }
    }

    /**
     * Takes over the visitors of a line whom the gates reported; null while no other gate reports. Called before a
     * forecast.
     */
    void share(int line, @Nullable PresentPlaces known) {
        Forecaster forecaster = forecasts.of(Tiers.start(line));
        if (known == null) {
            forecaster.alone();
        } else if (known.epoch() == state.epoch()) {
            forecaster.share(known, presence.of(known.epoch(), Tiers.start(line)), time.now());
        }
    }

    /** Makes the forecast on which wait estimates are based until the next one. Called once a second. */
    List<Forecaster.Round> forecast() {
        return forecasts.forecast(state, presence, time.now());
    }

    /** Visitors who left here since {@link #resetFreed}. */
    int freed() {
        return freed.get();
    }

    void resetFreed() {
        freed.set(0);
    }

    void tidy(Instant now) {
        presence.tidy(now);
        addresses.tidy(now);
        places.tidy();
        waits.tidy(now);
        if (!outage.isOn()) {
            ended.values().removeIf(at -> now.isAfter(at.plus(ENDED_KNOWN)));
            moved.values().removeIf(at -> now.isAfter(at.plus(ENDED_KNOWN)));
        }
    }

    // ---- events of visitors

    /**
     * Records a visitor who left or was revoked, as the store knows: the tokens are void here until a state from the
     * store says so.
     */
    void ended(VisitorId visitor) {
        ended.put(visitor, time.now());
        freed.incrementAndGet();
        ring.run();
    }

    /**
     * Records a visitor whose place another device took over, or an invitation that gave a place, as the store knows:
     * the tokens are void here until a state from the store says so.
     */
    void moved(VisitorId visitor) {
        moved.put(visitor, time.now());
    }

    /** Whether the visitor's tokens are void. */
    boolean isVoid(VisitorId visitor) {
        return ended.containsKey(visitor) || moved.containsKey(visitor) || state.voided().containsKey(visitor);
    }

    /** Whether the tokens are void because another device took over the visitor's place. */
    boolean isMoved(VisitorId visitor) {
        return moved.containsKey(visitor) || state.moved().contains(visitor);
    }

    /** Records a place that a visitor took here. */
    void taken(Ticket ticket) {
        forecasts.of(ticket.place()).taken(ticket, presence.of(ticket));
    }

    /** Records a visitor who asked again, or connected. */
    void asked(Ticket ticket) {
        forecasts.of(ticket.place()).asked(ticket, presence.of(ticket), time.now());
    }

    /** Records a visitor who was admitted, and compares the wait with the first range announced here, if any. */
    Optional<AnnouncedWait> entered(Ticket ticket) {
        presence.gone(ticket);
        return forecasts.of(ticket.place()).entered(ticket, time.now());
    }

    /** The measured share of visitors who come back after taking a place; empty while nobody waits. */
    OptionalDouble showShare() {
        return forecasts.first().showShare();
    }

    OptionalInt estimatesKept() {
        return forecasts.first().estimatesKept();
    }

    // ---- draws

    /** The ticket with its drawn place, if its lobby is drawn. */
    Ticket placed(Ticket ticket) {
        RoomState known = state;
        return known.draws().draws().isEmpty() || ticket.isDrawn() || ticket.epoch() != known.epoch()
                || known.draws().drawOf(known.epoch(), ticket.issued()).isEmpty()
                        ? ticket
                        : ticket.drawn(drawnPlaces.of(known, ticket.issued()));
    }

    /** Whether the ticket waits for a draw: its number is no place yet. */
    boolean isUndrawn(Ticket ticket) {
        return DrawnPlaces.isUndrawn(state, ticket);
    }

    /**
     * Whether the place of the ticket is its visitor's, drawn or not. This gate may learn late of a lobby and of its
     * draw: the number of a ticket from there is the place of another by then.
     */
    boolean knowsPlace(Ticket ticket) {
        if (ticket.isDrawn()) {
            return true;
        }
        boolean issuedSince = !ticket.issuedAt().isBefore(state.at().truncatedTo(ChronoUnit.SECONDS));
        return ticket.entry() == null && !isUndrawn(ticket) && (!issuedSince || options.openings().isEmpty());
    }

    /** Whether a visitor who joins now gets a ticket for a draw. */
    boolean entersDraw(Instant now) {
        OpeningStatus opening = opening(now);
        Opening window = opening == null ? null : opening.opening();
        return opening != null && window != null && window.draw() && opening.phase() != OpeningStatus.Phase.BETWEEN
                && state.draws().open();
    }

    // ---- openings

    /** What the room's openings mean now; null for a room without openings. */
    @Nullable
    OpeningStatus opening(Instant now) {
        return state.opening(options, now);
    }

    /** The same if nobody may enter by it; null if visitors enter as the limits allow. */
    @Nullable
    OpeningStatus closed(Instant now) {
        OpeningStatus opening = opening(now);
        return opening == null || opening.admits() ? null : opening;
    }

    // ---- positions of visitors

    /** Whether the ticket belongs to the current epoch, not to an earlier or later one. */
    boolean isOfThisLine(Ticket ticket) {
        return ticket.epoch() == state.epoch();
    }

    /** Whether the store must learn at once that this visitor, who is soon to be called, is present again. */
    boolean isUnreported(Ticket ticket, Instant now) {
        boolean soon = !isOfThisLine(ticket) || ticket.place() <= state.lineOf(ticket.place()).horizon();
        return soon && !outage.isOn() && !presence.isReported(ticket, now);
    }

    /** The visitor's position, with the estimate that is announced to the visitor. */
    LinePosition position(Ticket ticket) {
        RoomState known = state.seenFrom(ticket.place());
        Instant now = time.now();
        Forecaster forecaster = forecasts.of(ticket.place());
        PresenceTable line = presence.of(ticket);
        OpeningStatus opening = closed(now);
        if (opening != null) {
            return LinePosition.before(ticket, known, options.poll(),
                    forecaster.announceAhead(known, ticket, line, WaitEstimate.Cause.OPENING), opening, now);
        }
        WaitEstimate estimate = outage.explain(forecaster.announce(known, ticket, line, now), now);
        PeopleAhead ahead = forecaster.announceAhead(known, ticket, line, estimate.cause());
        return LinePosition.of(ticket, known, options.poll(), estimate, ahead);
    }

    /** What the visitor of this position was told, if another gate may answer next; null where no gate but this may. */
    Ticket.@Nullable Told told(LinePosition position) {
        Instant end = state.load().gates() > 1
                ? forecasts.of(position.ticket().place()).announcedEnd(position.ticket(),
                        presence.of(position.ticket()))
                : null;
        return end == null ? null : new Ticket.Told(end, position.ahead().number());
    }

    /** The likely poll interval of the visitor. */
    Duration poll(Ticket ticket) {
        RoomState known = state.seenFrom(ticket.place());
        if (LinePosition.isCalled(ticket, known) && options.openings().isEmpty()) {
            return PollPolicy.AT_THE_DOOR;
        }
        Instant now = time.now();
        OpeningStatus opening = closed(now);
        if (opening != null) {
            return LinePosition.before(ticket, known, options.poll(), PeopleAhead.known(0), opening, now).poll();
        }
        return LinePosition.isCalled(ticket, known)
                ? PollPolicy.AT_THE_DOOR
                : LinePosition.of(ticket, known, options.poll(),
                        forecasts.of(ticket.place()).estimate(known, ticket.place(), now),
                        PeopleAhead.known(LinePosition.ahead(ticket, known)))
                        .poll();
    }

    /** The moment until which a visitor counts as present whose answer leaves now and tells this poll interval. */
    Instant presentUntil(Duration poll) {
        return presentUntil(poll, time.now());
    }

    Instant presentUntil(Duration poll, Instant now) {
        return now.plus(PollPolicy.presence(poll)).plus(PresenceTable.SLACK).plus(answers.usual());
    }

    /** Keeps visitors present whose answers are under way. Called once a second. */
    void keepPresent(Instant now) {
        answers.keepPresent(presence, now.plus(PresenceTable.BETWEEN_ROUNDS).plus(PresenceTable.SLACK), now);
    }

    /** The wait of a visitor without a tier who would join now. */
    WaitEstimate forNewcomer() {
        RoomState known = state.seenFrom(0);
        Instant now = time.now();
        return closed(now) == null
                ? forecasts.first().estimate(known, known.line().length() + 1, now)
                : WaitEstimate.unknown(WaitEstimate.Cause.OPENING);
    }

    /** The wait of a visitor of a tier who would join now. */
    WaitEstimate forNewcomer(String tier) {
        RoomState known = state;
        Instant now = time.now();
        long next = known.end(tier) + 1;
        return closed(now) == null
                ? forecasts.of(next).estimate(known.seenFrom(next), next, now)
                : WaitEstimate.unknown(WaitEstimate.Cause.OPENING);
    }

    /** The wait of a visitor with a ticket. */
    WaitEstimate estimate(Ticket ticket) {
        Instant now = time.now();
        return closed(now) == null
                ? forecasts.of(ticket.place()).estimate(state.seenFrom(ticket.place()), ticket.place(), now)
                : WaitEstimate.unknown(WaitEstimate.Cause.OPENING);
    }

    /** The mean stay inside as far as it is known; otherwise a minute. */
    Duration stay() {
        return forecasts.first().stay();
    }

    /** Whether visitors are known to stay so briefly that a place should not wait for the next poll. */
    boolean isStayShort() {
        return forecasts.first().isStayShort();
    }
}
