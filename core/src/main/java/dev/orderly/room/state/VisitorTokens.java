package dev.orderly.room.state;

import dev.orderly.room.VisitorId;
import dev.orderly.room.state.LivePasses.Live;
import dev.orderly.room.state.RoomStateMachine.Snapshot;
import dev.orderly.room.store.InvitationUse;
import dev.orderly.room.store.MoveRequest;
import dev.orderly.room.store.UserJoin;
import dev.orderly.room.store.UserPlace;
import dev.orderly.room.store.VisitorRecord;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The tickets and passes of one epoch that count: live passes, places whose tickets are used up, visitors whose tokens
 * are void, and users with one place each. Not thread-safe.
 */
final class VisitorTokens {
    private final LivePasses live;
    private final PendingChanges pending;
    private final PlaceSet usedUp = new PlaceSet();
    private final RevokedVisitors revoked = new RevokedVisitors();
    private final UserPlaces users;

    VisitorTokens(LivePasses live, PendingChanges pending) {
        this.live = live;
        this.pending = pending;
        this.users = new UserPlaces(live, pending);
    }

    /** Takes over the stored state of a room. */
    void restore(Snapshot snapshot) {
        snapshot.revoked().forEach(revoked::add);
        users.restore(snapshot.users());
        usedUp.addAll(snapshot.usedUp());
        for (PlaceRecord place : snapshot.places()) {
            if (place.until().isAfter(snapshot.room().at())) {
                live.put(new Live(place.visitor(), place.place(), place.until().toEpochMilli(), place.usedUp()));
            }
            if (place.usedUp()) {
                usedUp.add(place.place());
            }
        }
    }

    void beginEpoch() {
        live.clear();
        usedUp.clear();
        revoked.clear();
        users.clear();
    }

    /** The visitor's live pass, null for none; also of a revoked visitor. */
    @Nullable
    Live pass(VisitorId visitor) {
        return live.find(visitor);
    }

    boolean isRevoked(VisitorId visitor) {
        return revoked.contains(visitor);
    }

    /** Whether the ticket is good and its visitor has no pass. */
    boolean waits(VisitorId visitor, long place) {
        return live.find(visitor) == null && !usedUp.contains(place) && !revoked.contains(visitor);
    }

    /** Whether the visitor of this place, whose id is unknown, may be waiting. */
    boolean waits(long place) {
        return !usedUp.contains(place) && !live.holds(place);
    }

    /**
     * Extends a pass until then at least.
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
            users.entered(longer.visitor());
        }
        pending.place(new PlaceRecord(longer.place(), longer.visitor(), end, longer.taken()));
        return end;
    }

    /** Ends the visitor's pass, if any, and uses up the ticket. */
    void end(VisitorId visitor, long place, Instant at) {
        live.remove(visitor);
        usedUp.add(place);
        pending.place(new PlaceRecord(place, visitor, at, true));
    }

    /**
     * Gives the place of a visitor without a taken pass to another visitor, with the pass that was not taken yet.
     *
     * @return whether the place belongs to the other visitor
     */
    boolean move(MoveRequest move) {
        VisitorId visitor = move.visitor();
        VisitorId to = move.to();
        if (isRevoked(visitor)) {
            return to.equals(revoked.movedTo(visitor));
        }
        if (usedUp.contains(move.place()) || to.equals(visitor) || isRevoked(to) || live.keepsFor(to)
                || !remembersMoves()) {
            return false;
        }
        Live pass = live.rename(visitor, to);
        Instant end = pass == null ? Instant.MIN : Instant.ofEpochMilli(pass.until());
        if (pass != null) {
            pending.place(new PlaceRecord(pass.place(), to, end, false));
        }
        users.moved(visitor, to);
        Instant until = end.isAfter(move.voidUntil()) ? end : move.voidUntil();
        pending.revoked(visitor, new Revocation(revoked.add(visitor, new Revocation(until, to)), to));
        return true;
    }

    /** The place that a user has; null for none. */
    @Nullable
    UserPlace placeOf(UserJoin user, Instant now) {
        return users.of(user, now);
    }

    /** Records the place of a user. The place before it has ended for good: its passes are void. */
    void give(UserJoin user, UserPlace place) {
        UserPlace before = users.put(user.user(), place);
        if (before != null) {
            revoke(before.visitor(), user.voidUntil(), null);
        }
    }

    /** Ends the place of a visitor who has it for a user: the tickets of all devices are void until they end. */
    void departed(VisitorId visitor, Instant voidUntil, Instant now) {
        UserPlace place = users.departed(visitor, now);
        if (place != null) {
            revoke(visitor, place.until().isAfter(voidUntil) ? place.until() : voidUntil, null);
        }
    }

    VisitorRecord find(VisitorId visitor) {
        Live pass = live.find(visitor);
        return new VisitorRecord(pass == null
                ? null
                : new VisitorRecord.LivePass(pass.place(), Instant.ofEpochMilli(pass.until()), pass.taken()),
                revoked.until(visitor), revoked.movedTo(visitor));
    }

    /** Records the use of an invitation until its end. */
    void use(InvitationUse use, VisitorId kept) {
        VisitorId id = use.invitation().use();
        pending.revoked(id, new Revocation(revoked.add(id, new Revocation(use.until(), kept)), kept));
    }

    /** Whether a further move or use of an invitation can be remembered. */
    boolean remembersMoves() {
        return revoked.moves() < MoveRequest.MOST;
    }

    /** The visitor who has the place of this visitor now; null if it was not moved. */
    @Nullable
    VisitorId movedTo(VisitorId visitor) {
        return revoked.movedTo(visitor);
    }

    /** Whether another visitor has the place of this visitor now. */
    boolean isMoved(VisitorId visitor) {
        return revoked.movedTo(visitor) != null;
    }

    boolean isUsedUp(long place) {
        return usedUp.contains(place);
    }

    /** Voids all tokens of a visitor until then, and at least as long as the visitor's pass would have lived. */
    void revoke(VisitorId visitor, Instant until, @Nullable Live pass) {
        Instant end = pass == null ? Instant.MIN : Instant.ofEpochMilli(pass.until());
        pending.revoked(visitor, new Revocation(revoked.add(visitor, end.isAfter(until) ? end : until),
                revoked.movedTo(visitor)));
    }

    /** Forgets revocations of tokens that have expired, and the ended places of users. */
    void expire(Instant now) {
        revoked.expire(now);
        users.expire(now);
    }

    Map<VisitorId, Instant> revoked() {
        return revoked.all();
    }

    /** The revoked visitors whose places were moved. */
    Set<VisitorId> moved() {
        return revoked.moved();
    }
}
