package dev.orderly.testkit.contract;

/** The defects of a {@link BuggyOnlineUsers}. */
enum OnlineUserBug {
    NONE,
    BELIEVES_ITS_CLOCK,
    HIDES_DEATHS
}
