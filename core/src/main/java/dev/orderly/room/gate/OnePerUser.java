package dev.orderly.room.gate;

import dev.orderly.room.Tiers;
import dev.orderly.room.TokenLifetimes;
import dev.orderly.room.VisitorId;
import dev.orderly.room.crowd.Newcomer;
import dev.orderly.room.crowd.Verdict;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.UserJoin;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.Ticket;
import dev.orderly.room.work.WorkSolution;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Users with one place each, at one gate. Thread-safe, never blocks. */
final class OnePerUser {
    private static final Logger LOG = LoggerFactory.getLogger(OnePerUser.class);
    /** The least life of a ticket, whose moments are whole seconds. */
    private static final Duration THIS_VISIT = Duration.ofSeconds(1);

    private final RoomCache cache;
    private final RoomTokens tokens;
    private final Time time;
    private final Executor executor;
    private final Function<String, Reply<Visit>> visit;

    /**
     * @param executor finds sign-ins
     * @param visit visits with a ticket, and takes no place
     */
    OnePerUser(GateContext context, RoomCache cache, Executor executor, Function<String, Reply<Visit>> visit) {
        this.cache = cache;
        this.tokens = context.tokens();
        this.time = context.time();
        this.executor = executor;
        this.visit = visit;
    }

    /** A newcomer whose user is known, with the hashes of the user, that by the first key of the site first. */
    private record SignedIn(Newcomer newcomer, List<VisitorId> hashes) implements Newcomer {
        @Override
        public String address() {
            return newcomer.address();
        }

        @Override
        public @Nullable CompletionStage<Verdict> check(LongSupplier ofNetwork) {
            return newcomer.check(ofNetwork);
        }

        @Override
        public @Nullable WorkSolution work() {
            return newcomer.work();
        }

        @Override
        public @Nullable Supplier<Optional<String>> tier(Tiers tiers) {
            return newcomer.tier(tiers);
        }

        @Override
        public @Nullable Supplier<Optional<String>> signIn() {
            return newcomer.signIn();
        }
    }

    /**
     * Goes on with a newcomer who may have a place: in a room whose users have one place each, only a user. A user who
     * cannot be verified now gets no place, and asks again.
     */
    Reply<Visit> ifSignedIn(Newcomer newcomer, Function<Newcomer, Reply<Visit>> then) {
        if (!cache.options().onePerUser() || cache.state().mode().letsAllPass() || newcomer instanceof SignedIn) {
            return then.apply(newcomer);
        }
        Supplier<Optional<String>> signIn = newcomer.signIn();
        return signIn == null
                ? new Reply.Now<>(new Visit.NotSignedIn())
                : new Reply.Later<>(found(newcomer, signIn)).then(known -> switch (known) {
                    case Found.User(SignedIn user) -> then.apply(user);
                    case Found.Nobody _ -> new Reply.Now<>(new Visit.NotSignedIn());
                    case Found.Unknown _ -> new Reply.Now<>(Admissions.UNAVAILABLE);
                });
    }

    private sealed interface Found {
        record User(SignedIn user) implements Found {}

        record Nobody() implements Found {}

        record Unknown() implements Found {}
    }

    private CompletionStage<Found> found(Newcomer newcomer, Supplier<Optional<String>> signIn) {
        try {
            return CompletableFuture.supplyAsync(() -> signIn.get().<Found>map(user -> new Found.User(
                    new SignedIn(newcomer, tokens.users(cache.name(), user)))).orElseGet(Found.Nobody::new), executor)
                    .exceptionally(failure -> {
                        LOG.debug("The sign-in of a visitor could not be read", failure);
                        return new Found.Unknown();
                    });
        } catch (RejectedExecutionException _) {
            return CompletableFuture.completedFuture(new Found.Unknown());
        }
    }

    /** The user of a newcomer, as the store wants it; null in a room whose users may have several places. */
    @Nullable
    UserJoin of(Newcomer newcomer, TokenLifetimes stay, Instant now) {
        return newcomer instanceof SignedIn(_, List<VisitorId> hashes)
                ? new UserJoin(hashes.getFirst(), hashes.subList(1, hashes.size()),
                        now.plus(stay.ticket()).truncatedTo(ChronoUnit.SECONDS), now.plus(stay.longestPass()))
                : null;
    }

    /** Lets another device of a user go on with the place, by a ticket of its own. */
    Reply<Visit> shared(JoinResult.Shared shared) {
        return visit.apply(tokens.sign(ticket(shared)))
                .map(known -> known instanceof Visit.NoTicket || known instanceof Visit.Moved
                        ? Admissions.UNAVAILABLE // this gate learns of the place, or the stay ends, in a moment
                        : known);
    }

    /**
     * A ticket of the place that a user has, with the number that was issued. It outlives no place of the user, who may
     * take another one then. A user who is inside for longer than the ticket lived takes the pass with this visit.
     */
    Ticket ticket(JoinResult.Shared shared) {
        Instant now = time.now();
        Instant issued = shared.until().minus(cache.options().stay().ticket());
        Instant until = shared.until().isAfter(now) ? shared.until() : now.plus(THIS_VISIT);
        return new Ticket(cache.name(), shared.visitor(), shared.epoch(), shared.place(), shared.ahead(),
                issued.isAfter(now) ? now : issued, until, null, null, true);
    }
}
