package dev.orderly.room.crowd;

import dev.orderly.Internal;
import dev.orderly.room.Tiers;
import dev.orderly.room.work.WorkSolution;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The sender of a request that may take a place. Asked only if a place is taken or a pass is bound to addresses. */
@Internal(to = "dev.orderly")
@FunctionalInterface
public interface Newcomer {
    /** The address by which places and passes are counted, see {@link dev.orderly.room.AddressLimits}. */
    String address();

    /**
     * Asks for a verdict on the visitor, before a place is taken. Null if the visitor needs none.
     *
     * @param ofNetwork counts the places that the network of the address took lately, see
     *     {@link PlaceCounts#ofNetwork}
     * @return completes on a thread that must not block, and never exceptionally
     */
    default @Nullable CompletionStage<Verdict> check(LongSupplier ofNetwork) {
        Objects.requireNonNull(ofNetwork, "ofNetwork");
        return null;
    }

    /** The solution that came with the request, of work that ends a wait before a place; null for none. */
    default @Nullable WorkSolution work() {
        return null;
    }

    /**
     * Finds the tier of the visitor: the name of the first one whose claim the verified identity has; empty for none.
     * May block, and runs on another thread. Null if no identity is known.
     */
    default @Nullable Supplier<Optional<String>> tier(Tiers tiers) {
        Objects.requireNonNull(tiers, "tiers");
        return null;
    }

    /**
     * Finds the sign-in of the request, whose places are counted: an id of the user, never a token. May block, and runs
     * on another thread; fails if it cannot be verified now. Null if no sign-ins are known.
     */
    default @Nullable Supplier<Optional<String>> signIn() {
        return null;
    }
}
