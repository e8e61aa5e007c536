package dev.orderly.testkit.sim;

/**
 * How a run went.
 *
 * @param visitors who came
 * @param admitted passes that were given
 * @param noShows visitors who closed the tab while they waited
 * @param seconds how long it took, in virtual time
 * @param capacityUsed of the capacity, the share in use while anybody present waited, after the room was full once; 1 if
 *     there was no such time or bound
 * @param rateUsed of the admissions that the rate allows in a period, the share that was not left idle while as many
 *     waited, after they had waited for one period; 1 if there was no such time or bound
 * @param waits how the waits that were told compare with those there were
 * @param events a fingerprint of all that happened: equal for equal scenarios
 */
public record Report(int visitors, long admitted, long noShows, long seconds, double capacityUsed, double rateUsed,
        Waits waits, long events) {}
