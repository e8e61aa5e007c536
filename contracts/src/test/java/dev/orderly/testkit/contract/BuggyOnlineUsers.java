package dev.orderly.testkit.contract;

import dev.orderly.job.NodeId;
import dev.orderly.live.OnlineUserStore;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.time.Time;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The presence of a memory store behind a decorator with a planted bug. */
final class BuggyOnlineUsers extends BuggedStore implements OnlineUserStore {
    /** The planted bugs. */
    enum Defect {
        NONE,
        USES_THE_WALL_CLOCK,
        HIDES_DEATHS
    }

    private final OnlineUserStore presence;
    private final Defect bug;
    private final Time clock;
    /** The last heartbeats of nodes, by the wall clock. */
    private final Map<NodeId, Instant> beats = new HashMap<>();

    BuggyOnlineUsers(Time clock, Defect bug) {
        this(new MemoryStore(clock), clock, bug);
    }

    private BuggyOnlineUsers(MemoryStore store, Time clock, Defect bug) {
        super(store, bug);
        this.presence = store.presence();
        this.clock = clock;
        this.bug = bug;
    }

    @Override
    public Noted note(NodeId node, Set<UserId> came, Set<UserId> left) {
        return presence.note(node, came, left);
    }

    @Override
    public Beat beat(NodeId node, Duration deadAfter) {
        Set<UserId> offline = new HashSet<>();
        if (bug == Defect.USES_THE_WALL_CLOCK) {
            Instant deadBefore = clock.now().minus(deadAfter);
            List.copyOf(beats.keySet()).stream()
                    .filter(each -> beats.getOrDefault(each, deadBefore).isBefore(deadBefore))
                    .forEach(each -> offline.addAll(presence.leave(each)));
        }
        beats.put(node, clock.now());
        Beat beat = presence.beat(node, deadAfter);
        if (bug == Defect.HIDES_DEATHS) {
            return new Beat(beat.known(), Set.of());
        }
        offline.addAll(beat.offline());
        return new Beat(beat.known(), offline);
    }

    @Override
    public Set<UserId> leave(NodeId node) {
        return presence.leave(node);
    }

    @Override
    public Set<UserId> elsewhere(NodeId node, Set<UserId> users) {
        return presence.elsewhere(node, users);
    }

    @Override
    public OnlineUserStore presence() {
        return this;
    }
}
