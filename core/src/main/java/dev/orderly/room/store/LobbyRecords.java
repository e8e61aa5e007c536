package dev.orderly.room.store;

import dev.orderly.room.RoomName;
import java.time.Instant;
import java.util.List;

/** The tickets of lobbies with a draw: a leaf for each, by the number of the ticket. It has the
 * id of the ticket and its nonce, 16 bytes each, so that every copy of a ticket has the receipt of what counts. */
public interface LobbyRecords {
    /**
     * Another leaf for a ticket of a lobby that is not closed.
     *
     * @param place the number of the ticket
     * @param leaf 64 hexadecimal digits
     */
    record NewLeaf(long epoch, long place, String leaf) {}

    /**
     * Replaces leaves. A repeated request has the same answer while the lobby is open.
     *
     * @return for each whether it is stored: false if the lobby is closed, or the ticket is of another epoch or lobby
     */
    List<Boolean> replaceLeaves(RoomName room, List<NewLeaf> leaves, Instant now);

    /**
     * The leaves of consecutive tickets of the room's current epoch, 32 bytes each. Shorter behind the last ticket of a
     * lobby.
     *
     * @param from the number of the first ticket
     * @param most number of tickets at which the answer ends
     */
    byte[] leaves(RoomName room, long from, int most, Instant now);
}
