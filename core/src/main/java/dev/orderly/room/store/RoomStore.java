package dev.orderly.room.store;

import dev.orderly.room.Limits;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.store.StoreException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Keeps the rooms: lines, live passes, and what is known of who is present. Each call is about
 * one room; visitors come in batches, so that many of them cost one trip.
 *
 * <p>A room begins to exist with the first call about it, an empty batch apart: in epoch 1, empty, in mode {@link RoomMode#AUTO}, with
 * limits {@link Limits#CLOSED} until it is governed for the first time.
 *
 * <p>As durable as the store's other data when answered: places issued, the cursor, live passes, tickets used up, what
 * operators did. A restart of the owning process, or a crash of the server, may forget the rest: who is present, the
 * limits, who governs, and the counts in {@link RoomState.Pace}. In every answer, at every moment and over all gates:
 * <ul>
 * <li>a place is issued once, in order, and the cursor never passes the last one issued;
 * <li>no more places inside are taken than {@link Limits#capacity} says, by passes that live, and by passes that have
 * ended since a gate was heard of last and as long as its {@link GateLease} lasts, and no more passes are given in any span of
 * a {@link Limits#rate}'s period, except that lowering a limit ends no pass, and that {@link AdmissionRequest.Kind#LET_IN} is always
 * recorded;
 * <li>nobody is let in unless fewer present visitors with lower places stand before them than admissions are free.
 * </ul>
 *
 * <p>{@code now} comes from one steady clock per process that never goes backwards. All methods block, answer in the
 * order of their list, and throw {@link StoreException.Unavailable} when nothing was done, or {@link
 * StoreException.OutcomeUnknown} when it is not known: repeating is safe then, and costs a place at most. Thread-safe.
 */
public interface RoomStore {
    /**
     * Whether gates of several processes may use the store: one of them may be cut off from it while others are not, so it
     * lets nobody in by itself then, and lets passes go on no longer than its {@link GateLease} says.
     */
    default boolean isShared() {
        return true;
    }

    /** Issues places, in list order. */
    List<JoinResult> join(RoomName room, List<JoinRequest> joins, Instant now);

    /** Notes who stands at the door, and lets in who may. Of one call the lower places go first. */
    List<AdmissionResult> admit(RoomName room, List<AdmissionRequest> claims, Instant now);

    /**
     * Lets passes live longer, and uses up the tickets they were given for. A pass that has ended may live
     * again if its place in the line was issued, and its place inside is still kept or another one is free.
     *
     * @return for each whether the pass lives: not if it had ended, or was revoked
     */
    List<Boolean> renew(RoomName room, List<RenewalRequest> renewals, Instant now);

    /**
     * Ends passes and voids tickets; what they held is free at once. Of visitors nobody has heard of, too. They are void
     * at least until the latest of all moments named for the visitor, and as long as the pass they had would have lived.
     */
    void depart(RoomName room, List<Departure> departures, Instant now);

    /** Takes a gate's word on who is present, and tells it how the room stands. */
    RoomState sync(RoomName room, GateReport report, Instant now);

    /**
     * Does a governor's step. The cursor moves just so far that {@link GovernorStep#door} present visitors are called, and
     * never behind the least covered place.
     *
     * @return the room after it; empty if another governor holds the lease, then nothing was done
     */
    Optional<RoomState> govern(RoomName room, GovernorStep step, Instant now);

    RoomState change(RoomName room, RoomChange change, Instant now);

    /** All rooms that exist, by name. */
    List<RoomState> rooms(Instant now);
}
