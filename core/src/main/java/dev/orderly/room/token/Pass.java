package dev.orderly.room.token;

import dev.orderly.room.RoomName;
import dev.orderly.room.VisitorId;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An admission, as the signed token says it.
 *
 * @param visitor the same as on the ticket it was given for
 * @param place the place it was given for
 * @param waited from the ticket to the admission, in whole seconds
 * @param issuedAt to the second
 * @param expiresAt to the second; from then on the pass counts as none
 * @param latestEnd beyond which it is not renewed, to the second; null if it may be renewed for ever
 */
public record Pass(RoomName room, VisitorId visitor, long epoch, long place, Duration waited, Instant issuedAt,
        Instant expiresAt, @Nullable Instant latestEnd) {}
