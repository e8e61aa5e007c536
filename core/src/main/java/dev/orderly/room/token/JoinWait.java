package dev.orderly.room.token;

import dev.orderly.Internal;
import dev.orderly.room.VisitorId;
import java.time.Instant;
import java.util.Objects;

/**
 * The right to take one place after a wait.
 *
 * @param id of this wait
 * @param from when the place may be taken
 * @param until the last moment for it
 * @param byWork whether a proof of work ends the wait, see {@link dev.orderly.room.work.WorkChallenge}
 */
@Internal(to = "dev.orderly")
public record JoinWait(VisitorId id, Instant from, Instant until, boolean byWork) {
    public JoinWait {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(until, "until");
    }
}
