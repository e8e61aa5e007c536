package dev.orderly.testkit.contract.room;

import dev.orderly.room.VisitorId;
import dev.orderly.room.store.GateId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A visitor of a {@link RoomModel}. */
final class ModelVisitor {
    VisitorId id;
    final long place;
    boolean usedUp;
    /** Whether the visitor counts as inside, by a live pass or an ended one that a lease keeps. */
    boolean inside;
    Instant passUntil = Instant.MIN;
    Instant presentUntil = Instant.MIN;
    @Nullable
    GateId reportedBy;

    ModelVisitor(VisitorId id, long place) {
        this.id = id;
        this.place = place;
    }
}
