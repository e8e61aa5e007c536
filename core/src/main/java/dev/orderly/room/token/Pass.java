package dev.orderly.room.token;

import dev.orderly.Internal;
import dev.orderly.room.RoomName;
import dev.orderly.room.VisitorId;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An admission, as carried by a signed token.
 *
 * @param visitor the same as on the ticket
 * @param place the place of the ticket
 * @param waited time from the ticket to the admission, in whole seconds
 * @param issuedAt in whole seconds
 * @param expiresAt in whole seconds; from then on the pass is void
 * @param latestEnd latest end after renewals, in whole seconds; null for no bound
 */
@Internal(to = "dev.orderly")
public record Pass(RoomName room, VisitorId visitor, long epoch, long place, Duration waited, Instant issuedAt,
        Instant expiresAt, @Nullable Instant latestEnd) {}
