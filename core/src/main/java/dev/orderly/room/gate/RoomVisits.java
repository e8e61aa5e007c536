package dev.orderly.room.gate;

import dev.orderly.Internal;
import dev.orderly.flow.OriginTraffic;
import dev.orderly.room.OpeningStatus;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.RoomState;
import dev.orderly.room.VisitorId;
import dev.orderly.room.crowd.Newcomer;
import dev.orderly.room.crowd.PlaceCounts;
import dev.orderly.room.quota.AddressQuotas;
import dev.orderly.room.store.VisitorRecord;
import dev.orderly.room.token.JoinWait;
import dev.orderly.room.token.Pass;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.Ticket;
import dev.orderly.room.work.WorkSolution;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The visits of a room at one gate. Answers from memory where possible, and never blocks: where the store has to be
 * asked, the answer is a {@link Reply.Later}. Thread-safe.
 *
 * <p>A pass is verified without a call of the store; a place that is not called is answered from memory. A visitor who
 * joins, returns after an absence or is called, or whose pass is due for renewal, costs a share of one group commit.
 */
@Internal(to = "dev.orderly")
public final class RoomVisits {
    private static final Pattern NONCE = Pattern.compile("[0-9a-f]{32}");
    private static final Duration LINK_LIFE = Duration.ofMinutes(5);

    private final RoomCache cache;
    private final Outage outage;
    private final AddressQuotas addresses;
    private final RoomSync sync;
    private final RoomTokens tokens;
    private final Time time;
    private final RandomGenerator random;
    private final VisitorRequests requests;
    private final PassRenewals renewals;
    private final OnePerUser users;
    private final Admissions admissions;
    private final ConnectedVisitors listeners;
    private final RoomRefusals refusals;
    private final DrawReceipts receipts;
    private final Invitations invitations;

    RoomVisits(GateContext context, RoomCache cache, RoomSync sync, Executor executor) {
        this.cache = cache;
        this.outage = cache.outage();
        this.addresses = cache.addresses();
        this.sync = sync;
        this.tokens = context.tokens();
        this.time = context.time();
        this.random = context.random();
        this.refusals = new RoomRefusals(time);
        TokenIssuer issuer = new TokenIssuer(cache.name(), cache.options().stay());
        this.requests = new VisitorRequests(context, cache, issuer, executor);
        this.renewals = new PassRenewals(tokens, requests, issuer);
        this.users = new OnePerUser(context, cache, executor, this::withTicket);
        this.admissions = new Admissions(context, cache, requests, renewals, issuer,
                new JoinCounts(cache.places(), executor, refusals), executor, users);
        this.invitations = new Invitations(context, cache, admissions, executor, users);
        this.listeners = new ConnectedVisitors(cache, requests, time);
        this.receipts = new DrawReceipts(context, cache, executor);
    }

    /** The exchanges of admitted visitors with the origin, as {@link RoomOptions#health} sees them. */
    public OriginTraffic traffic() {
        return sync.traffic();
    }

    /** What this gate refused to visitors since its start. */
    public RoomRefusals refusals() {
        return refusals;
    }

    /** Who took places at this gate lately. */
    public PlaceCounts places() {
        return cache.places();
    }

    /**
     * A request for a protected resource.
     *
     * @param newcomer the sender
     * @param mayJoin whether a visitor without a ticket takes a place; otherwise the answer is {@link Visit.NoTicket}
     */
    public Reply<Visit> arrive(ShownTokens credentials, Newcomer newcomer, boolean mayJoin) {
        Objects.requireNonNull(newcomer, "newcomer");
        Instant now = time.now();
        VerifiedTokens shown = shown(credentials, now);
        Pass pass = shown.pass();
        if (pass == null && shown.ticket() == null && !credentials.equals(ShownTokens.NONE)
                && joinWait(credentials, now) == null) {
            refusals.count(RoomRefusals.Cause.TOKEN);
        }
        ShownTokens counting = counting(credentials, pass, newcomer);
        return visit(counting, counting.equals(credentials) ? shown : shown(counting, now), mayJoin ? newcomer : null,
                now).map(this::outcome);
    }

