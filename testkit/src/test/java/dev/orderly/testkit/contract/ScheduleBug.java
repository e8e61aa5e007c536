package dev.orderly.testkit.contract;

/** What a store of schedules might get wrong. */
enum ScheduleBug {
    NONE,
    BELIEVES_EVERY_STATE,
    PUSHES_BEFORE_IT_LOOKS,
    SKIPS_WITH_A_JOB,
    FIRES_WHAT_WAS_REACHED,
    MOVES_ON_BY_HAND,
    STARTS_ANEW_AT_EVERY_DECLARATION,
    KEEPS_THE_FIRST_TIMING,
    WAITS_FOR_A_CLOCK_FAR_AHEAD,
    STARTS_ANEW_AT_A_RESTART,
    FORGETS_JOBS_AT_A_RESTART,
    FOLDS_CASE
}
