package dev.orderly.room.store;

import java.time.Instant;

/** What became of a {@link AdmissionRequest}. */
public sealed interface AdmissionResult {
    /**
     * The visitor is in. Claiming again while the pass lives gives the same: taking a pass that was taken before puts
     * its end off no further.
     *
     * @param until when the pass ends, unless it is renewed
     */
    record Entered(Instant until) implements AdmissionResult {}

    /**
     * Not yet.
     *
     * @param called whether the place was called
     * @param before present visitors with lower places, counted up to a thousand
     */
    record Waits(boolean called, int before) implements AdmissionResult {}

    /** The ticket is used up, given back, revoked or of another epoch: the visitor has to join anew. */
    record Spent() implements AdmissionResult {}
}