    /** The tokens without a pass that was shown from too many addresses. */
    private ShownTokens counting(ShownTokens credentials, @Nullable Pass pass, Newcomer newcomer) {
        if (pass == null || !addresses.boundPasses() || addresses.allow(pass, newcomer::address)) {
            return credentials;
        }
        refusals.count(RoomRefusals.Cause.ADDRESSES_PER_PASS);
        return credentials.withoutPasses();
    }

    /** The mode may have changed while a check or the store was asked. */
    private Visit outcome(Visit visit) {
        return cache.state().mode().letsAllPass() ? visit.letThrough() : counted(visit);
    }

    /**
     * Holds the request of a called visitor who has to wait, and decides it again as soon as an admission is free for
     * the visitor; after three to four seconds in any case. In rooms with a capacity and short stays only, and for 256
     * visitors at a time, with one request each: every other decision is the answer at once. The visitor counts as
     * present meanwhile.
     *
     * @param request to be dropped if the client goes away; then the reply may fail
     * @param decided the decision on the request
     * @param again decides the request another time
     */
    public Reply<Visit> hold(HeldRequest request, Reply<Visit> decided, Supplier<Reply<Visit>> again) {
        Objects.requireNonNull(again, "again");
        Objects.requireNonNull(decided, "decided");
        Objects.requireNonNull(request, "request");
        return switch (decided) {
            case Reply.Now<Visit> known -> known;
            case Reply.Later<Visit> later -> later.then(visit -> {
                CompletableFuture<Void> over = new CompletableFuture<>();
                return visit instanceof Visit.Waiting waiting && isHeld(waiting) && request.begin(over)
                        && listeners.hold(waiting.position().ticket(), over)
                                ? new Reply.Later<>(over).then(_ -> again.get())
                                : now(visit);
            });
        };
    }

    private boolean isHeld(Visit.Waiting waiting) {
        RoomState state = cache.state();
        return waiting.position().called() && !waiting.taken() && state.mode() == RoomMode.AUTO
                && state.limits().capacity() != null && !outage.isOn() && cache.isStayShort();
    }

    /** Exchanges a ticket for a pass if the visitor may enter; takes no new place. */
    public Reply<Visit> enter(ShownTokens credentials) {
        return visit(credentials, null);
    }

    /**
     * The visitor's position, without taking the pass: {@link Visit.Admitted} without a token if the pass is ready to
     * be taken.
     */
    public Reply<Visit> look(ShownTokens credentials) {
        Instant now = time.now();
        return switch (decide(shown(credentials, now), now)) {
            case Decision.Called(Ticket ticket) ->
                outage.isOn() ? now(admissions.waiting(ticket)) : admissions.look(ticket);
            case Decision.Waits(Ticket ticket) ->
                cache.isUnreported(ticket, now) ? admissions.look(ticket) : now(admissions.waiting(ticket));
            case Decision.Admitted(Pass pass, _) -> now(new Visit.Admitted(pass));
            case Decision.Overdue _ -> now(new Visit.NoTicket());
            case Decision.Arrives _ -> now(isMoved(credentials, now) ? new Visit.Moved() : new Visit.NoTicket());
            case Decision.LetThrough _ -> now(new Visit.Ungated(null, null));
            case Decision.Early(Ticket ticket) -> now(admissions.waiting(ticket));
            case Decision.TurnedAway(OpeningStatus opening) -> now(new Visit.TurnedAway(opening));
        };
    }

    /**
     * The secret of a link that moves the shown place to another device once, within five minutes; empty if the room
     * does not allow it, or if no visitor with a ticket asks. Answers from memory.
     */
    public Optional<String> link(ShownTokens credentials) {
        Objects.requireNonNull(credentials, "credentials");
        Instant now = time.now();
        Ticket ticket = cache.options().move() ? shown(credentials, now).ticket() : null;
        return Optional.ofNullable(ticket).map(known -> tokens.signLink(known, now.plus(LINK_LIFE)));
    }

