package dev.orderly.room.store;

import dev.orderly.room.Limits;
import dev.orderly.room.SlowdownReason;
import java.time.Instant;

/**
 * A step of a room's governor.
 *
 * @param leaseUntil no other gate governs until this moment
 * @param limits the limits in force from now on
 * @param slowed why they are tighter than the limits set
 * @param door the wanted number of present visitors at the door: places are called until it is reached, past the places
 *     of absent visitors
 * @param horizon gates report visitors with places up to this one; never goes back
 * @param forgetBefore tickets used up before this moment have expired: their records may be deleted
 * @param tiers the shares of the lines; {@link TierShares#NONE} leaves them as they are
 */
public record GovernorStep(GateId governor, Instant leaseUntil, Limits limits, SlowdownReason slowed, int door,
        long horizon, Instant forgetBefore, TierShares tiers) {
    /** A step in a room without tiers. */
    public GovernorStep(GateId governor, Instant leaseUntil, Limits limits, SlowdownReason slowed, int door,
            long horizon, Instant forgetBefore) {
        this(governor, leaseUntil, limits, slowed, door, horizon, forgetBefore, TierShares.NONE);
    }
}
