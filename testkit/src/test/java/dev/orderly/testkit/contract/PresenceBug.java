package dev.orderly.testkit.contract;

/** The defects of a {@link BuggyPresence}. */
enum PresenceBug {
    NONE,
    BELIEVES_ITS_CLOCK,
    HIDES_DEATHS
}
