package dev.orderly.http.acme;

import dev.orderly.http.acme.OpenChallenges.Answers;
import java.time.Duration;
import java.time.Instant;

/**
 * The state of a renewal, which all nodes share.
 *
 * @param holder the node that requests a certificate now; empty if none does
 * @param leaseEnd the moment from which another node may request, in Unix milliseconds
 * @param failure the last one since the last success
 */
record RenewalState(String holder, long leaseEnd, Answers answers, Failure failure) {
    static final RenewalState IDLE = new RenewalState("", 0, Answers.NONE, Failure.NONE);

    /**
     * Failures since the last success.
     *
     * @param retryAt the next attempt by this server's own rule, in Unix milliseconds
     * @param wishedAt the next attempt by the authority's wish; zero if it has none
     */
    record Failure(int times, String reason, long retryAt, long wishedAt) {
        static final Failure NONE = new Failure(0, "", 0, 0);
    }

    /** The wait until a node may request. Zero if it may now. */
    Duration waitFor(String node, Instant now, boolean retryNow) {
        long until = Math.max(failure.wishedAt, retryNow ? 0 : failure.retryAt);
        if (!holder.isEmpty() && !holder.equals(node)) {
            until = Math.max(until, leaseEnd);
        }
        return Duration.ofMillis(Math.max(0, until - now.toEpochMilli()));
    }
}
