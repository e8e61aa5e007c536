package dev.orderly.testkit.sim;

/** How a visitor waits. */
enum Kind {
    /** Refreshes the page when told. */
    PAGE,
    /** Asks how it stands when told, and comes when it may. */
    JSON,
    /** Is connected. */
    EVENTS,
    /** Forgets what it was given, and comes a few times. */
    FORGETFUL
}
