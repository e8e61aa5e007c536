package dev.orderly.live;

import dev.orderly.job.NodeId;
import dev.orderly.job.store.NodeLiveness;
import dev.orderly.store.StoreException;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.util.Set;

/**
 * Which users are connected to which nodes. A user is online while connected to any node.
 *
 * <p>All methods block, are atomic, and throw {@link StoreException}: either nothing was done, or the outcome is not
 * known. Both are safe to repeat, but a change whose answer was lost is not answered again. Thread-safe. Nothing here
 * is durable: after a crash of the store all users are offline until the nodes have reported them again.
 */
public interface OnlineUserStore {
    /**
     * Records users as connected to a node, or as no longer connected. A user whose state is that already changes
     * nothing.
     *
     * @param came users now connected, at most 10,000; no user is in both sets
     * @param left users no longer connected
     */
    Noted note(NodeId node, Set<UserId> came, Set<UserId> left);

    /**
     * Records a heartbeat of a node, which makes the node known, and forgets dead nodes. Heartbeats are stamped and
     * compared by the store's own clock, by the rule of {@link NodeLiveness}.
     *
     * @param deadAfter a node whose last heartbeat is older is dead
     */
    Beat beat(NodeId node, Duration deadAfter);

    /** Forgets a node that stops. Returns the users who are offline by that; none if the node was not known. */
    Set<UserId> leave(NodeId node);

    /** The users among these who are connected to a node other than this one. */
    Set<UserId> elsewhere(NodeId node, Set<UserId> users);

    /**
     * The answer to {@link #note}.
     *
     * @param known false if the node has sent no heartbeat, or was forgotten since: then nothing was recorded
     * @param changed the users who came online, or went offline, by this call
     */
    record Noted(boolean known, Set<UserId> changed) {
        public Noted {
            changed = Set.copyOf(changed);
        }
    }

    /**
     * The answer to {@link #beat}.
     *
     * @param known false if the node was not known before: no user is recorded as connected to it
     * @param offline users who are offline because their nodes died
     */
    record Beat(boolean known, Set<UserId> offline) {
        public Beat {
            offline = Set.copyOf(offline);
        }
    }
}
