package dev.orderly.room.gate;

import dev.orderly.room.RoomState;
import dev.orderly.room.Tiers;
import dev.orderly.room.VisitorId;
import dev.orderly.room.crowd.Newcomer;
import dev.orderly.room.forecast.WaitEstimate;
import dev.orderly.room.invitation.Invitation;
import dev.orderly.room.invitation.InvitationId;
import dev.orderly.room.invitation.InvitationRefusal;
import dev.orderly.room.invitation.IssuedInvitations;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.RoomStore;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.Ticket;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Invitations to tiers at one gate. Thread-safe, never blocks. */
final class Invitations {
    private static final Logger LOG = LoggerFactory.getLogger(Invitations.class);

    private final RoomCache cache;
    private final RoomTokens tokens;
    private final RandomGenerator random;
    private final Time time;
    private final Admissions admissions;
    private final Executor executor;
    private final OnePerUser users;
    private final RoomStore store;

    /** @param executor finds sign-ins, and asks the store about tickets before a draw */
    Invitations(GateContext context, RoomCache cache, Admissions admissions, Executor executor, OnePerUser users) {
        this.users = users;
        this.store = context.store();
        this.cache = cache;
        this.tokens = context.tokens();
        this.random = context.random();
        this.time = context.time();
        this.admissions = admissions;
        this.executor = executor;
    }

    /** As {@link Room#invite}. */
    IssuedInvitations issue(String tier, int count, Duration life, @Nullable String user) {
        List<String> tiers = cache.options().tiers().invited();
        if (!tiers.contains(tier)) {
            throw new IllegalArgumentException("Room " + cache.name() + " has no tier " + tier + " with invitations: "
                    + (tiers.isEmpty()
                            ? "set invitations: true for one of its tiers"
                            : "use " + String.join(", ", tiers)));
        }
        if (count < 1 || count > InvitationId.MOST) {
            throw new IllegalArgumentException(count + " invitations: use 1 to " + InvitationId.MOST
                    + ", and several series for more");
        }
        if (life.compareTo(Duration.ofMinutes(1)) < 0 || life.compareTo(Room.INVITATION_LIFE) > 0) {
            throw new IllegalArgumentException("Invitations that end after " + life + ": use a minute to "
                    + Room.INVITATION_LIFE.toDays() + " days");
        }
        if (user != null && user.isBlank()) {
            throw new IllegalArgumentException("The user of the invitations is empty: name a user, or leave it out");
        }
        long series = InvitationId.series(random.nextLong());
        long epoch = cache.state().epoch();
        Instant until = time.now().plus(life).truncatedTo(ChronoUnit.SECONDS);
        String only = user == null ? null : tokens.invited(cache.name(), user);
        return new IssuedInvitations(InvitationId.text(series), tier, epoch, until, IntStream.rangeClosed(1, count)
                .mapToObj(number -> tokens.sign(cache.name(),
                        new Invitation(new InvitationId(series, number), tier, epoch, until, only)))
                .toList());
    }

    /** @param ticket of the visitor's place; null for none */
    Reply<Visit> redeem(String code, String device, @Nullable Ticket ticket, Newcomer newcomer) {
        String address = newcomer.address();
        Optional<Duration> later = cache.addresses().refuseTry(address);
        if (later.isPresent()) {
            return new Reply.Now<>(new Visit.TooMany(later.get()));
        }
        Invitation invitation = tokens.invitation(code, cache.name(), cache.options().tiers().invited()).orElse(null);
        InvitationRefusal why = invitation == null ? InvitationRefusal.UNKNOWN : refusal(invitation);
        Reply<Visit> visit = invitation == null || why != null
                ? new Reply.Now<>(new Visit.NotInvited(Objects.requireNonNull(why)))
                : redeem(invitation, VisitorId.derived(code + " " + device), ticket, newcomer);
        return visit.map(known -> {
            if (known instanceof Visit.NotInvited) {
                cache.addresses().countTry(address);
            }
            return known;
        });
    }

    private Reply<Visit> redeem(Invitation invitation, VisitorId visitor, @Nullable Ticket ticket, Newcomer newcomer) {
        return invitation.user() == null
                ? place(invitation, visitor, ticket, newcomer)
                : new Reply.Later<>(sender(invitation, newcomer)).then(sender -> switch (sender) {
                    case INVITED -> place(invitation, visitor, ticket, newcomer);
                    case OTHER -> new Reply.Now<>(new Visit.NotInvited(InvitationRefusal.OTHER_USER));
                    case UNKNOWN -> new Reply.Now<>(Admissions.UNAVAILABLE);
                });
    }

    /** Who sends an invitation that is for one user. */
    private enum Sender {
        INVITED,
        /** Another user, or somebody who is not signed in. */
        OTHER,
        /** It cannot be known now. */
        UNKNOWN
    }

    private @Nullable InvitationRefusal refusal(Invitation invitation) {
        RoomState known = cache.state();
        if (invitation.epoch() < known.epoch() || !time.now().isBefore(invitation.until())) {
            return InvitationRefusal.ENDED;
        }
        // Of a used invitation the store knows whether the request is a repeated one: the place that it gave stays.
        return known.isVoid(InvitationId.revocation(invitation.id().series())) && !isUsed(invitation)
                ? InvitationRefusal.REVOKED
                : null;
    }

    /** Whether this gate knows that the invitation gave a place, which is kept as a move. */
    private boolean isUsed(Invitation invitation) {
        return cache.isMoved(invitation.id().use());
    }

