package dev.orderly.bench.crowd;

import java.time.Duration;

/**
 * A crowd and the room that it comes to.
 *
 * @param gates number of gates that answer in turn
 * @param staying visitors who wait until they enter
 * @param absent the share of all visitors that takes a place and never asks again, 0 to below 1
 * @param connected the share of staying visitors that is connected by events; the others poll
 * @param capacity places inside
 * @param stay the mean stay; stays are spread evenly from half to one and a half of it
 * @param arriving the span in which all come
 * @param busy threads that compute beside the gates
 */
public record CrowdPlan(int gates, int staying, double absent, double connected, int capacity, Duration stay,
        Duration arriving, int busy) {
    /** The number of all visitors. */
    int visitors() {
        return (int) Math.round(staying / (1 - absent));
    }
}
