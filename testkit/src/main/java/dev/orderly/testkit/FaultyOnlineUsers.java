package dev.orderly.testkit;

import dev.orderly.job.store.NodeId;
import dev.orderly.live.OnlineUserStore;
import dev.orderly.testkit.FaultyStore.Call;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.util.Set;

/** The presence port of a {@link FaultyStore}. */
record FaultyOnlineUsers(OnlineUserStore presence, FaultyStore faults) implements OnlineUserStore {
    @Override
    public Noted note(NodeId node, Set<UserId> came, Set<UserId> left) {
        return faults.call(Call.PRESENCE_NOTE, () -> presence.note(node, came, left));
    }

    @Override
    public Beat beat(NodeId node, Duration deadAfter) {
        return faults.call(Call.PRESENCE_BEAT, () -> presence.beat(node, deadAfter));
    }

    @Override
    public Set<UserId> leave(NodeId node) {
        return faults.call(Call.PRESENCE_LEAVE, () -> presence.leave(node));
    }

    @Override
    public Set<UserId> elsewhere(NodeId node, Set<UserId> users) {
        return faults.call(Call.PRESENCE_ELSEWHERE, () -> presence.elsewhere(node, users));
    }
}
