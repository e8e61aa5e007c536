package dev.orderly.room.gate;

import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.RoomState;
import dev.orderly.room.VisitorId;
import dev.orderly.room.invitation.InvitationId;
import dev.orderly.room.store.RoomChange;
import dev.orderly.store.StoreException;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/**
 * The rooms of an application, from {@link dev.orderly.Orderly#rooms}. Declare them, then {@link #start}; a room
 * proceeds by itself once a second, with or without requests. Thread-safe.
 */
public sealed interface Rooms extends AutoCloseable permits RoomEngine {
    /**
     * Declares a room on this node. Blocks; once the rooms have started, until the room has had its first round.
     *
     * @throws StoreException if the store cannot report the room's state
     * @throws IllegalStateException if the room was declared before: declare it once
     */
    Room declare(RoomName name, RoomOptions options);

    /**
     * Declares a room that slows while work caused by visitors is late, as {@link #declare(RoomName, RoomOptions)}.
     *
     * @param backlog read once a second: 1 while that work is done in time, falling to 0 as it takes twice as long. May
     *     block, and may fail with any exception: the last value then counts for a minute, and after that no visitor is
     *     slowed
     */
    Room declare(RoomName name, RoomOptions options, DoubleSupplier backlog);

    /** Starts the rounds. Blocks until each room has had its first round. */
    void start();

    /** The rooms declared here, by name. */
    List<Room> rooms();

    /** The room of that name, if it is declared here. */
    Optional<Room> find(RoomName name);

    /**
     * Applies a change by an operator. Blocks; takes effect on this node at once, on others within a second.
     *
     * @throws StoreException if the store cannot apply it
     */
    RoomState change(RoomName name, RoomChange change);

    /**
     * Revokes a visitor: ends the stay, or voids the ticket. Blocks; takes effect like {@link #change}.
     *
     * @throws IllegalArgumentException if the room is not declared here
     * @throws StoreException if the store cannot apply it
     */
    void revoke(RoomName name, VisitorId visitor);

    /**
     * Revokes all invitations of a series that were not used. Blocks; takes effect like {@link #change}.
     *
     * @param series see {@link InvitationId}
     * @throws IllegalArgumentException if the room is not declared here
     * @throws StoreException if the store cannot apply it
     */
    void revokeInvitations(RoomName name, long series);

    /**
     * What keeps a visitor from entering, and what is known of the visitor's history, by all nodes. Blocks, for other
     * nodes up to two seconds; changes nothing: the visitor does not count as present by it. A ticket is verified here,
     * and the store is not asked for it.
     *
     * @throws IllegalArgumentException if the room is not declared here
     * @throws StoreException if the store does not answer
     */
    VisitorDiagnosis diagnose(RoomName name, VisitorQuery query);

    /**
     * The states of all rooms of the store, declared here or not. Blocks.
     *
     * @throws StoreException if the store does not answer
     */
    List<RoomState> states();

    /**
     * Stops the rounds, answers pending requests, and reports to the store that this node stops. Blocks. Idempotent;
     * passes and places stay good. Close what serves the visitors first.
     */
    @Override
    void close();
}
