package dev.orderly.testkit.contract;

import dev.orderly.room.RoomName;
import dev.orderly.room.VisitorId;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.MoveRequest;
import dev.orderly.room.store.RoomStore;
import dev.orderly.room.store.UserJoin;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Joins of users with one place each, with a planted bug. */
final class BuggyUsers {
    private final RoomStore rooms;
    private final RoomBug bug;
    /** The first answers to users. */
    private final Map<VisitorId, JoinResult.Shared> given = new HashMap<>();
    private final Set<VisitorId> moved = new HashSet<>();
    private boolean restarted;

    BuggyUsers(RoomStore rooms, RoomBug bug) {
        this.rooms = rooms;
        this.bug = bug;
    }

    void restarted() {
        restarted = true;
    }

    void moved(List<MoveRequest> moves, List<Boolean> done) {
        for (int n = 0; n < moves.size(); n++) {
            if (done.get(n)) {
                moved.add(moves.get(n).visitor());
            }
        }
    }

    List<JoinResult> join(RoomName room, List<JoinRequest> joins, Instant now) {
        List<JoinResult> results = new ArrayList<>();
        Set<VisitorId> ofBatch = new HashSet<>();
        for (JoinRequest join : joins) {
            UserJoin user = join.user();
            boolean again = user != null && !ofBatch.add(user.user());
            results.add(user == null || (again && bug == RoomBug.LOOKS_UP_USERS_BEFORE_A_CALL)
                    ? plain(room, join, now)
                    : join(room, join, user, now));
        }
        return results;
    }

    private JoinResult join(RoomName room, JoinRequest join, UserJoin user, Instant now) {
        JoinResult.Shared first = given.get(user.user());
        boolean inside = first != null && rooms.find(room, first.visitor(), now).pass() != null;
        boolean departed = first != null && rooms.find(room, first.visitor(), now).voidUntil() != null;
        boolean another = switch (bug) {
            case GIVES_EACH_DEVICE_A_PLACE -> true;
            case LOSES_USERS_WHOSE_PLACE_MOVED -> first != null && moved.contains(first.visitor());
            case GIVES_USERS_INSIDE_ANOTHER_PLACE -> inside;
            case FORGETS_USERS_AT_A_RESTART -> restarted;
            default -> false;
        };
        if (another) {
            return plain(room, join, now);
        }
        boolean kept = first != null && switch (bug) {
            case KEEPS_USERS_WHO_DEPARTED -> departed && !moved.contains(first.visitor());
            case LOCKS_USERS_OUT_AFTER_THEIR_STAY -> !inside && rooms.use(room, first.place(), now).usedUp();
            default -> false;
        };
        if (first != null && kept) {
            return first;
        }
        JoinResult result = rooms.join(room, List.of(join), now).getFirst();
        if (result instanceof JoinResult.Shared shared) {
            return bug == RoomBug.MOVES_SECOND_DEVICES_BACKWARDS
                    ? new JoinResult.Shared(shared.epoch(), plain(room, join, now).place(), shared.visitor(),
                            shared.ahead(), shared.until())
                    : shared;
        }
        given.put(user.user(), new JoinResult.Shared(result.epoch(), result.place(), join.visitor(), 0, user.until()));
        return result;
    }

    /** A place as in a room whose users may have several. */
    private JoinResult plain(RoomName room, JoinRequest join, Instant now) {
        return rooms.join(room, List.of(new JoinRequest(join.visitor(), join.presentUntil(), join.passUntil(),
                join.leaf(), join.tier(), join.invitation())), now).getFirst();
    }
}
