package dev.orderly.room.gate;

import dev.orderly.room.OpeningStatus;
import dev.orderly.room.ProofOfWork;
import dev.orderly.room.RoomObserver;
import dev.orderly.room.RoomState;
import dev.orderly.room.Tiers;
import dev.orderly.room.VisitorId;
import dev.orderly.room.crowd.Newcomer;
import dev.orderly.room.crowd.Verdict;
import dev.orderly.room.draw.LobbyTree;
import dev.orderly.room.forecast.WaitEstimate;
import dev.orderly.room.invitation.Invitation;
import dev.orderly.room.invitation.InvitationRefusal;
import dev.orderly.room.quota.AddressQuotas;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.InvitationUse;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.UserJoin;
import dev.orderly.room.token.Pass;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.Ticket;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Admits the visitors of a room at one gate, or gives them places in line: asks the store, or decides in its place
 * during an outage, and issues tickets and passes. Never blocks. Thread-safe.
 */
final class Admissions {
    static final Visit UNAVAILABLE = new Visit.Unavailable(Duration.ofSeconds(2));
    /** How soon a visitor asks again whom a check that gave no verdict keeps out. */
    private static final Duration UNCHECKED = Duration.ofSeconds(10);

    private final RoomCache cache;
    private final Outage outage;
    private final AddressQuotas addresses;
    private final VisitorRequests requests;
    private final PassRenewals renewals;
    private final TokenIssuer issuer;
    private final RoomTokens tokens;
    private final RandomGenerator random;
    private final Time time;
    private final RoomObserver observer;
    private final JoinCounts counts;
    private final JoinWaits waits;
    private final OnePerUser users;

    /**
     * @param executor verifies work of visitors
     * @param users decides who may have a place
     */
    Admissions(GateContext context, RoomCache cache, VisitorRequests requests, PassRenewals renewals,
            TokenIssuer issuer, JoinCounts counts, Executor executor, OnePerUser users) {
        this.counts = counts;
        this.users = users;
        this.waits = new JoinWaits(context, cache, executor, this::placeAfterAll,
                newcomer -> join(newcomer, context.time().now()));
        this.cache = cache;
        this.outage = cache.outage();
        this.addresses = cache.addresses();
        this.requests = requests;
        this.renewals = renewals;
        this.issuer = issuer;
        this.tokens = context.tokens();
        this.random = context.random();
        this.time = context.time();
        this.observer = context.observer();
    }

    /**
     * Asks for an admission on the visitor's own request, whose answer carries the pass.
     *
     * @param newcomer may join anew if the ticket turns out to be worthless; null if no new place may be taken
     */
    Reply<Visit> admit(Ticket ticket, @Nullable Newcomer newcomer, Instant now) {
        if (outage.isOn()) {
            return now(admitInOutage(ticket, now));
        }
        Instant until = issuer.taken(now);
        return new Reply.Later<>(requests.admit(ticket, AdmissionRequest.Kind.TAKEN, until))
                .then(result -> switch (result) {
                    case AdmissionResult.Entered(Instant end) ->
                        taken(ticket, issuer.pass(ticket, end, until, time.now()));
                    case AdmissionResult.Waits _ -> now(waiting(ticket));
                    case AdmissionResult.Spent _ -> join(newcomer, time.now());
                });
    }

    /** A pass that was taken before, but whose answer was lost, is renewed as on any other request. */
    private Reply<Visit> taken(Ticket ticket, Pass pass) {
        Instant now = time.now();
        Visit asItIs = inside(ticket, pass, null, now);
        return Decision.isDue(pass, cache.options().stay(), now)
                ? renewals.renew(pass, now, asItIs, () -> now(asItIs))
                : now(asItIs);
    }

    /** Admits the visitor without the store if the outage budget allows it. */
    private Visit admitInOutage(Ticket ticket, Instant now) {
        int budget = outage.budget(now);
        if (budget > 0) {
            int before = cache.presence().before(ticket, budget, now);
            AdmissionRequest request = new AdmissionRequest(ticket.visitor(), ticket.epoch(), ticket.place(), now,
                    issuer.taken(now), AdmissionRequest.Kind.RECORDED);
            if (outage.admit(request, before, now)) {
                cache.presence().gone(ticket);
                Pass pass = issuer.pass(ticket, request.passUntil(), request.passUntil(), now);
                observer.entered(cache.name(), cache.state().tierName(ticket.place()), pass.waited());
                return new Visit.Admitted(pass, tokens.sign(pass), null);
            }
        }
        return waiting(ticket);
    }

