package dev.orderly.testkit.sim;

/**
 * The results of a run.
 *
 * @param visitors the number of visitors
 * @param admitted passes that were given
 * @param noShows visitors who closed the tab while they waited
 * @param seconds the duration in virtual time
 * @param capacityUsed the share of the capacity in use while any present visitor waited, after the room was full once;
 *   1 if there was no such time or bound
 * @param rateUsed the share of the admissions that the rate allows in a period and that were used while as many
 *   visitors waited, after they had waited for one period; 1 if there was no such time or bound
 * @param absent visitors whom gates counted as absent after they had asked again
 * @param waits the forecast waits compared with the real waits
 * @param events a fingerprint of all events: equal for equal scenarios
 */
public record Report(int visitors, long admitted, long noShows, long seconds, double capacityUsed, double rateUsed,
        int absent, Waits waits, long events) {}
