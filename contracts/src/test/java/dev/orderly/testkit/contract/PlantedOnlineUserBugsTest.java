package dev.orderly.testkit.contract;

import dev.orderly.Store;
import dev.orderly.time.Time;
import java.util.stream.Stream;

/** The contract proves something only if it fails for stores that break it. */
class PlantedOnlineUserBugsTest extends PlantedBugTrial<BuggyOnlineUsers.Defect, OnlineUserStoreContract> {
    private static Planted<BuggyOnlineUsers.Defect, OnlineUserStoreContract> planted(BuggyOnlineUsers.Defect bug,
            Check<OnlineUserStoreContract> check) {
        return new Planted<>(bug, check);
    }

    static Stream<Planted<BuggyOnlineUsers.Defect, OnlineUserStoreContract>> bugs() {
        return Stream.of(
                planted(BuggyOnlineUsers.Defect.USES_THE_WALL_CLOCK,
                        OnlineUserStoreContract::aClockThatIsSetMakesNoUserOffline),
                planted(BuggyOnlineUsers.Defect.USES_THE_WALL_CLOCK,
                        OnlineUserStoreContract::nodesThatWereAllSuspendedMakeNoUserOffline),
                planted(BuggyOnlineUsers.Defect.HIDES_DEATHS,
                        OnlineUserStoreContract::aNodesDeathMakesItsUsersOfflineUnlessConnectedElsewhere));
    }

    @Override
    BuggyOnlineUsers.Defect none() {
        return BuggyOnlineUsers.Defect.NONE;
    }

    @Override
    void run(BuggyOnlineUsers.Defect bug, Check<OnlineUserStoreContract> check) throws Exception {
        OnlineUserStoreContract contract = new OnlineUserStoreContract() {
            @Override
            protected Store open(Time clock) {
                return new BuggyOnlineUsers(clock, bug);
            }
        };
        contract.begin();
        try {
            check.of(contract);
        } finally {
            contract.end();
        }
    }
}
