package dev.orderly.room.gate;

import dev.orderly.room.ProofOfWork;
import dev.orderly.room.VisitorId;
import dev.orderly.room.crowd.Newcomer;
import dev.orderly.room.crowd.PlaceCounts;
import dev.orderly.room.quota.WorkVerifier;
import dev.orderly.room.token.JoinWait;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.work.WorkChallenge;
import dev.orderly.room.work.WorkSolution;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Places that visitors of one gate get after a wait, or at once by the work that ends it. A wait gives one place here,
 * whichever of the two ends it, to each tab that shows it. Never blocks. Thread-safe.
 */
final class JoinWaits {
    /** How long a visitor may take a place after a wait before it. */
    private static final Duration WAIT_KEPT = Duration.ofMinutes(10);
    private static final Duration BUSY = Duration.ofSeconds(2);
    /** The ticket of a wait that is spent without a place: one that counts as none. */
    private static final String SPENT = "";

    private final RoomCache cache;
    private final RoomTokens tokens;
    private final RandomGenerator random;
    private final Time time;
    private final WorkVerifier works;
    private final Placing place;
    private final Function<Newcomer, Reply<Visit>> join;

    /** Takes a place, which no quota counts. */
    @FunctionalInterface
    interface Placing {
        /** @param byWork whether no check has decided about the visitor yet */
        Reply<Visit> place(Newcomer newcomer, boolean byWork);
    }

    /**
     * @param executor verifies work
     * @param join asks for a place as any newcomer does
     */
    JoinWaits(GateContext context, RoomCache cache, Executor executor, Placing place,
            Function<Newcomer, Reply<Visit>> join) {
        this.cache = cache;
        this.tokens = context.tokens();
        this.random = context.random();
        this.time = context.time();
        this.works = new WorkVerifier(executor);
        this.place = place;
        this.join = join;
    }

    /**
     * Begins a wait.
     *
     * @param rule of work that ends it; null if none does
     */
    Visit begin(Duration delay, String address, @Nullable ProofOfWork rule) {
        Instant now = time.now();
        JoinWait wait = new JoinWait(VisitorId.random(random), now.plus(delay), now.plus(delay).plus(WAIT_KEPT),
                rule != null);
        return new Visit.Slowed(delay, tokens.sign(cache.name(), cache.state().epoch(), wait, now),
                challenge(wait, address));
    }

    /** The work that ends a wait; null if none does. */
    private @Nullable String challenge(JoinWait wait, String address) {
        ProofOfWork rule = cache.options().proofOfWork();
        return rule == null || !wait.byWork()
                ? null
                : tokens.sign(cache.name(), cache.state().epoch(), PlaceCounts.network(address),
                        new WorkChallenge(wait.id(), wait.until(), rule.cost()));
    }

    /**
     * Takes the place of a wait that is over, which the quota of the address counted before the wait.
     *
     * @param again visits with the ticket of the place, if it was taken before, and takes none
     */
    Reply<Visit> joinAfter(JoinWait wait, Newcomer newcomer, Instant now, Function<String, Reply<Visit>> again) {
        if (now.isBefore(wait.from())) {
            return now(new Visit.Slowed(Duration.between(now, wait.from()), null,
                    challenge(wait, newcomer.address())));
        }
        CompletableFuture<Optional<String>> ticket = new CompletableFuture<>();
        CompletionStage<Optional<String>> before = cache.waits().use(wait, ticket);
        return before == null ? placeOf(wait, newcomer, ticket) : asBefore(before, newcomer, again);
    }

    /** The solution that a newcomer sent, if this room gave its challenge to this network; otherwise null. */
    @Nullable
    WorkSolution authentic(Newcomer newcomer, Instant now) {
        WorkSolution solution = newcomer.work();
        ProofOfWork rule = cache.options().proofOfWork();
        return solution != null && rule != null && tokens.isAuthentic(solution, cache.name(), cache.state().epoch(),
                PlaceCounts.network(newcomer.address()), rule.cost(), now) ? solution : null;
    }

    /**
     * Takes the place of the wait that work ends. A wrong solution spends the wait: its sender asks for another one,
     * which the quota of the address counts, so that this quota bounds what is verified.
     *
     * @param solution authentic
     * @param again as in {@link #joinAfter}
     */
    Reply<Visit> joinByWork(WorkSolution solution, Newcomer newcomer, Instant now,
            Function<String, Reply<Visit>> again) {
        ProofOfWork rule = cache.options().proofOfWork();
        if (rule == null) {
            return join.apply(newcomer);
        }
        JoinWait wait = new JoinWait(solution.id(), now, solution.until(), true);
        CompletableFuture<Optional<String>> ticket = new CompletableFuture<>();
        CompletionStage<Optional<String>> before = cache.waits().use(wait, ticket);
        if (before != null) {
            return asBefore(before, newcomer, again);
        }
        CompletionStage<Boolean> verified = works.verify(solution, rule.cost());
        if (verified == null) {
            cache.waits().giveBack(wait);
            ticket.complete(Optional.empty());
            return now(new Visit.Slowed(BUSY, null, challenge(wait, newcomer.address())));
        }
        return new Reply.Later<>(verified).then(right -> {
            if (right) {
                return placeOf(wait, newcomer, ticket);
            }
            ticket.complete(Optional.of(SPENT));
            return join.apply(newcomer);
        });
    }

    /** Takes the place of a wait, which may be used again if there was none, also after a failure. */
    private Reply<Visit> placeOf(JoinWait wait, Newcomer newcomer, CompletableFuture<Optional<String>> ticket) {
        CompletionStage<Visit> placed = CompletableFuture.completedStage(newcomer)
                .thenCompose(taker -> place.place(taker, wait.byWork()).stage());
        return new Reply.Later<>(placed.whenComplete((visit, _) -> {
            Optional<String> taken = ticketOf(visit);
            if (taken.isEmpty()) {
                cache.waits().giveBack(wait);
            }
            ticket.complete(taken);
        }));
    }

    /**
     * Each use of a wait but the first is answered with the ticket of the first, and once that counts no more, as one
     * without a wait.
     */
    private Reply<Visit> asBefore(CompletionStage<Optional<String>> before, Newcomer newcomer,
            Function<String, Reply<Visit>> again) {
        return new Reply.Later<>(before).then(known -> known.map(again).orElseGet(() -> now(Admissions.UNAVAILABLE)))
                .then(visit -> visit instanceof Visit.NoTicket ? join.apply(newcomer) : now(visit));
    }

    /** The ticket of a place that was taken now; empty if the wait may be used again. */
    private static Optional<String> ticketOf(@Nullable Visit visit) {
        return switch (visit) {
            case Visit.Waiting(_, String token, _) -> Optional.ofNullable(token);
            case Visit.Admitted(_, _, String token) -> Optional.ofNullable(token);
            case Visit.Slowed _,Visit.Refused _ -> Optional.of(SPENT);
            case null, default -> Optional.empty();
        };
    }

    private static Reply<Visit> now(Visit visit) {
        return new Reply.Now<>(visit);
    }
}
