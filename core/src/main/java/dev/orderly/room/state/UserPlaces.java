package dev.orderly.room.state;

import dev.orderly.room.VisitorId;
import dev.orderly.room.store.UserJoin;
import dev.orderly.room.store.UserPlace;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The places of users with one place each, by user and by visitor. Not thread-safe. */
final class UserPlaces {
    private final LivePasses live;
    private final PendingChanges pending;
    private final Map<VisitorId, UserPlace> places = new HashMap<>();
    private final Map<VisitorId, VisitorId> users = new HashMap<>();
    /** An entry whose user has another place by now is skipped. */
    private final PriorityQueue<End> ends = new PriorityQueue<>(Comparator.comparing(End::until));

    private record End(Instant until, VisitorId user, long place) {}

    UserPlaces(LivePasses live, PendingChanges pending) {
        this.live = live;
        this.pending = pending;
    }

    void restore(Map<VisitorId, UserPlace> stored) {
        stored.forEach(this::add);
    }

    void clear() {
        places.clear();
        users.clear();
        ends.clear();
    }

    /** The place that the user has; null for none. */
    @Nullable
    UserPlace of(UserJoin join, Instant now) {
        for (VisitorId other : join.others()) {
            UserPlace place = places.containsKey(join.user()) ? null : remove(other);
            if (place != null) {
                put(join.user(), place);
            }
        }
        UserPlace place = places.get(join.user());
        return place != null && isHeld(place, now) ? place : null;
    }

    /** A pass that has ended counts while a gate out of reach may let it go on. */
    private boolean isHeld(UserPlace place, Instant now) {
        return live.keepsFor(place.visitor()) || (!place.taken() && place.until().isAfter(now));
    }

    /** Records the place of a user. Returns the place before; null for none. */
    @Nullable
    UserPlace put(VisitorId user, UserPlace place) {
        UserPlace before = remove(user);
        add(user, place);
        pending.user(user, place);
        return before;
    }

    private void add(VisitorId user, UserPlace place) {
        places.put(user, place);
        users.put(place.visitor(), user);
        ends.add(new End(place.until(), user, place.place()));
    }

    private @Nullable UserPlace remove(VisitorId user) {
        UserPlace place = places.remove(user);
        if (place != null) {
            users.remove(place.visitor());
            pending.user(user, null);
        }
        return place;
    }

    /** Forgets the place of a visitor who departs. Returns it; null for a visitor who has it for no user. */
    @Nullable
    UserPlace departed(VisitorId visitor, Instant now) {
        VisitorId user = users.get(visitor);
        UserPlace place = user == null ? null : places.get(user);
        return user != null && place != null && isHeld(place, now) ? remove(user) : null;
    }

    /** Records that the visitor took a pass, or revived one. */
    void entered(VisitorId visitor) {
        VisitorId user = users.get(visitor);
        UserPlace place = user == null ? null : places.get(user);
        if (user != null && place != null && place.isOver()) {
            put(user, place.afterEntry());
        } else if (user != null && place != null && !place.taken()) {
            places.put(user, place.afterEntry());
            pending.user(user, place.afterEntry());
        }
    }

    void moved(VisitorId visitor, VisitorId to) {
        VisitorId user = users.remove(visitor);
        UserPlace place = user == null ? null : places.get(user);
        if (user != null && place != null) {
            places.put(user, place.movedTo(to));
            users.put(to, user);
            pending.user(user, place.movedTo(to));
        }
    }

    /**
     * Forgets places whose tickets have ended, unless their visitors are inside: late enough for a place that the user
     * takes next to void the passes of these, which may be revived.
     */
    void expire(Instant now) {
        for (End first = ends.peek(); first != null && !first.until().isAfter(now); first = ends.peek()) {
            ends.remove();
            UserPlace place = places.get(first.user());
            if (place == null || place.place() != first.place()) {
                continue;
            }
            LivePasses.Live pass = live.find(place.visitor());
            if (pass != null) {
                ends.add(new End(Instant.ofEpochMilli(pass.until()), first.user(), first.place()));
            } else if (live.keepsFor(place.visitor())) {
                ends.add(new End(now.plusMillis(1), first.user(), first.place()));
            } else if (!place.isOver()) {
                put(first.user(), place.over(now));
            } else {
                remove(first.user());
            }
        }
    }
}