    private CompletionStage<Sender> sender(Invitation invitation, Newcomer newcomer) {
        Supplier<Optional<String>> signIn = newcomer.signIn();
        if (signIn == null) {
            return CompletableFuture.completedFuture(Sender.OTHER);
        }
        try {
            return CompletableFuture
                    .supplyAsync(() -> signIn.get().filter(user -> tokens.isFor(invitation, cache.name(), user))
                            .isPresent() ? Sender.INVITED : Sender.OTHER, executor)
                    .exceptionally(failure -> {
                        LOG.debug("The sign-in of a visitor could not be read", failure);
                        return Sender.UNKNOWN;
                    });
        } catch (RejectedExecutionException _) {
            return CompletableFuture.completedFuture(Sender.UNKNOWN);
        }
    }

    /** A user who has another place than the shown one gives up that one, unless this invitation gave it. */
    private Reply<Visit> place(Invitation invitation, VisitorId visitor, @Nullable Ticket ticket, Newcomer newcomer) {
        return place(invitation, visitor, ticket, newcomer, shared -> shared.visitor().equals(visitor)
                ? users.shared(shared)
                : place(invitation, visitor, cache.placed(users.ticket(shared)), newcomer,
                        _ -> new Reply.Now<>(Admissions.UNAVAILABLE)));
    }

    private Reply<Visit> place(Invitation invitation, VisitorId visitor, @Nullable Ticket ticket, Newcomer newcomer,
            Function<JoinResult.Shared, Reply<Visit>> shared) {
        return ticket != null && isSooner(ticket, invitation)
                ? new Reply.Now<>(new Visit.NotInvited(InvitationRefusal.SOONER))
                : admissions.redeem(invitation, visitor, ticket, newcomer, shared).then(visit -> ifGood(visit, ticket))
                        .map(visit -> visit instanceof Visit.Waiting || visit instanceof Visit.Admitted
                                ? redeemed(visit, invitation, ticket)
                                : visit);
    }

    /** The place of a repeated request may be over: its ticket would take another one, at the end of the first line. */
    private Reply<Visit> ifGood(Visit visit, @Nullable Ticket shown) {
        if (!(visit instanceof Visit.Waiting given)) {
            return new Reply.Now<>(visit);
        }
        Ticket ticket = given.position().ticket();
        Reply<Visit> look = cache.isUndrawn(ticket)
                ? lookBeforeDraw(visit, ticket)
                : admissions.look(shown != null && isSamePlace(given, shown) ? shown : ticket);
        return look.map(known -> known instanceof Visit.NoTicket
                ? new Visit.NotInvited(InvitationRefusal.SPENT)
                : known instanceof Visit.Unavailable ? known : visit);
    }

    /** Nobody asks for an admission before a draw: a ticket is good there unless it is void. */
    private Reply<Visit> lookBeforeDraw(Visit good, Ticket ticket) {
        try {
            return new Reply.Later<>(CompletableFuture
                    .supplyAsync(() -> store.find(cache.name(), ticket.visitor(), time.now()).voidUntil() == null
                            ? good
                            : new Visit.NoTicket(), executor)
                    .exceptionally(failure -> {
                        LOG.debug("The place of an invitation could not be read", failure);
                        return Admissions.UNAVAILABLE;
                    }));
        } catch (RejectedExecutionException _) {
            return new Reply.Now<>(Admissions.UNAVAILABLE);
        }
    }

    /** The place that was given instead of the former one. A repeated request may show the place that it gave. */
    private Visit redeemed(Visit visit, Invitation invitation, @Nullable Ticket former) {
        cache.moved(invitation.id().use());
        if (former == null) {
            return visit;
        }
        if (visit instanceof Visit.Waiting given && isSamePlace(given, former)) {
            return admissions.waiting(former);
        }
        cache.presence().gone(former);
        cache.ended(former.visitor());
        return visit;
    }

    private static boolean isSamePlace(Visit.Waiting given, Ticket shown) {
        Ticket ticket = given.position().ticket();
        return ticket.place() == shown.place() && ticket.epoch() == shown.epoch();
    }

    /**
     * Whether the visitor is expected to enter sooner with the present place: without estimates, as in a lobby, by the
     * shares alone. The store refuses what is called or in the line of the tier, and says first what was used.
     */
    private boolean isSooner(Ticket ticket, Invitation invitation) {
        long next = cache.state().end(invitation.tier()) + 1;
        if (Tiers.line(next) == Tiers.line(ticket.place()) || isUsed(invitation)) {
            return false;
        }
        Duration now = middle(cache.estimate(ticket));
        Duration then = middle(cache.forNewcomer(invitation.tier()));
        // In the lobby of a draw each place of a line is as likely as the last one.
        long place = cache.isUndrawn(ticket)
                ? cache.state().lineOf(ticket.place()).length()
                : ticket.place();
        return (now == null || then == null) ? turn(place) <= turn(next) : now.compareTo(then) <= 0;
    }

    /** When the turn of a place comes while visitors of all tiers wait, in admissions of all lines, of a hundred. */
    private double turn(long place) {
        RoomState known = cache.state();
        int share = known.tier(place).map(RoomState.TierLine::share).orElse(cache.options().tiers().rest());
        return (LinePosition.ahead(place, known) + 1.0) / share;
    }

    private static @Nullable Duration middle(WaitEstimate estimate) {
        Duration low = estimate.low();
        Duration high = estimate.high();
        return low == null || high == null ? null : low.plus(high).dividedBy(2);
    }
}
