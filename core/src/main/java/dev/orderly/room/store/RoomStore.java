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
 * The port of a store of rooms: lines, passes and present visitors. Each call concerns one room; visitors come in
 * batches, so that many of them cost one trip.
 *
 * <p>A room begins to exist with the first call about it, except a call without items: in epoch 1, empty, in mode
 * {@link RoomMode#AUTO}, with limits {@link Limits#CLOSED} until its first governor step.
 *
 * <p>When a call returns, these are as durable as the store's other data: places issued, the cursor, live passes,
 * used-up tickets, and changes by operators. A restart of the owning process, or a crash of the server, may lose the
 * rest: present visitors, the limits in force, the governor's lease, and the counts in {@link RoomState.Pace}. In every
 * answer, at every moment and over all gates:
 * <ul>
 * <li>a place is issued once, in order, and the cursor never passes the last issued place;
 * <li>at most {@link Limits#capacity} places inside are taken: by live passes, and by passes that ended after the last
 * report of a gate whose {@link GateLease} still covers them;
 * <li>at most {@link Limits#rate} admissions are given in any span of its period;
 * <li>a visitor is admitted only if fewer present visitors with lower places wait than admissions are free.
 * </ul>
 * Lowering a limit ends no pass. Admissions by {@link RoomChange.Admit} are not bound by the rate, and
 * {@link AdmissionRequest.Kind#RECORDED} by no limit: it is always recorded.
 *
 * <p>{@code now} comes from one steady clock per process that never goes backwards. All methods block, answer in the
 * order of their list, and throw {@link StoreException.Unavailable} if nothing was done, or {@link
 * StoreException.OutcomeUnknown} if the outcome is unknown: repeating the call is then safe, and wastes at most the
 * places of a repeated join. Thread-safe.
 */
public interface RoomStore extends VisitorRecords, LobbyRecords {
    /**
     * Whether gates of several processes may use the store. A gate of a shared store may be cut off while others are
     * not, so it then admits no visitor by itself, and continues passes only as long as its {@link GateLease} allows.
     */
    default boolean isShared() {
        return true;
    }

    /**
     * Issues places, in list order, and admits visitors for whom an admission is free. A place by an invitation is
     * issued once, and not to a visitor whose former place is called, has a pass, or is of the same line. A user of a
     * request has one place at most, over all gates; the commit that ends the place lets the user take another.
     */
    List<JoinResult> join(RoomName room, List<JoinRequest> joins, Instant now);

    /**
     * Records visitors as present, and admits those for whom an admission is free. Within one call, lower places are
     * served first.
     */
    List<AdmissionResult> admit(RoomName room, List<AdmissionRequest> requests, Instant now);

    /**
     * Renews passes, and uses up their tickets. An ended pass may be revived if the request says so, its place in line
     * was issued, and its place inside is still kept or another is free.
     *
     * @return for each request whether the pass is live: false if it had ended and was not revived, or was revoked
     */
    List<Boolean> renew(RoomName room, List<RenewalRequest> renewals, Instant now);

    /**
     * Gives places of waiting visitors to other visitor ids. All tokens of the former id are void from then on, in the
     * store at once and at every gate with its next report. The place, its presence and a pass that was not taken
     * yet stay as they are. A repeated request gets the same answer.
     *
     * @return for each request whether the place belongs to the new id: false if the ticket is used up, given back,
     *     void, moved to a third id, or of another epoch, if the new id is in use, or if the room remembers
     *     {@link MoveRequest#MOST} moves
     */
    List<Boolean> move(RoomName room, List<MoveRequest> moves, Instant now);

    /**
     * Ends passes and voids tickets, also of unknown visitors; their places inside are free at once. The tokens stay
     * void at least until the latest moment given for the visitor, and as long as the visitor's pass would have lived.
     * A departure of a visitor whose place was moved leaves the place as it is.
     */
    void depart(RoomName room, List<Departure> departures, Instant now);

    /** Takes over a gate's report of present visitors, and returns the room's state. */
    RoomState sync(RoomName room, GateReport report, Instant now);

    /**
     * Makes a governor step. The cursor moves just so far that {@link GovernorStep#door} present visitors are called,
     * and never beyond the lowest covered place of all gates.
     *
     * @return the room after the step; empty if another gate holds the lease, and nothing was changed
     */
    Optional<RoomState> govern(RoomName room, GovernorStep step, Instant now);

    /** Applies a change by an operator, and returns the room after it. */
    RoomState change(RoomName room, RoomChange change, Instant now);

    /** All rooms that exist, by name. */
    List<RoomState> rooms(Instant now);
}
