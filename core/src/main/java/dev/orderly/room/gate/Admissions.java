package dev.orderly.room.gate;

import dev.orderly.room.RoomState;
import dev.orderly.room.VisitorId;
import dev.orderly.room.quota.AddressQuotas;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.token.Pass;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.Ticket;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Lets the visitors of a room in at one gate, or to the line: asks the store, or answers in its place during an outage, and
 * hands out tickets and passes. Never blocks. Thread-safe.
 */
final class Admissions {
    static final Visit UNAVAILABLE = new Visit.Unavailable(Duration.ofSeconds(2));

    private final RoomCache cache;
    private final Outage outage;
    private final AddressQuotas addresses;
    private final VisitorRequests calls;
    private final PassRenewals renewals;
    private final TokenIssuer issuer;
    private final RoomTokens tokens;
    private final RandomGenerator random;
    private final Time time;

    Admissions(GateContext context, RoomCache cache, VisitorRequests calls, PassRenewals renewals, TokenIssuer issuer) {
        this.cache = cache;
        this.outage = cache.outage();
        this.addresses = cache.addresses();
        this.calls = calls;
        this.renewals = renewals;
        this.issuer = issuer;
        this.tokens = context.tokens();
        this.random = context.random();
        this.time = context.time();
    }

    /**
     * Claims an admission for the visitor's own request.
     *
     * @param address that may join anew if the ticket turns out to be worth nothing; null for none
     */
    Reply<Visit> claim(Ticket ticket, @Nullable Supplier<String> address, Instant now) {
        if (outage.isOn()) {
            return now(claimInOutage(ticket, now));
        }
        Instant until = issuer.taken(now);
        return new Reply.Later<>(calls.claim(ticket, AdmissionRequest.Kind.TAKEN, until))
                .then(result -> switch (result) {
                    case AdmissionResult.Entered(Instant end) ->
                        taken(ticket, issuer.pass(ticket, end, until, time.now()));
                    case AdmissionResult.Waits _ -> now(waiting(ticket));
                    case AdmissionResult.Spent _ -> join(address, time.now());
                });
    }

    /** A pass that was taken before, when its answer was lost, is renewed as it would be with any other request. */
    private Reply<Visit> taken(Ticket ticket, Pass pass) {
        Instant now = time.now();
        Visit asItIs = admitted(ticket, pass, null);
        return Decision.isDue(pass, cache.options().stay(), now)
                ? renewals.renew(pass, now, asItIs, () -> now(asItIs))
                : now(asItIs);
    }

    /** Lets the visitor in on this gate's own account, if the last rate has room for it. */
    private Visit claimInOutage(Ticket ticket, Instant now) {
        int budget = outage.budget(now);
        if (budget > 0) {
            int before = cache.presence().before(ticket, budget, now);
            AdmissionRequest claim = new AdmissionRequest(ticket.visitor(), ticket.epoch(), ticket.place(), now,
                    issuer.taken(now), AdmissionRequest.Kind.LET_IN);
            if (outage.letIn(claim, before, now)) {
                cache.presence().gone(ticket);
                Pass pass = issuer.pass(ticket, claim.passUntil(), claim.passUntil(), now);
                return new Visit.Admitted(pass, tokens.sign(pass), null);
            }
        }
        return waiting(ticket);
    }

    /** Claims an admission for a visitor who does not take the pass yet. */
    Reply<Visit> look(Ticket ticket) {
        return new Reply.Later<>(calls.claimKept(ticket)).map(result -> switch (result) {
            case AdmissionResult.Entered(Instant until) ->
                new Visit.Admitted(issuer.pass(ticket, until, until, time.now()));
            case AdmissionResult.Waits _ -> waiting(ticket);
            case AdmissionResult.Spent _ -> new Visit.NoTicket();
        });
    }

    /**
     * Takes a place, and enters where an admission is free.
     *
     * @param asked for the address that joins; null if no place may be taken
     */
    Reply<Visit> join(@Nullable Supplier<String> asked, Instant now) {
        if (asked == null) {
            return now(new Visit.NoTicket());
        }
        if (outage.isOn()) {
            return now(UNAVAILABLE);
        }
        String address = addresses.boundJoins() ? asked.get() : "";
        Optional<Duration> refused = addresses.refuse(address);
        if (refused.isPresent()) {
            return now(new Visit.TooMany(refused.get()));
        }
        VisitorId visitor = VisitorId.random(random);
        // For an address that has its share this only takes a place: the visitor enters by showing the ticket of that.
        Instant passUntil = addresses.reserve(address, visitor).map(life -> issuer.untaken(now, life)).orElse(now);
        RoomState state = cache.state();
        Duration likely = cache.poll(issuer.ticket(visitor, state.epoch(), state.line().length() + 1, 0, now));
        Duration first = cache.options().poll().first();
        Instant presentUntil = cache.presentUntil(likely.compareTo(first) < 0 ? likely : first);
        return new Reply.Later<>(calls.join(visitor, presentUntil, passUntil)
                .thenApply(result -> joined(visitor, result, presentUntil)).exceptionally(failure -> {
                    addresses.release(visitor);
                    calls.failed(failure);
                    return UNAVAILABLE;
                }));
    }

    private Visit joined(VisitorId visitor, JoinResult result, Instant presentUntil) {
        Instant now = time.now();
        return switch (result) {
            case JoinResult.Entered(long epoch, long place, Instant until) -> {
                outage.joined();
                Ticket ticket = issuer.ticket(visitor, epoch, place, 0, now);
                yield admitted(ticket, issuer.pass(ticket, until, until, now), tokens.sign(ticket));
            }
            case JoinResult.Placed(long epoch, long place, long ahead) -> {
                addresses.release(visitor);
                Ticket ticket = issuer.ticket(visitor, epoch, place, ahead, now);
                cache.taken(ticket);
                if (!cache.isOfThisLine(ticket)) {
                    var _ = calls.claimKept(ticket);
                } else if (place <= cache.state().line().horizon()) {
                    cache.presence().reported(ticket, presentUntil);
                }
                yield waiting(ticket, tokens.sign(ticket));
            }
        };
    }

    /** The visitor waits on with the ticket that was shown. */
    Visit waiting(Ticket ticket) {
        return waiting(ticket, null);
    }

    private Visit waiting(Ticket ticket, @Nullable String token) {
        LinePosition standing = cache.standing(ticket);
        if (token != null) {
            standing = standing.askedAgainAfter(cache.options().poll().first());
        }
        cache.presence().seen(ticket, cache.presentUntil(standing.poll()));
        return new Visit.Waiting(standing, token);
    }

    private Visit admitted(Ticket ticket, Pass pass, @Nullable String ticketToken) {
        cache.entered(ticket);
        return new Visit.Admitted(pass, tokens.sign(pass), ticketToken);
    }

    private static Reply<Visit> now(Visit visit) {
        return new Reply.Now<>(visit);
    }
}