    /** Asks for an admission for a visitor who does not take the pass yet. */
    Reply<Visit> look(Ticket ticket) {
        return new Reply.Later<>(requests.admitKept(ticket)).map(result -> switch (result) {
            case AdmissionResult.Entered(Instant until) when until.isAfter(time.now()) ->
                new Visit.Admitted(issuer.pass(ticket, until, until, time.now()));
            case AdmissionResult.Entered _,AdmissionResult.Waits _ -> waiting(ticket);
            case AdmissionResult.Spent _ -> new Visit.NoTicket();
        });
    }

    /**
     * Takes a place, and admits the visitor if an admission is free.
     *
     * @param newcomer null if no place may be taken
     */
    Reply<Visit> join(@Nullable Newcomer newcomer, Instant now) {
        if (newcomer == null) {
            return now(new Visit.NoTicket());
        }
        if (outage.isOn()) {
            return now(UNAVAILABLE);
        }
        return users.ifSignedIn(newcomer, known -> ifOpen(at -> joinKnown(known, at)));
    }

    private Reply<Visit> joinKnown(Newcomer newcomer, Instant now) {
        String address = newcomer.address();
        Optional<Duration> refused = addresses.refuse(address);
        if (refused.isPresent()) {
            return now(new Visit.TooMany(refused.get()));
        }
        JoinCounts.Taker taker = counts.taker(address, newcomer, cache.options().tiers());
        CompletionStage<Verdict> verdict = newcomer.check(() -> counts.ofNetwork(address));
        return verdict == null
                ? placeUnlessCrowded(taker, now)
                : new Reply.Later<>(verdict).then(known -> ifOpen(at -> checked(known, taker, at, false)));
    }

    /** Takes a place, for which a visitor of a crowded network works or waits. */
    private Reply<Visit> placeUnlessCrowded(JoinCounts.Taker taker, Instant now) {
        ProofOfWork rule = cache.options().proofOfWork();
        return rule == null || counts.ofNetwork(taker.address()) < rule.crowdedFrom()
                ? place(taker, now)
                : now(waits.begin(rule.delay(), taker.address(), rule));
    }

    /** The room may have been closed or opened to all while another was asked. */
    private Reply<Visit> ifOpen(Function<Instant, Reply<Visit>> then) {
        Instant now = time.now();
        Decision decision = Decision.of(VerifiedTokens.NONE, cache.state(), outage.reach(), cache.options(), now);
        if (decision instanceof Decision.TurnedAway(OpeningStatus opening)) {
            return now(new Visit.TurnedAway(opening));
        }
        return decision instanceof Decision.LetThrough ? now(new Visit.Ungated(null, null)) : then.apply(now);
    }

    /** @param worked whether the visitor worked or waited for the place, which the quota of the address counted then */
    private Reply<Visit> checked(Verdict verdict, JoinCounts.Taker taker, Instant now, boolean worked) {
        return switch (verdict) {
            case Verdict.Allow _ -> place(taker, now);
            case Verdict.Slow(Duration before) -> now(waits.begin(before, taker.address(), null));
            case Verdict.Refuse _ -> now(new Visit.Refused());
            case Verdict.Failed(boolean admits) -> {
                counts.checkFailed();
                if (!admits && !worked) {
                    addresses.giveBack(taker.address());
                }
                yield !admits
                        ? now(new Visit.Unchecked(UNCHECKED))
                        : worked ? place(taker, now) : placeUnlessCrowded(taker, now);
            }
        };
    }

    /** The places of visitors who waited or worked for them. */
    JoinWaits waits() {
        return waits;
    }

    /** Work stands for no verdict: a network may be crowded for the check by now. */
    private Reply<Visit> placeAfterAll(Newcomer newcomer, boolean byWork) {
        return ifOpen(now -> {
            JoinCounts.Taker taker = counts.taker(newcomer.address(), newcomer, cache.options().tiers());
            CompletionStage<Verdict> verdict = byWork ? newcomer.check(() -> counts.ofNetwork(taker.address())) : null;
            return verdict == null
                    ? place(taker, now)
                    : new Reply.Later<>(verdict).then(known -> ifOpen(at -> checked(known, taker, at, true)));
        });
    }

    private Reply<Visit> place(JoinCounts.Taker taker, Instant now) {
        CompletionStage<Optional<String>> tier = taker.tier();
        return tier == null
                ? place(taker, null, now)
                : new Reply.Later<>(tier).then(known -> ifOpen(at -> place(taker, known.orElse(null), at)));
    }

    private Reply<Visit> place(JoinCounts.Taker taker, @Nullable String tier, Instant now) {
        if (outage.isOn()) {
            return now(UNAVAILABLE);
        }
        return place(taker, VisitorId.random(random), tier, null, now, shared -> {
            counts.sharesPlace();
            return users.shared(shared);
        });
    }

