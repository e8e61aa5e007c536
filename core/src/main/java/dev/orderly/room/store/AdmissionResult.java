package dev.orderly.room.store;

import java.time.Instant;

/** The result of an {@link AdmissionRequest}. */
public sealed interface AdmissionResult {
    /**
     * The visitor is admitted. A repeated request during the pass gets the same result: taking a pass that was taken
     * before does not extend it.
     *
     * @param until when the pass ends, unless it is renewed
     */
    record Entered(Instant until) implements AdmissionResult {}

    /**
     * The visitor keeps waiting.
     *
     * @param called whether the place was called
     * @param before present visitors with lower places, counted up to a thousand
     */
    record Waits(boolean called, int before) implements AdmissionResult {}

    /** The ticket is used up, given back, revoked, or of another epoch: the visitor has to join anew. */
    record Spent() implements AdmissionResult {}
}
