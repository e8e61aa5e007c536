package dev.orderly.testkit.sim;

/** The way in which a visitor waits. */
enum WaitStyle {
    /** Refreshes the page at the given interval. */
    PAGE,
    /** Polls the state at the given interval, and enters on the turn. */
    JSON,
    /** Connected to an event stream. */
    EVENTS,
    /** Drops its cookies, and comes a few times. */
    FORGETFUL
}
