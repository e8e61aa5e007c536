package dev.orderly.room.store;

import dev.orderly.room.VisitorId;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * The user of a {@link JoinRequest} to a room in which a user has one place, on all devices. A user with a place gets
 * {@link JoinResult.Shared} and no other one.
 *
 * @param user a keyed hash of the user, which no visitor has as an id
 * @param others hashes of the same user by other keys of the site; what is kept under them is kept under {@code user}
 *     from then on
 * @param until end of the ticket of a new place
 * @param voidUntil when passes of a stay that has ended have expired; the place after it voids them
 */
public record UserJoin(VisitorId user, List<VisitorId> others, Instant until, Instant voidUntil) {
    public UserJoin {
        Objects.requireNonNull(user, "user");
        Objects.requireNonNull(until, "until");
        Objects.requireNonNull(voidUntil, "voidUntil");
        others = List.copyOf(others);
    }
}
