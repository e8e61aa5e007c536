package dev.orderly.room.store;

import dev.orderly.room.Limits;
import dev.orderly.room.SlowdownReason;
import java.time.Instant;

/**
 * One step of a room's governor.
 *
 * @param leaseUntil until then nobody else governs
 * @param limits what admission keeps to from now on
 * @param slowed why they are tighter than configured
 * @param door how many present visitors should stand at the door: so many are called, over the heads of the absent
 * @param horizon gates are to tell of visitors with places up to this one; never goes back
 * @param forgetBefore tickets that were used up before are expired by now: what was kept about them may go
 */
public record GovernorStep(GateId governor, Instant leaseUntil, Limits limits, SlowdownReason slowed, int door,
        long horizon,
        Instant forgetBefore) {}
