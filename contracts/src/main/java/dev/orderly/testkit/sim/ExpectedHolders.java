package dev.orderly.testkit.sim;

import dev.orderly.room.Tiers;
import dev.orderly.room.VisitorId;
import dev.orderly.room.invitation.InvitationId;
import dev.orderly.room.invitation.InvitationRefusal;
import dev.orderly.room.store.InvitationUse;
import dev.orderly.room.store.InvitationUse.Former;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.UserJoin;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Who has which place by the answers to joins: users with one place each, and invitations that give one. */
final class ExpectedHolders {
    private final Referee referee;
    private final boolean drawn;
    private final Map<VisitorId, Former> users = new HashMap<>();
    private final Map<InvitationId, Former> uses = new HashMap<>();
    private final Set<Long> revoked = new HashSet<>();
    private final Map<String, Integer> lines = new HashMap<>();
    /** The last place that is known to be called, of each line. */
    private final Map<Integer, Long> called = new HashMap<>();

    /** @param drawn whether places are drawn: then the number of a ticket is not its place */
    ExpectedHolders(Referee referee, boolean drawn) {
        this.referee = referee;
        this.drawn = drawn;
    }

    void beginEpoch() {
        users.clear();
        uses.clear();
        revoked.clear();
        lines.clear();
        called.clear();
    }

    // ---- what the store answered

    void joined(JoinRequest join, JoinResult result) {
        switch (result) {
            case JoinResult.Shared shared -> shares(Objects.requireNonNull(join.user()), shared);
            case JoinResult.Uninvited(_, InvitationRefusal why) -> refused(Objects.requireNonNull(join.invitation()),
                    join, why);
            case JoinResult.Placed _,JoinResult.Entered _ -> placed(join, result);
        }
    }

    private void placed(JoinRequest join, JoinResult result) {
        InvitationUse use = join.invitation();
        Former given = use == null ? null : uses.get(use.invitation());
        if (given != null && given.place() == result.place()) {
            check(given.visitor().high() == join.visitor().high(), "Another visitor got place " + given.place());
            return;
        }
        referee.joined(result.epoch(), result.place());
        Former now = new Former(join.visitor(), result.place());
        if (use != null) {
            check(given == null, "Places " + (given == null ? 0 : given.place()) + " and " + result.place()
                    + " are by one invitation");
            redeemed(use, join, now);
        }
        UserJoin user = join.user();
        Former before = user == null ? null : users.put(user.user(), now);
        if (before != null) {
            check(!holds(before), "A user of place " + before.place() + " got place " + now.place());
            referee.movedOn(before.visitor(), before.place());
        }
    }

    private void redeemed(InvitationUse use, JoinRequest join, Former now) {
        int line = Tiers.line(now.place());
        check(!revoked.contains(use.invitation().series()), "A revoked invitation gave place " + now.place());
        check(line > 0 && lines.computeIfAbsent(Objects.requireNonNull(join.tier()), _ -> line) == line,
                "An invitation to " + join.tier() + " gave place " + now.place());
        uses.put(use.invitation(), now);
        Former former = former(use, join);
        if (former != null && holds(former)) {
            check(!isSooner(former, line), "Place " + former.place() + " was sooner than " + now.place());
            referee.movedOn(former.visitor(), former.place());
        }
    }

    private void shares(UserJoin user, JoinResult.Shared shared) {
        Former known = users.get(user.user());
        check(known != null && known.equals(new Former(shared.visitor(), shared.place())),
                "A user shares place " + shared.place() + ", and has " + (known == null ? "none" : known.place()));
    }

    private void refused(InvitationUse use, JoinRequest join, @Nullable InvitationRefusal why) {
        Former former = former(use, join);
        boolean right = why == null || switch (why) {
            case USED -> uses.containsKey(use.invitation());
            case REVOKED -> revoked.contains(use.invitation().series());
            case SOONER -> drawn || (former != null && isSooner(former, lines.getOrDefault(join.tier(), 0)));
            default -> true;
        };
        check(right, "An invitation was refused as " + why + " to the visitor of "
                + (former == null ? "no place" : "place " + former.place()));
    }

    private @Nullable Former former(InvitationUse use, JoinRequest join) {
        UserJoin user = join.user();
        Former known = user == null ? null : users.get(user.user());
        return known != null && holds(known) ? known : use.former();
    }

    /** Whether the place is called, its visitor has a pass, or it is in the line. */
    private boolean isSooner(Former former, int line) {
        return referee.isInside(former.visitor()) || Tiers.line(former.place()) == line
                || (!drawn && former.place() <= called.getOrDefault(Tiers.line(former.place()), 0L));
    }

    private boolean holds(Former former) {
        return referee.mayStand(former.visitor()) || referee.lives(former.visitor());
    }

    /** A visitor or a series of invitations was revoked. */
    void departed(VisitorId id) {
        if (id.equals(InvitationId.revocation(id.high()))) {
            revoked.add(id.high());
        }
    }

    void called(long place) {
        called.merge(Tiers.line(place), place, Math::max);
    }

    // ---- what visitors were told

    /** A device of a user without a ticket got one. */
    void told(VisitorId user, VisitorId visitor) {
        Former known = users.get(user);
        check(referee.isSpent(visitor) || (known != null && known.visitor().equals(visitor)),
                "A device has a place of its own, and its user has " + (known == null ? "none" : known.place()));
    }

    private void check(boolean kept, String broken) {
        referee.check(kept, broken);
    }
}
