package dev.orderly.testkit.contract;

import dev.orderly.Store;
import dev.orderly.time.Time;
import java.util.stream.Stream;

/** The contract proves something only if it fails for stores that break it. */
class PlantedOnlineUserBugsTest extends PlantedBugTrial<OnlineUserBug, OnlineUserStoreContract> {
    private static Planted<OnlineUserBug, OnlineUserStoreContract> planted(OnlineUserBug bug,
            Check<OnlineUserStoreContract> check) {
        return new Planted<>(bug, check);
    }

    static Stream<Planted<OnlineUserBug, OnlineUserStoreContract>> bugs() {
        return Stream.of(
                planted(OnlineUserBug.USES_THE_WALL_CLOCK, OnlineUserStoreContract::aClockThatIsSetMakesNoUserOffline),
                planted(OnlineUserBug.USES_THE_WALL_CLOCK,
                        OnlineUserStoreContract::nodesThatWereAllSuspendedMakeNoUserOffline),
                planted(OnlineUserBug.HIDES_DEATHS,
                        OnlineUserStoreContract::aNodesDeathMakesItsUsersOfflineUnlessConnectedElsewhere));
    }

    @Override
    OnlineUserBug none() {
        return OnlineUserBug.NONE;
    }

    @Override
    void run(OnlineUserBug bug, Check<OnlineUserStoreContract> check) throws Exception {
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
