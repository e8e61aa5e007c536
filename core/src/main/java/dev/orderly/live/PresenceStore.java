package dev.orderly.live;

import dev.orderly.job.Liveness;
import dev.orderly.job.NodeId;
import dev.orderly.store.StoreException;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.util.Set;

/**
 * Which users are connected to which nodes. A user is online while connected to any.
 *
 * <p>All methods block, are atomic, and throw {@link StoreException}: nothing was done, or it is not known. Repeating is
 * safe then, but a change whose answer was lost is not answered again. Thread-safe. Nothing here is durable: after a
 * crash of the store nobody is online until the nodes have told it again.
 */
public interface PresenceStore {
    /**
     * Notes of users that they are connected to a node now, or not any more. What is so already changes nothing.
     *
     * @param came at most 10,000; in neither set twice
     */
    Noted note(NodeId node, Set<UserId> came, Set<UserId> left);

    /**
     * Says that a node lives, which makes it known, and forgets the nodes that do not: stamped and judged by the store's
     * own clock, by the rule of {@link Liveness}.
     *
     * @param deadAfter nodes that have not beaten for longer are dead
     */
    Beat beat(NodeId node, Duration deadAfter);

    /** Forgets a node that stops. The users who are offline by that; none if it was not known. */
    Set<UserId> leave(NodeId node);

    /** Those of these users who are connected to another node than this one. */
    Set<UserId> elsewhere(NodeId node, Set<UserId> users);

    /**
     * What became of a note.
     *
     * @param known false if the node did not beat, or was forgotten since: then nothing was noted
     * @param changed the users who came online, or went offline, by this
     */
    record Noted(boolean known, Set<UserId> changed) {
        public Noted {
            changed = Set.copyOf(changed);
        }
    }

    /**
     * The answer to a beat.
     *
     * @param known false if the node is known from now on only: nobody is noted as connected to it
     * @param offline users who are offline because their nodes died
     */
    record Beat(boolean known, Set<UserId> offline) {
        public Beat {
            offline = Set.copyOf(offline);
        }
    }
}
