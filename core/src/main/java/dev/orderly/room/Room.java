package dev.orderly.room;

import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A room as its gate uses it. Answers from memory where it can, and never blocks: where the store has to be asked, the
 * answer is a {@link Visit.Asking}. Thread-safe.
 *
 * <p>A pass is checked here without any trip; a place that is not called is answered from memory; a visitor who joins,
 * whose place is called, or whose pass is half gone costs a share of one batch.
 */
public final class Room {
    private static final Duration RETRY = Duration.ofSeconds(2);

    private final RoomLine line;
    private final RoomTokens tokens;
    private final Time time;
    private final GateContext context;
    private final VisitorCalls asks;
    private final Listeners listeners;
    private final Issuer issuer;
    private final Renewals renewals;
    private final EarlyCalls early;

    /** @param ring lets {@link #callUp} come at once */
    Room(RoomLine line, GateContext context, Calls calls, Runnable ring) {
        this.line = line;
        this.issuer = new Issuer(line.name, line.options.stay());
        this.context = context;
        this.tokens = context.tokens();
        this.time = context.time();
        this.asks = new VisitorCalls(line, time, calls, issuer, this::freed);
        this.renewals = new Renewals(context, calls, issuer, asks::failed);
        this.listeners = new Listeners(line, context);
        this.early = new EarlyCalls(line, listeners, asks::claimKept,
                context.store().isShared() ? null : this::step, ring);
    }

    public RoomName name() {
        return line.name;
    }

    public RoomOptions options() {
        return line.options;
    }

    /** How well this gate knows the backlog that slows the room. */
    public SignalHealth backlogSignal() {
        return line.backlogSignal();
    }

    /** How the room stood at most about a second ago. */
    public RoomState state() {
        return line.state();
    }

    /** The wait of a visitor who would come now. */
    public Estimate forNewcomer() {
        return line.forNewcomer();
    }

    // ---- what visitors do

    /**
     * A request for what the room protects.
     *
     * @param address whose places and passes are counted, see {@link RoomOptions#addresses}; asked only if a place is
     *     taken, or if passes may be shown from few addresses only
     * @param mayJoin whether a place is taken if there is none; otherwise {@link Visit.NoTicket}
     */
    public Visit arrive(Credentials credentials, Supplier<String> address, boolean mayJoin) {
        Visit visit = visit(counting(credentials, address), mayJoin ? address : null);
        return line.state().mode().letsAllPass() ? letThrough(visit) : visit;
    }

    /** Asks for the pass that a ticket may have come to; takes no place. */
    public Visit enter(Credentials credentials) {
        return visit(credentials, null);
    }

    /**
     * How the visitor stands, without taking the pass: {@link Visit.Admitted} without a token if it is there to be
     * taken.
     */
    public Visit look(Credentials credentials) {
        Instant now = time.now();
        return switch (decide(credentials, now)) {
            case Decision.Called(Ticket ticket) when !line.reach().away() -> new Visit.Asking(
                    asks.claimKept(ticket).thenApply(result -> seen(ticket, result)));
            case Decision.Called(Ticket ticket) -> waiting(ticket, null);
            case Decision.Waits(Ticket ticket) when line.isNews(ticket, now) -> new Visit.Asking(
                    asks.claimKept(ticket).thenApply(result -> seen(ticket, result)));
            case Decision.Waits(Ticket ticket) -> waiting(ticket, null);
            case Decision.Admitted(Pass pass, _) -> new Visit.Admitted(pass);
            case Decision.Overdue _,Decision.Arrives _ -> new Visit.NoTicket();
            case Decision.LetThrough _ -> new Visit.LetThrough(null, null);
            case Decision.TurnedAway _ -> new Visit.TurnedAway();
        };
    }

    /** Gives back place and pass, whatever of them is shown. False if there is nothing, or the store did not answer. */
    public CompletionStage<Boolean> leave(Credentials credentials) {
        Instant now = time.now();
        Tokens shown = credentials.verify(tokens, line.state(), now);
        Ticket ticket = shown.ticket();
        Pass pass = shown.pass();
        if (ticket != null) {
            line.gone(ticket);
            return asks.depart(ticket.visitor(), ticket.epoch(), ticket.place(), issuer.passesVoidUntil(now));
        }
        return pass == null
                ? CompletableFuture.completedStage(false)
                : asks.depart(pass.visitor(), pass.epoch(), pass.place(), issuer.passesVoidUntil(now));
    }

    /** Ends a stay: the pass and the ticket it was given for are void on every gate, here at once. */
    public CompletionStage<Boolean> end(Pass pass) {
        return asks.depart(pass.visitor(), pass.epoch(), pass.place(), issuer.passesVoidUntil(time.now()));
    }

    /** Whose ticket is shown, if it counts. Answers from memory. */
    public Optional<VisitorId> visitor(Credentials credentials) {
        return Optional.ofNullable(shown(credentials, line.state(), time.now()).ticket()).map(Ticket::visitor);
    }

