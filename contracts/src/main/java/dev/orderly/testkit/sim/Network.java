package dev.orderly.testkit.sim;

import java.time.Duration;

/**
 * The way between visitors and gates.
 *
 * @param routing the choice of a gate for each request
 * @param stall the longest delay of an answer, which each answer has a random share of; 0 for none
 */
public record Network(Routing routing, Duration stall) {
    /** Each visitor has a gate of its own, and answers come at once. */
    public static final Network PLAIN = new Network(Routing.HASH, Duration.ZERO);

    /** The choice of a gate. */
    public enum Routing {
        /** Each visitor stays at one gate while it lives. */
        HASH,
        /** Each request of any visitor goes to the next living gate. */
        ROUND_ROBIN
    }
}
