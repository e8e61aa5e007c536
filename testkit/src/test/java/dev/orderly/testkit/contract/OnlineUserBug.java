package dev.orderly.testkit.contract;

/** The defects of a {@link BuggyOnlineUsers}. */
enum OnlineUserBug {
    NONE,
    USES_THE_WALL_CLOCK,
    HIDES_DEATHS
}