    /**
     * Takes over the place of a link: {@link Visit.Waiting} with its new ticket, or {@link Visit.NoTicket} if the link
     * does not count, whatever the reason. A repeated request of one device gets the same place.
     *
     * @param device unpredictable and new for each device, such as the result of {@link #newDevice}
     */
    public Reply<Visit> takeOver(String secret, String device, Supplier<String> address) {
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(secret, "secret");
        Instant now = time.now();
        Ticket ticket = tokens.linked(secret, cache.name(), cache.state().epoch(), now).orElse(null);
        return ticket == null || !cache.options().move()
                ? now(new Visit.NoTicket())
                : admissions.move(cache.placed(ticket), VisitorId.derived(secret + " " + device), address);
    }

    /**
     * Puts the browser's nonce into the ticket that is shown, while its lobby takes tickets: {@link Visit.Waiting} with
     * the new ticket. Without a lobby, and for a ticket that has the nonce of a browser, nothing changes.
     *
     * @throws IllegalArgumentException unless the nonce has 32 hexadecimal digits in lower case
     */
    public Reply<Visit> withNonce(ShownTokens credentials, String nonce) {
        Objects.requireNonNull(nonce, "nonce");
        Objects.requireNonNull(credentials, "credentials");
        if (!NONCE.matcher(nonce).matches()) {
            throw new IllegalArgumentException("The nonce of a draw has 32 hexadecimal digits in lower case, made by"
                    + " chance: send those");
        }
        Ticket ticket = shown(credentials, time.now()).ticket();
        return ticket == null ? now(new Visit.NoTicket()) : admissions.withNonce(ticket, nonce);
    }

    /**
     * The receipt of the ticket or pass that is shown, in the draw of its lobby; empty if it was in none whose root is
     * published. Fails if the store does not answer.
     */
    public CompletionStage<Optional<DrawReceipt>> receipt(ShownTokens credentials) {
        Objects.requireNonNull(credentials, "credentials");
        Ticket ticket = credentials.tickets().isEmpty() ? null : receiptTicket(credentials);
        return ticket == null ? CompletableFuture.completedStage(Optional.empty()) : receipts.of(ticket);
    }

    /** A ticket that is used up still has a receipt. */
    private @Nullable Ticket receiptTicket(ShownTokens credentials) {
        return credentials.withoutPasses().verify(tokens, cache.state(), time.now()).placed(cache::placed).ticket();
    }

    /**
     * Takes a place in the line of a tier by an invitation; gives up the place that is shown, unless its visitor enters
     * sooner with it. A visitor who needs no place gets the answer of {@link #enter}, and the invitation is not used.
     *
     * @param code of the invitation
     * @param device as in {@link #takeOver}: a repeated request gets the same place
     */
    public Reply<Visit> redeem(ShownTokens credentials, String code, String device, Newcomer newcomer) {
        Objects.requireNonNull(credentials, "credentials");
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(newcomer, "newcomer");
        Instant now = time.now();
        ShownTokens counting = counting(credentials, shown(credentials, now).pass(), newcomer);
        VerifiedTokens shown = shown(counting, now);
        boolean needs = switch (decide(shown, now)) {
            case Decision.Arrives _,Decision.Waits _,Decision.Called _,Decision.Early _ ->
                decide(VerifiedTokens.NONE, now) instanceof Decision.Arrives;
            case Decision.Admitted _,Decision.Overdue _,Decision.LetThrough _,Decision.TurnedAway _ -> false;
        };
        return (needs
                ? users.ifSignedIn(newcomer, known -> invitations.redeem(code, device, shown.ticket(), known))
                : enter(counting))
                .map(this::outcome);
    }

    /** A random text for {@link #takeOver} and {@link #redeem}. */
    public String newDevice() {
        return VisitorId.random(random).toString();
    }

    private boolean isMoved(ShownTokens credentials, Instant now) {
        Ticket ticket = credentials.tickets().isEmpty()
                ? null
                : credentials.verify(tokens, cache.state(), now).ticket();
        return ticket != null && cache.isMoved(ticket.visitor());
    }