    /**
     * Takes a place by an invitation, which no quota counts and no check is asked about.
     *
     * @param visitor equal for repeated requests of one device
     * @param former the place that the visitor has; null for none
     * @param shared takes over where the user of the visitor has another place than the former one
     */
    Reply<Visit> redeem(Invitation invitation, VisitorId visitor, @Nullable Ticket former, Newcomer newcomer,
            Function<JoinResult.Shared, Reply<Visit>> shared) {
        if (outage.isOn()) {
            return now(UNAVAILABLE);
        }
        InvitationUse use = new InvitationUse(invitation.id(), invitation.epoch(), invitation.until(),
                former == null || former.epoch() != invitation.epoch() ? null : former(former));
        JoinCounts.Taker taker = counts.taker(newcomer.address(), newcomer, Tiers.NONE);
        return place(taker, visitor, invitation.tier(), use, time.now(), shared);
    }

    /** The lobby of the ticket may have been drawn since the ticket was read. */
    private InvitationUse.Former former(Ticket ticket) {
        return cache.isUndrawn(ticket)
                ? new InvitationUse.Former(ticket.visitor(), ticket.place(), ticket.expiresAt())
                : new InvitationUse.Former(ticket.visitor(), cache.placed(ticket).place());
    }

    private Reply<Visit> place(JoinCounts.Taker taker, VisitorId visitor, @Nullable String tier,
            @Nullable InvitationUse use, Instant now, Function<JoinResult.Shared, Reply<Visit>> sharing) {
        String address = taker.address();
        // An address that has its share of passes only takes a place: its visitor enters by showing the ticket.
        Optional<Duration> reserved = addresses.reserve(address, visitor);
        if (reserved.isEmpty()) {
            counts.addressIsFull();
        }
        boolean repeated = use != null && cache.isMoved(use.invitation().use());
        boolean closed = cache.closed(now) != null;
        Instant passUntil = closed ? now : reserved.map(life -> issuer.untaken(now, life)).orElse(now);
        RoomState state = cache.state();
        Duration likely = cache.poll(issuer.ticket(visitor, state.epoch(), state.end(tier) + 1, 0, now));
        Duration first = cache.options().poll().first();
        Instant presentUntil = cache.presentUntil(likely.compareTo(first) < 0 ? likely : first);
        String nonce = cache.entersDraw(now) ? nonce(visitor) : null;
        JoinRequest request = new JoinRequest(visitor, presentUntil, passUntil,
                nonce == null ? null : LobbyTree.entry(visitor, nonce), tier, use,
                users.of(taker.newcomer(), cache.options().stay(), now));
        taker.takesPlace();
        return new Reply.Later<>(requests.join(request).<Reply<Visit>>thenApply(result -> switch (result) {
            case JoinResult.Uninvited(_, InvitationRefusal why) -> {
                addresses.release(visitor);
                yield now(why == null ? UNAVAILABLE : new Visit.NotInvited(why));
            }
            case JoinResult.Shared shared -> {
                addresses.release(visitor);
                yield sharing.apply(shared);
            }
            case JoinResult.Placed _,JoinResult.Entered _ -> {
                taker.tookPlace();
                if (!repeated) {
                    arrived(result, use);
                }
                yield now(joined(request, nonce, result, presentUntil));
            }
        }).exceptionally(failure -> {
            addresses.release(visitor);
            requests.failed(failure);
            return now(UNAVAILABLE);
        }).whenComplete((_, _) -> taker.isDone()).thenCompose(Reply::stage));
    }

    private void arrived(JoinResult result, @Nullable InvitationUse use) {
        String tier = cache.state().tierName(result.place());
        observer.arrived(cache.name(), tier);
        if (tier != null && use != null) {
            observer.invited(cache.name(), tier);
        }
    }

    /**
     * The nonce of every gate, for a ticket whose browser has not sent its own: equal for a repeated request, so that
     * another nonce in the lobby is a browser's.
     */
    private static String nonce(VisitorId visitor) {
        return HexFormat.of().formatHex(VisitorId.derived("nonce of " + visitor).bytes());
    }

    /**
     * Puts the browser's nonce in the place of the gate's, while the lobby takes tickets.
     *
     * @param nonce 32 hexadecimal digits
     */
    Reply<Visit> withNonce(Ticket ticket, String nonce) {
        Ticket.Entry entry = ticket.entry();
        if (outage.isOn()) {
            return now(UNAVAILABLE);
        }
        if (entry == null || entry.browser()) {
            return now(waiting(ticket));
        }
        return new Reply.Later<>(requests.replaceLeaf(ticket, LobbyTree.entry(entry.ticket(), nonce))
                .thenApply(stored -> {
                    Ticket own = stored ? ticket.withNonce(nonce, true) : ticket;
                    Visit visit = waiting(own);
                    return visit instanceof Visit.Waiting told
                            ? (Visit) new Visit.Waiting(told.position(), tokens.sign(own), false)
                            : visit;
                }).exceptionally(failure -> {
                    requests.failed(failure);
                    return UNAVAILABLE;
                }));
    }

