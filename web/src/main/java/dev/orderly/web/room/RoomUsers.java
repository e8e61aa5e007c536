package dev.orderly.web.room;

import dev.orderly.user.UserId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Knows who is signed in, for rooms with one place a user or with tiers by claims. Asked when a visitor joins, not on
 * the thread of the request. May block for a moment, and be asked by several threads at once.
 */
@FunctionalInterface
public interface RoomUsers {
    /**
     * The user of a request; empty if nobody is signed in, also for a token that is not valid. An exception means that
     * it cannot be known now: in a room with one place a user the visitor gets no place, and asks again.
     *
     * @param headers of the request, by names whose case does not matter, each with its values in the order sent;
     *     unmodifiable
     */
    Optional<SignedIn> of(Map<String, List<String>> headers);

    /**
     * A user.
     *
     * @param claims the texts of the user's claims by name, such as {@code tier} with {@code gold}; several for a claim
     *     that is a list. Empty if no tier asks for one
     */
    record SignedIn(UserId user, Map<String, List<String>> claims) {
        public SignedIn {
            Objects.requireNonNull(user, "user");
            claims = Map.copyOf(Objects.requireNonNull(claims, "claims"));
        }

        /** A user without claims. */
        public SignedIn(UserId user) {
            this(user, Map.of());
        }
    }
}
