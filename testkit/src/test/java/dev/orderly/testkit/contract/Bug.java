package dev.orderly.testkit.contract;

/** What can be wrong with a {@link BuggyStore}. */
enum Bug {
    NONE,
    FORGETS_WHICH_ATTEMPT,
    FORGETS_WHICH_NODE,
    RETRIES_AT_THE_END,
    FORGETS_KEYS_OF_THE_DONE,
    TURNS_BATCHES_ROUND,
    COUNTS_SNOOZES,
    NEVER_HALTS,
    TELLS_NOBODY,
    IS_EARLY,
    LOSES_EVERYTHING,
    CRASHES_UNCOUNTED,
    RESUMES_AT_START,
    NEVER_GOES_BACK,
    ASKS_FOR_THE_PAST
}
