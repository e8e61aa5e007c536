package dev.orderly.room.gate;

import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.RoomState;
import dev.orderly.room.VisitorId;
import dev.orderly.room.forecast.WaitEstimate;
import dev.orderly.room.govern.SignalHealth;
import dev.orderly.room.quota.AddressQuotas;
import dev.orderly.room.token.Pass;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.Ticket;
import dev.orderly.time.Time;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The visits of a room at one gate. Answers from memory where it can, and never blocks: where the store has to be asked,
 * the answer is a {@link Reply.Later}. Thread-safe.
 *
 * <p>A pass is checked here without any trip; a place that is not called is answered from memory; a visitor who joins,
 * whose place is called, or whose pass is half gone costs a share of one batch.
 */
public final class Room {
    private final RoomCache cache;
    private final Outage outage;
    private final AddressQuotas addresses;
    private final RoomSync sync;
    private final RoomTokens tokens;
    private final Time time;
    private final VisitorRequests calls;
    private final PassRenewals renewals;
    private final Admissions admissions;
    private final ConnectedVisitors listeners;
    private final RoomRounds rounds;

    Room(GateContext context, RoomCache cache, RoomSync sync, StoreBatches batches) {
        this.cache = cache;
        this.outage = cache.outage();
        this.addresses = cache.addresses();
        this.sync = sync;
        this.tokens = context.tokens();
        this.time = context.time();
        TokenIssuer issuer = new TokenIssuer(cache.name(), cache.options().stay());
        this.calls = new VisitorRequests(cache, batches, issuer, time);
        this.renewals = new PassRenewals(tokens, calls, issuer);
        this.admissions = new Admissions(context, cache, calls, renewals, issuer);
        this.listeners = new ConnectedVisitors(cache, calls, time);
        this.rounds = new RoomRounds(cache, sync, listeners, renewals, time);
    }

    public RoomName name() {
        return cache.name();
    }

    public RoomOptions options() {
        return cache.options();
    }

    /** The state of at most about a second ago. */
    public RoomState state() {
        return cache.state();
    }

    /** How well this gate knows the backlog that slows the room. */
    public SignalHealth backlogSignal() {
        return sync.backlogSignal();
    }

    /** The wait of a visitor who would come now. */
    public WaitEstimate forNewcomer() {
        return cache.forNewcomer();
    }

    // ---- what visitors do

    /**
     * A request for what the room protects.
     *
     * @param address by which places and passes are counted, see {@link RoomOptions#addresses}; asked only if a place is
     *     taken, or if passes may be shown from few addresses only
     * @param mayJoin whether a place is taken if there is none; otherwise {@link Visit.NoTicket}
     */
    public Reply<Visit> arrive(Credentials credentials, Supplier<String> address, boolean mayJoin) {
        Reply<Visit> visit = visit(counting(credentials, address), mayJoin ? address : null);
        return cache.state().mode().letsAllPass() ? visit.map(Room::letThrough) : visit;
    }

    /** Asks for the pass that a ticket may have come to; takes no place. */
    public Reply<Visit> enter(Credentials credentials) {
        return visit(credentials, null);
    }

    /**
     * The visitor's standing, without taking the pass: {@link Visit.Admitted} without a token if it is there to be
     * taken.
     */
    public Reply<Visit> look(Credentials credentials) {
        Instant now = time.now();
        return switch (decide(credentials, now)) {
            case Decision.Called(Ticket ticket) ->
                outage.isOn() ? now(admissions.waiting(ticket)) : admissions.look(ticket);
            case Decision.Waits(Ticket ticket) ->
                cache.isUnreported(ticket, now) ? admissions.look(ticket) : now(admissions.waiting(ticket));
            case Decision.Admitted(Pass pass, _) -> now(new Visit.Admitted(pass));
            case Decision.Overdue _,Decision.Arrives _ -> now(new Visit.NoTicket());
            case Decision.LetThrough _ -> now(new Visit.LetThrough(null, null));
            case Decision.TurnedAway _ -> now(new Visit.TurnedAway());
        };
    }

    /** Gives back place and pass, whatever of them is shown. False if there is nothing, or the store did not answer. */
    public CompletionStage<Boolean> leave(Credentials credentials) {
        VerifiedTokens shown = credentials.verify(tokens, cache.state(), time.now());
        Ticket ticket = shown.ticket();
        Pass pass = shown.pass();
        if (ticket != null) {
            cache.presence().gone(ticket);
            return calls.depart(ticket.visitor(), ticket.epoch(), ticket.place());
        }
        return pass == null ? CompletableFuture.completedStage(false) : end(pass);
    }