    /** Gives back the place or pass that is shown. False if no token counts, or if the store did not answer. */
    public CompletionStage<Boolean> leave(ShownTokens credentials) {
        VerifiedTokens shown = credentials.verify(tokens, cache.state(), time.now()).without(cache::isMoved)
                .placed(cache::placed);
        Ticket ticket = shown.ticket();
        Pass pass = shown.pass();
        if (ticket != null) {
            cache.presence().gone(ticket);
            return cache.knowsPlace(ticket)
                    ? requests.depart(ticket.visitor(), ticket.epoch(), ticket.place())
                    : requests.departLobby(ticket);
        }
        return pass == null ? CompletableFuture.completedStage(false) : end(pass);
    }

    /**
     * Ends a stay: the pass and its ticket become void on every gate, on this gate at once. False if the store did not
     * answer.
     */
    public CompletionStage<Boolean> end(Pass pass) {
        return requests.depart(pass.visitor(), pass.epoch(), pass.place());
    }

    /** Ends the stay of a visitor in the present line, as {@link #end(Pass)}, without the pass at hand. */
    public CompletionStage<Boolean> end(VisitorId visitor) {
        Objects.requireNonNull(visitor, "visitor");
        return requests.depart(visitor, cache.state().epoch(), 0);
    }

    /**
     * The visitor whose pass is shown and counts, without a renewal. Answers from memory, also where {@link #arrive}
     * asks the store.
     *
     * @param address as in {@link #arrive}
     */
    public Optional<Visit.Admitted> inside(ShownTokens credentials, Supplier<String> address) {
        Objects.requireNonNull(address, "address");
        Instant now = time.now();
        Pass pass = shown(credentials, now).pass();
        boolean counts = pass != null && now.isBefore(pass.expiresAt())
                && (!addresses.boundPasses() || addresses.allow(pass, address));
        return counts && pass != null ? Optional.of(new Visit.Admitted(pass)) : Optional.empty();
    }

    /** What keeps the visitor of a ticket from entering. The visitor does not count as present by it. */
    VisitorDiagnosis diagnose(Room room, String text, GateQuestions gates) {
        Optional<Ticket> authentic = tokens.authenticTicket(text, cache.name());
        if (authentic.isEmpty()) {
            return VisitorDiagnosis.forged(cache.name());
        }
        Ticket ticket = cache.placed(authentic.get());
        VisitorDiagnosis.History history = new VisitorDiagnosis.History(ticket.issuedAt(), ticket.visitor(),
                VisitorRecord.NONE);
        VisitorDiagnosis found = VisitorDiagnosis.ended(ticket, cache, history, time.now())
                .orElseGet(() -> VisitorDiagnosis.waiting(ticket.place(), cache.state(), history,
                        gates.ofPlace(room, ticket.epoch(), ticket.place()), time.now()));
        return ticket.shared() ? found.ofFurtherDevice() : found;
    }

    /** What this gate knows of the visitor of a place; null if it knows nothing. */
    @Nullable
    Sighting sighting(long epoch, long place) {
        Optional<Ticket> connected = listeners.tickets()
                .filter(ticket -> ticket.place() == place && ticket.epoch() == epoch).findAny();
        return connected.map(this::sighting).orElseGet(() -> {
            Instant until = cache.presence().until(epoch, place);
            return until == null ? null : sighting(epoch, place, until, null);
        });
    }

    /** What this gate knows of a visitor whose page is connected here. Walks over all connections. */
    Optional<Sighting> sighting(VisitorId visitor) {
        return listeners.tickets().filter(ticket -> ticket.visitor().equals(visitor)).findAny().map(this::sighting);
    }

    private Sighting sighting(Ticket ticket) {
        return sighting(ticket.epoch(), ticket.place(), cache.presence().until(ticket.epoch(), ticket.place()), ticket);
    }

    private Sighting sighting(long epoch, long place, @Nullable Instant until, @Nullable Ticket connected) {
        return new Sighting(epoch, place, connected == null ? null : connected.visitor(),
                connected == null ? null : connected.issuedAt(), until, cache.presence().isHere(epoch, place));
    }

