package dev.orderly.room.state;

import dev.orderly.room.VisitorId;
import dev.orderly.room.state.LivePasses.Live;
import dev.orderly.room.state.RoomStateMachine.PlaceRecord;
import dev.orderly.room.state.RoomStateMachine.Snapshot;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which tickets and passes of one epoch are good: the passes that live, the places whose tickets are used up, and the
 * visitors whose tokens are void. Not thread-safe.
 */
final class VisitorTokens {
    private final LivePasses live;
    private final PendingChanges pending;
    private final PlaceSet usedUp = new PlaceSet();
    private final RevokedVisitors revoked = new RevokedVisitors();

    VisitorTokens(LivePasses live, PendingChanges pending) {
        this.live = live;
        this.pending = pending;
    }

    /** Begins with what was kept of a room. */
    void restore(Snapshot kept) {
        kept.revoked().forEach(revoked::add);
        usedUp.addAll(kept.usedUp());
        for (PlaceRecord place : kept.places()) {
            if (place.until().isAfter(kept.room().at())) {
                live.put(new Live(place.visitor(), place.place(), place.until().toEpochMilli(), place.usedUp()));
            }
            if (place.usedUp()) {
                usedUp.add(place.place());
            }
        }
    }

    void beginAnew() {
        live.clear();
        usedUp.clear();
        revoked.clear();
    }

    /** The visitor's pass, if it lives; a revoked visitor's too. */
    @Nullable
    Live pass(VisitorId visitor) {
        return live.find(visitor);
    }

    boolean isRevoked(VisitorId visitor) {
        return revoked.contains(visitor);
    }

    /** Whether the ticket is good, and its visitor has no pass. */
    boolean waits(VisitorId visitor, long place) {
        return live.find(visitor) == null && !usedUp.contains(place) && !revoked.contains(visitor);
    }

    /** Whether a visitor of this place may wait, whose id is not known. */
    boolean waits(long place) {
        return !usedUp.contains(place) && !live.holds(place);
    }

    /**
     * Lets a pass live until then at least.
     *
     * @param taken whether its visitor has shown it, which uses up the ticket
     * @return its end
     */
    Instant extend(Live pass, Instant until, boolean taken) {
        Live longer = new Live(pass.visitor(), pass.place(), Math.max(pass.until(), until.toEpochMilli()),
                pass.taken() || taken);
        Instant end = Instant.ofEpochMilli(longer.until());
        live.put(longer);
        if (longer.taken()) {
            usedUp.add(longer.place());
        }
        pending.place(new PlaceRecord(longer.place(), longer.visitor(), end, longer.taken()));
        return end;
    }

    /** Ends a visitor's pass and uses up the ticket, whether there is a pass or not. */
    void end(VisitorId visitor, long place, Instant at) {
        live.remove(visitor);
        usedUp.add(place);
        pending.place(new PlaceRecord(place, visitor, at, true));
    }

    boolean isUsedUp(long place) {
        return usedUp.contains(place);
    }

    /** Voids all tokens of a visitor until then, and as long as the pass would have lived that the visitor had. */
    void revoke(VisitorId visitor, Instant until, @Nullable Live pass) {
        Instant end = pass == null ? Instant.MIN : Instant.ofEpochMilli(pass.until());
        pending.revoked(visitor, revoked.add(visitor, end.isAfter(until) ? end : until));
    }

    /** Forgets revocations of tokens that have expired. */
    void expireRevocations(Instant now) {
        revoked.expire(now);
    }

    Map<VisitorId, Instant> revoked() {
        return revoked.all();
    }
}
