package dev.orderly.testkit.contract;

/** What can be wrong with a {@link BuggyPresence}. */
enum PresenceBug {
    NONE,
    BELIEVES_ITS_CLOCK,
    HIDES_DEATHS
}