    /**
     * Tells the listener how a ticket stands from now on, until it is its turn or {@link #forget} is called. Being
     * listened to counts as being present.
     *
     * @return false if no ticket that counts is shown
     */
    public boolean listen(Credentials credentials, RoomListener listener) {
        Instant now = time.now();
        Ticket ticket = shown(credentials, line.state(), now).ticket();
        if (ticket == null) {
            return false;
        }
        line.asked(ticket);
        listeners.add(ticket, listener);
        if (line.isNews(ticket, now)) {
            var _ = asks.claimKept(ticket);
        }
        return true;
    }

    /** The visitor was sent away, as the store knows. */
    void ended(VisitorId visitor) {
        line.ended(visitor);
        freed();
    }

    private void freed() {
        early.freed();
    }

    /** The gate stops. Blocks. */
    void leaveStore() {
        line.leave();
    }

    public void forget(RoomListener listener) {
        listeners.remove(listener);
    }

    // ---- the step of the engine

    /** One round: hears and governs, then tells those who listen. */
    void step() {
        listeners.keepPresent(time.now());
        line.step();
        Instant now = time.now();
        renewals.tidy(now, line.options.stay().passIdle().dividedBy(2));
        listeners.round(asks::claimKept, now);
        early.called(now);
    }

    /** Between two rounds: lets in those connected for whom others left. Says after which to ask again. */
    Duration callUp() {
        return early.step(time.now());
    }

    // ---- decisions

    private Decision decide(Credentials credentials, Instant now) {
        RoomState state = line.state();
        Tokens shown = shown(credentials, state, now);
        Decision decision = Decision.of(shown, state, line.reach(), line.options, now);
        if (shown.ticket() != null && (decision instanceof Decision.Waits || decision instanceof Decision.Called)) {
            line.asked(shown.ticket());
        }
        return decision;
    }

    /** What is shown, without passes that have been shown from too many other addresses. */
    private Credentials counting(Credentials credentials, Supplier<String> address) {
        PassAddresses sharing = line.sharing;
        if (sharing == null || credentials.passes().isEmpty()) {
            return credentials;
        }
        Pass pass = shown(credentials, line.state(), time.now()).pass();
        return pass == null || sharing.allow(pass, address.get()) ? credentials : credentials.withoutPasses();
    }

    /** What is shown that counts. */
    private Tokens shown(Credentials credentials, RoomState state, Instant now) {
        return credentials.verify(tokens, state, now).without(line::isVoid);
    }

    /** @param address that may join; null for none */
    private Visit visit(Credentials credentials, @Nullable Supplier<String> address) {
        Instant now = time.now();
        return switch (decide(credentials, now)) {
            case Decision.Admitted(Pass pass, boolean renew) -> renew
                    ? due(pass, now, () -> visit(credentials.withoutPasses(), address))
                    : new Visit.Admitted(pass);
            // Its place may be another's by now: without the store's word nobody enters with it.
            case Decision.Overdue(Pass pass) -> renewals.ask(pass, true, now, new Visit.Unavailable(RETRY),
                    () -> visit(credentials.withoutPasses(), address));
            case Decision.LetThrough _ -> new Visit.LetThrough(null, null);
            case Decision.TurnedAway _ -> new Visit.TurnedAway();
            case Decision.Arrives _ -> address == null ? new Visit.NoTicket() : join(address, now);
            case Decision.Waits(Ticket ticket) -> waits(ticket, address, now);
            case Decision.Called(Ticket ticket) -> called(ticket, address, now);
        };
    }

    private Visit due(Pass pass, Instant now, Supplier<Visit> otherwise) {
        released(pass.visitor());
        return renewals.renew(pass, now, new Visit.Admitted(pass), otherwise);
    }

    /** @param address that may join anew if the ticket turns out to be worth nothing; null for none */
    private Visit called(Ticket ticket, @Nullable Supplier<String> address, Instant now) {
        if (line.reach().away()) {
            return coast(ticket, now);
        }
        Instant until = issuer.taken(now);
        return new Visit.Asking(asks.claim(ticket, Claim.Kind.TAKEN, until)
                .thenCompose(result -> Renewals.flat(taken(ticket, result, until, address))));
    }

    private Visit waits(Ticket ticket, @Nullable Supplier<String> address, Instant now) {
        return line.reach().away() || line.isNews(ticket, now) ? called(ticket, address, now) : waiting(ticket, null);
    }

    private Visit taken(Ticket ticket, ClaimResult result, Instant asked, @Nullable Supplier<String> address) {
        Instant now = time.now();
        return switch (result) {
            case ClaimResult.Entered(Instant until) -> entered(ticket, issuer.pass(ticket, until, asked, now), now);
            case ClaimResult.Waits _ -> waiting(ticket, null);
            case ClaimResult.Spent _ -> address == null ? new Visit.NoTicket() : join(address, now);
        };
    }