    private Visit joined(JoinRequest request, @Nullable String nonce, JoinResult result, Instant presentUntil) {
        Instant now = time.now();
        VisitorId visitor = request.visitor();
        UserJoin user = request.user();
        // The ticket of a user ends when the user may take another place, however late the store answered.
        Instant issuedAt = user == null ? now : user.until().minus(cache.options().stay().ticket());
        return switch (result) {
            case JoinResult.Entered(long epoch, long place, Instant until) -> {
                outage.joined();
                Ticket ticket = issuer.ticket(visitor, epoch, place, 0, issuedAt);
                yield inside(ticket, issuer.pass(ticket, until, until, now), tokens.sign(ticket), now);
            }
            case JoinResult.Placed(long epoch, long place, long ahead) -> {
                addresses.release(visitor);
                Ticket issued = issuer.ticket(visitor, epoch, place, ahead, issuedAt);
                Ticket ticket = cache.placed(nonce == null ? issued : issued.withNonce(nonce, false));
                cache.taken(ticket);
                if (!cache.isOfThisLine(ticket) && cache.closed(now) == null) {
                    var _ = requests.admitKept(ticket);
                } else if (nonce == null && place <= cache.state().lineOf(place).horizon()) {
                    cache.presence().reported(ticket, presentUntil);
                }
                yield waiting(ticket, true);
            }
            case JoinResult.Uninvited _,JoinResult.Shared _ -> throw new IllegalStateException("A place was given");
        };
    }

    /**
     * Gives the place of a ticket to another visitor, whose new ticket ends with the old one.
     *
     * @param asking supplies the address, which spends a place of its quota
     */
    Reply<Visit> move(Ticket from, VisitorId to, Supplier<String> asking) {
        if (outage.isOn()) {
            return now(UNAVAILABLE);
        }
        Optional<Duration> refused = addresses.refuse(addresses.boundJoins() ? asking.get() : "");
        if (refused.isPresent()) {
            return now(new Visit.TooMany(refused.get()));
        }
        Ticket ticket = from.movedTo(to);
        return new Reply.Later<>(requests.move(from, to).thenApply(moved -> {
            if (!moved) {
                return new Visit.NoTicket();
            }
            cache.moved(from.visitor());
            LinePosition position = cache.position(ticket);
            cache.presence().seen(ticket, cache.presentUntil(position.poll()));
            return (Visit) new Visit.Waiting(position, tokens.sign(ticket), true);
        }).exceptionally(failure -> {
            requests.failed(failure);
            return UNAVAILABLE;
        }));
    }

    /** The visitor keeps waiting with the ticket that was shown. */
    Visit waiting(Ticket ticket) {
        return waiting(ticket, false);
    }

    private Visit waiting(Ticket ticket, boolean taken) {
        LinePosition position = cache.position(ticket);
        if (taken) {
            WaitEstimate estimate = position.estimate();
            if (estimate.low() != null && estimate.high() != null) {
                observer.announced(cache.name(), estimate.low().plus(estimate.high()).dividedBy(2));
            }
            position = position.askedAgainAfter(cache.options().poll().first());
        }
        cache.presence().seen(ticket, cache.presentUntil(position.poll()));
        return new Visit.Waiting(position, token(position, taken), taken);
    }

    /** The ticket that tells the gate of the next request what this one says; null if the shown ticket does. */
    private @Nullable String token(LinePosition position, boolean taken) {
        Ticket ticket = position.ticket();
        Ticket.Told told = cache.told(position);
        return told != null && !told.equals(ticket.told())
                ? tokens.sign(ticket.withTold(told))
                : taken ? tokens.sign(ticket) : null;
    }

    /**
     * A visitor whose pass ended before the store's answer came asks again.
     *
     * @param ticketToken of a new ticket; null for one that was shown
     */
    private Visit inside(Ticket ticket, Pass pass, @Nullable String ticketToken, Instant now) {
        if (!pass.expiresAt().isAfter(now)) {
            return waiting(ticket, ticketToken != null);
        }
        String tier = cache.state().tierName(ticket.place());
        cache.entered(ticket).ifPresent(wait -> observer.compared(cache.name(), tier, wait));
        observer.entered(cache.name(), tier, pass.waited());
        return new Visit.Admitted(pass, tokens.sign(pass), ticketToken);
    }

    private static Reply<Visit> now(Visit visit) {
        return new Reply.Now<>(visit);
    }
}