    /** Ends a stay: the pass and the ticket it was given for are void on every gate, here at once. */
    public CompletionStage<Boolean> end(Pass pass) {
        return calls.depart(pass.visitor(), pass.epoch(), pass.place());
    }

    /** The visitor whose ticket is shown, if it counts. Answers from memory. */
    public Optional<VisitorId> visitor(Credentials credentials) {
        return Optional.ofNullable(shown(credentials, time.now()).ticket()).map(Ticket::visitor);
    }

    /**
     * Tells the listener how a ticket stands from now on, until it is its turn or {@link #forget} is called. Being
     * listened to counts as being present.
     *
     * @return false if no ticket that counts is shown
     */
    public boolean listen(Credentials credentials, RoomListener listener) {
        Instant now = time.now();
        Ticket ticket = shown(credentials, now).ticket();
        if (ticket == null) {
            return false;
        }
        cache.asked(ticket);
        listeners.add(ticket, listener);
        if (cache.isUnreported(ticket, now)) {
            var _ = calls.claimKept(ticket);
        }
        return true;
    }

    public void forget(RoomListener listener) {
        listeners.remove(listener);
    }

    // ---- what the engine does

    RoomRounds rounds() {
        return rounds;
    }

    /** The visitor was sent away, as the store knows. */
    void ended(VisitorId visitor) {
        cache.ended(visitor);
    }

    /** The gate stops. Blocks. */
    void leaveStore() {
        sync.leave();
    }

    // ---- decisions

    private Decision decide(Credentials credentials, Instant now) {
        VerifiedTokens shown = shown(credentials, now);
        Decision decision = Decision.of(shown, cache.state(), outage.reach(), cache.options(), now);
        if (shown.ticket() != null && (decision instanceof Decision.Waits || decision instanceof Decision.Called)) {
            cache.asked(shown.ticket());
        }
        return decision;
    }

    /** The tokens that are shown and count. */
    private VerifiedTokens shown(Credentials credentials, Instant now) {
        return credentials.verify(tokens, cache.state(), now).without(cache::isVoid);
    }

    /** What is shown, without passes that have been shown from too many other addresses. */
    private Credentials counting(Credentials credentials, Supplier<String> address) {
        if (!addresses.boundPasses() || credentials.passes().isEmpty()) {
            return credentials;
        }
        Pass pass = shown(credentials, time.now()).pass();
        return pass == null || addresses.allow(pass, address) ? credentials : credentials.withoutPasses();
    }

    /** @param address that may join; null for none */
    private Reply<Visit> visit(Credentials credentials, @Nullable Supplier<String> address) {
        Instant now = time.now();
        return switch (decide(credentials, now)) {
            case Decision.Admitted(Pass pass, boolean renew) when renew -> {
                addresses.release(pass.visitor());
                yield renewals.renew(pass, now, new Visit.Admitted(pass),
                        () -> visit(credentials.withoutPasses(), address));
            }
            case Decision.Admitted(Pass pass, _) -> now(new Visit.Admitted(pass));
            // Its place may be another's by now: without the store's word nobody enters with it.
            case Decision.Overdue(Pass pass) -> renewals.ask(pass, true, now, Admissions.UNAVAILABLE,
                    () -> visit(credentials.withoutPasses(), address));
            case Decision.LetThrough _ -> now(new Visit.LetThrough(null, null));
            case Decision.TurnedAway _ -> now(new Visit.TurnedAway());
            case Decision.Arrives _ -> admissions.join(address, now);
            case Decision.Waits(Ticket ticket) when !outage.isOn() && !cache.isUnreported(ticket, now) ->
                now(admissions.waiting(ticket));
            case Decision.Waits(Ticket ticket) -> admissions.claim(ticket, address, now);
            case Decision.Called(Ticket ticket) -> admissions.claim(ticket, address, now);
        };
    }

    private static Visit letThrough(Visit visit) {
        return switch (visit) {
            case Visit.LetIn in -> in;
            case Visit.Waiting(_, String token) -> new Visit.LetThrough(token, null);
            case Visit.KeptOut _ -> new Visit.LetThrough(null, null);
        };
    }

    private static Reply<Visit> now(Visit visit) {
        return new Reply.Now<>(visit);
    }
}