    private Visit seen(Ticket ticket, ClaimResult result) {
        return switch (result) {
            case ClaimResult.Entered(Instant until) ->
                new Visit.Admitted(issuer.pass(ticket, until, until, time.now()));
            case ClaimResult.Waits _ -> waiting(ticket, null);
            case ClaimResult.Spent _ -> new Visit.NoTicket();
        };
    }

    private Visit join(Supplier<String> asked, Instant now) {
        if (line.reach().away()) {
            return new Visit.Unavailable(RETRY);
        }
        String address = line.limiter == null && line.untaken == null ? "" : asked.get();
        Optional<Duration> refused = line.limiter == null ? Optional.empty() : line.limiter.refuse(address);
        if (refused.isPresent()) {
            return new Visit.TooMany(refused.get());
        }
        VisitorId visitor = VisitorId.random(context.random());
        Optional<Duration> life = line.untaken == null
                ? Optional.of(Stay.UNTAKEN)
                : line.untaken.reserve(address, visitor, Stay.UNTAKEN);
        RoomState state = line.state();
        Duration likely = line.poll(issuer.ticket(visitor, state.epoch(), state.line().length() + 1, 0, now));
        Duration first = line.options.poll().first();
        Instant presentUntil = line.presentUntil(likely.compareTo(first) < 0 ? likely : first);
        // For an address that has its share this only takes a place: who shows the ticket of that enters.
        Instant passUntil = life.map(most -> issuer.untaken(now, most)).orElse(now);
        return new Visit.Asking(asks.join(new Join(visitor, presentUntil, passUntil))
                .thenApply(result -> joined(visitor, result, presentUntil)).exceptionally(failure -> {
                    released(visitor);
                    asks.failed(failure);
                    return new Visit.Unavailable(RETRY);
                }));
    }

    private void released(VisitorId visitor) {
        if (line.untaken != null) {
            line.untaken.release(visitor);
        }
    }

    private Visit joined(VisitorId visitor, JoinResult result, Instant presentUntil) {
        Instant now = time.now();
        return switch (result) {
            case JoinResult.Entered(long epoch, long place, Instant until) -> {
                line.coasting().admitted(1, now);
                Ticket ticket = issuer.ticket(visitor, epoch, place, 0, now);
                yield admitted(ticket, issuer.pass(ticket, until, until, now), true);
            }
            case JoinResult.Placed(long epoch, long place, long ahead) -> {
                released(visitor);
                Ticket ticket = issuer.ticket(visitor, epoch, place, ahead, now);
                line.taken(ticket);
                if (!line.isOfThis(ticket)) {
                    var _ = asks.claimKept(ticket);
                } else if (place <= line.state().line().horizon()) {
                    line.told(ticket, presentUntil);
                }
                yield waiting(ticket, tokens.sign(ticket));
            }
        };
    }

    private Visit waiting(Ticket ticket, @Nullable String token) {
        Standing standing = line.standing(ticket);
        if (token != null) {
            standing = standing.askedAgainAfter(line.options.poll().first());
        }
        line.seen(ticket, standing.poll());
        return new Visit.Waiting(standing, token);
    }

    // ---- passes

    /** A pass that was taken before, when its answer was lost, is renewed as it would be with any other request. */
    private Visit entered(Ticket ticket, Pass pass, Instant now) {
        Visit asItIs = admitted(ticket, pass, false);
        return Decision.isDue(pass, line.options.stay(), now)
                ? renewals.renew(pass, now, asItIs, () -> asItIs)
                : asItIs;
    }

    private Visit admitted(Ticket ticket, Pass pass, boolean ofNew) {
        line.entered(ticket);
        return new Visit.Admitted(pass, tokens.sign(pass), ofNew ? tokens.sign(ticket) : null);
    }

    // ---- the store, and when it does not answer

    /** Lets the visitor in on this gate's own account, if the last rate has room for it. */
    private Visit coast(Ticket ticket, Instant now) {
        Coasting coasting = line.coasting();
        Instant lost = line.reach().since();
        int budget = coasting.budget(lost, now);
        if (budget > 0) {
            int before = line.before(ticket, budget, now);
            Claim claim = new Claim(ticket.visitor(), ticket.epoch(), ticket.place(), now,
                    issuer.taken(now), Claim.Kind.LET_IN);
            if (coasting.letIn(claim, before, lost, now)) {
                line.gone(ticket);
                Pass pass = issuer.pass(ticket, claim.passUntil(), claim.passUntil(), now);
                return new Visit.Admitted(pass, tokens.sign(pass), null);
            }
        }
        return waiting(ticket, null);
    }

    private static Visit letThrough(Visit visit) {
        return switch (visit) {
            case Visit.Asking(CompletionStage<Visit> later) -> new Visit.Asking(later.thenApply(Room::letThrough));
            case Visit.Admitted _,Visit.LetThrough _ -> visit;
            case Visit.Waiting(_, String token) -> new Visit.LetThrough(token, null);
            case Visit.TurnedAway _,Visit.NoTicket _,Visit.TooMany _,Visit.Unavailable _ -> new Visit.LetThrough(
                    null, null);
        };
    }
}