    /** The lowest places of present visitors that this gate knows of. Walks over all connections. */
    List<Sighting> front(int most) {
        RoomState state = cache.state();
        List<Long> places = cache.presence().lowest(state, most, time.now());
        Set<Long> wanted = Set.copyOf(places);
        Map<Long, Ticket> connected = listeners.tickets()
                .filter(ticket -> ticket.epoch() == state.epoch() && wanted.contains(ticket.place()))
                .collect(Collectors.toMap(Ticket::place, Function.identity(), (one, _) -> one));
        return places.stream().map(place -> sighting(state.epoch(), place, cache.presence().until(state.epoch(), place),
                connected.get(place))).toList();
    }

    /** The visitor whose ticket is shown, if it counts. Answers from memory. */
    public Optional<VisitorId> visitor(ShownTokens credentials) {
        return Optional.ofNullable(shown(credentials, time.now()).ticket()).map(Ticket::visitor);
    }

    /**
     * Sends the listener the position of a ticket from now on, until the visitor may enter, the ticket is void, or
     * {@link #forget} is called. A visitor with a listener counts as present.
     *
     * @return false if no ticket that counts is shown
     */
    public boolean listen(ShownTokens credentials, RoomListener listener) {
        Objects.requireNonNull(listener, "listener");
        Instant now = time.now();
        Ticket ticket = shown(credentials, now).ticket();
        if (ticket == null) {
            return false;
        }
        cache.asked(ticket);
        listeners.add(ticket, listener);
        if (cache.closed(now) == null && cache.isUnreported(ticket, now)) {
            var _ = requests.admitKept(ticket);
        }
        return true;
    }

    /**
     * Records that this answer is about to leave. Its visitor counts as present until it has left, and from then on
     * until the visitor should have asked again.
     *
     * @return to be run once when the answer has left
     */
    public Runnable answering(Visit.Waiting visit) {
        LinePosition position = visit.position();
        PendingAnswers.Pending pending = cache.answers().begin(position.ticket(), time.now());
        return () -> {
            cache.answers().end(pending, time.now());
            cache.presence().seen(position.ticket(), cache.presentUntil(position.poll()));
        };
    }

    public void forget(RoomListener listener) {
        Objects.requireNonNull(listener, "listener");
        listeners.remove(listener);
    }

    private Decision decide(VerifiedTokens shown, Instant now) {
        Decision decision = Decision.of(shown, cache.state(), outage.reach(), cache.options(), now);
        if (shown.ticket() != null && (decision instanceof Decision.Waits || decision instanceof Decision.Called
                || decision instanceof Decision.Early)) {
            cache.asked(shown.ticket());
        }
        return decision;
    }

    /** The shown tokens that count. */
    private VerifiedTokens shown(ShownTokens credentials, Instant now) {
        return credentials.verify(tokens, cache.state(), now).without(cache::isVoid).placed(cache::placed);
    }

    /** @param newcomer a visitor who may join; null if no place may be taken */
    private Reply<Visit> visit(ShownTokens credentials, @Nullable Newcomer newcomer) {
        Instant now = time.now();
        return visit(credentials, shown(credentials, now), newcomer, now);
    }

    /** @param shown the tokens of the credentials that count */
    private Reply<Visit> visit(ShownTokens credentials, VerifiedTokens shown, @Nullable Newcomer newcomer,
            Instant now) {
        return switch (decide(shown, now)) {
            case Decision.Admitted(Pass pass, boolean renew) when renew -> {
                addresses.release(pass.visitor());
                yield renewals.renew(pass, now, new Visit.Admitted(pass),
                        () -> visit(credentials.withoutPasses(), newcomer));
            }
            case Decision.Admitted(Pass pass, _) -> now(new Visit.Admitted(pass));
            // Its place inside may belong to another visitor by now: only the store can decide.
            case Decision.Overdue(Pass pass) -> renewals.ask(pass, true, now, Admissions.UNAVAILABLE,
                    () -> visit(credentials.withoutPasses(), newcomer));
            case Decision.LetThrough _ -> now(new Visit.Ungated(null, null));
            case Decision.TurnedAway(OpeningStatus opening) -> now(new Visit.TurnedAway(opening));
            case Decision.Early(Ticket ticket) -> now(admissions.waiting(ticket));
            case Decision.Arrives _ ->
                isMoved(credentials, now)
                        ? now(new Visit.Moved())
                        : joins(newcomer, joinWait(credentials, now), now);
            case Decision.Waits(Ticket ticket) when !outage.isOn() && !cache.isUnreported(ticket, now) ->
                now(admissions.waiting(ticket));
            case Decision.Waits(Ticket ticket) -> admissions.admit(ticket, newcomer, now);
            case Decision.Called(Ticket ticket) -> admissions.admit(ticket, newcomer, now);
        };
    }

