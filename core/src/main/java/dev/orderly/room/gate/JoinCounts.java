package dev.orderly.room.gate;

import dev.orderly.room.Tiers;
import dev.orderly.room.crowd.Newcomer;
import dev.orderly.room.crowd.PlaceCounts;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts places as they are taken. The sign-in of a taker is found beside the request, of {@value #FINDING} takers at a
 * time; beyond that a place has no sign-in. Thread-safe, never blocks.
 */
final class JoinCounts {
    private static final Logger LOG = LoggerFactory.getLogger(JoinCounts.class);
    private static final int FINDING = 64;

    private final PlaceCounts places;
    private final Executor executor;
    private final RoomRefusals refusals;
    private final Semaphore finding = new Semaphore(FINDING);

    /** @param executor finds sign-ins */
    JoinCounts(PlaceCounts places, Executor executor, RoomRefusals refusals) {
        this.places = places;
        this.executor = executor;
        this.refusals = refusals;
    }

    /** An address has as many passes as it may that were not shown yet. */
    void addressIsFull() {
        refusals.count(RoomRefusals.Cause.UNTAKEN_PER_ADDRESS);
    }

    /** A user got the place that the user has. */
    void sharesPlace() {
        refusals.count(RoomRefusals.Cause.ONE_PER_USER);
    }

    void checkFailed() {
        refusals.count(RoomRefusals.Cause.CHECK_FAILED);
    }

    /** The places that the network of an address took lately. */
    long ofNetwork(String address) {
        return places.ofNetwork(address);
    }

    /** A visitor who asks for a place. Reads the request now: it may change after its answer. */
    Taker taker(String address, Newcomer newcomer, Tiers tiers) {
        return new Taker(address, newcomer, newcomer.signIn(), tiers.isEmpty() ? null : newcomer.tier(tiers));
    }

    /** A visitor who asks for a place. */
    final class Taker {
        private final String address;
        private final Newcomer newcomer;
        private final @Nullable Supplier<Optional<String>> signIn;

        private final @Nullable Supplier<Optional<String>> tier;

        private Taker(String address, Newcomer newcomer, @Nullable Supplier<Optional<String>> signIn,
                @Nullable Supplier<Optional<String>> tier) {
            this.address = address;
            this.newcomer = newcomer;
            this.signIn = signIn;
            this.tier = tier;
        }

        /**
         * Finds the visitor's tier: empty for none, and if the identity cannot be read. Null in a room without tiers,
         * and for a request without identities.
         */
        @Nullable
        CompletionStage<Optional<String>> tier() {
            if (tier == null) {
                return null;
            }
            try {
                return CompletableFuture.supplyAsync(tier, executor).exceptionally(failure -> {
                    LOG.debug("The tier of a visitor could not be read", failure);
                    return Optional.empty();
                });
            } catch (RejectedExecutionException _) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
        }

        String address() {
            return address;
        }

        Newcomer newcomer() {
            return newcomer;
        }

        void takesPlace() {
            places.begin(address);
        }

        void isDone() {
            places.end(address);
        }

        void tookPlace() {
            places.count(address);
            if (signIn != null && finding.tryAcquire()) {
                try {
                    executor.execute(this::countSignIn);
                } catch (RejectedExecutionException _) {
                    finding.release();
                }
            }
        }

        private void countSignIn() {
            try {
                if (signIn != null) {
                    signIn.get().ifPresent(places::countSignIn);
                }
            } catch (RuntimeException e) {
                LOG.debug("The sign-in of a visitor could not be read", e);
            } finally {
                finding.release();
            }
        }
    }
}
