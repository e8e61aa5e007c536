package dev.orderly.testkit.contract;

/** The defects of a {@link BuggyWrites}. */
enum WriteBug {
    NONE,
    ONLY_READS,
    REMEMBERS_A_SUCCESS,
    REMEMBERS_A_FAILURE,
    LEAVES_A_MARK,
    FORGETS_THAT_IT_IS_CLOSED
}