    /** @param wait the wait before a place that is shown; null for none */
    private Reply<Visit> joins(@Nullable Newcomer newcomer, @Nullable JoinWait wait, Instant now) {
        if (newcomer == null || outage.isOn()) {
            return admissions.join(newcomer, now);
        }
        return users.ifSignedIn(newcomer, known -> joinsKnown(known, wait, time.now()));
    }

    /** Visits with a ticket, which the answer carries, and takes no place. */
    private Reply<Visit> withTicket(String ticket) {
        return visit(new ShownTokens(List.of(ticket), List.of()), null).map(visit -> visit.withTicket(ticket));
    }

    private Reply<Visit> joinsKnown(Newcomer newcomer, @Nullable JoinWait wait, Instant now) {
        JoinWaits waits = admissions.waits();
        WorkSolution solution = waits.authentic(newcomer, now);
        return solution != null
                ? waits.joinByWork(solution, newcomer, now, this::withTicket)
                : wait != null
                        ? waits.joinAfter(wait, newcomer, now, this::withTicket)
                        : admissions.join(newcomer, now);
    }

    /** The wait before a place that is shown, which browsers keep as their ticket; null for none. */
    private @Nullable JoinWait joinWait(ShownTokens credentials, Instant now) {
        return credentials.tickets().stream()
                .flatMap(token -> tokens.joinWait(token, cache.name(), cache.state().epoch(), now).stream()).findFirst()
                .orElse(null);
    }

    private Visit counted(Visit visit) {
        switch (visit) {
            case Visit.TurnedAway(OpeningStatus opening) when opening != null -> {
                // the room is not open, and nothing was refused
            }
            case Visit.TurnedAway _ -> refusals.count(RoomRefusals.Cause.MODE);
            case Visit.TooMany _ -> refusals.count(RoomRefusals.Cause.JOINS_PER_ADDRESS);
            case Visit.NotInvited _ -> refusals.count(RoomRefusals.Cause.TOKEN);
            case Visit.NotSignedIn _ -> refusals.count(RoomRefusals.Cause.NOT_SIGNED_IN);
            case Visit.Refused _ -> refusals.count(RoomRefusals.Cause.CHECK_REFUSED);
            case Visit.Slowed(_, String token, String challenge) when token != null -> refusals.count(challenge == null
                    ? RoomRefusals.Cause.CHECK_SLOWED
                    : RoomRefusals.Cause.PROOF_OF_WORK);
            case Visit.Unavailable _ -> refusals.count(RoomRefusals.Cause.STORE);
            case Visit.Slowed _,Visit.Unchecked _ -> {
                // counted before
            }
            case Visit.Admitted _,Visit.Ungated _,Visit.Waiting _,Visit.NoTicket _,Visit.Moved _ -> {
                // nothing was refused
            }
        }
        return visit;
    }

    private static Reply<Visit> now(Visit visit) {
        return new Reply.Now<>(visit);
    }

    /** Waits for the answers of pending requests; later requests are refused. */
    void close(Duration patience) {
        listeners.release();
        requests.close(patience);
    }

    ConnectedVisitors listeners() {
        return listeners;
    }

    PassRenewals renewals() {
        return renewals;
    }

    Invitations invitations() {
        return invitations;
    }
}
