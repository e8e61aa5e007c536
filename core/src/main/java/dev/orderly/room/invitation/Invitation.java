package dev.orderly.room.invitation;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The right to one place in the line of a tier, as carried by a signed code.
 *
 * @param tier its name
 * @param epoch of the room; a new one voids it, as tickets and passes
 * @param until its end, in whole seconds
 * @param user a hash of the only user who may redeem it, by a key of the site; null for everybody
 */
public record Invitation(InvitationId id, String tier, long epoch, Instant until, @Nullable String user) {
    public Invitation {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(tier, "tier");
        Objects.requireNonNull(until, "until");
    }
}
