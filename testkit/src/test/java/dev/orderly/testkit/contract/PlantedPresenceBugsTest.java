package dev.orderly.testkit.contract;

import dev.orderly.Store;
import dev.orderly.time.Time;
import java.util.stream.Stream;

/** The contract proves something only if it fails for stores that break it. */
class PlantedPresenceBugsTest extends PlantedBugTrial<PresenceBug, PresenceStoreContract> {
    private static Planted<PresenceBug, PresenceStoreContract> planted(PresenceBug bug,
            Check<PresenceStoreContract> check) {
        return new Planted<>(bug, check);
    }

    static Stream<Planted<PresenceBug, PresenceStoreContract>> bugs() {
        return Stream.of(
                planted(PresenceBug.BELIEVES_ITS_CLOCK, PresenceStoreContract::aClockThatIsSetMakesNoUserOffline),
                planted(PresenceBug.BELIEVES_ITS_CLOCK,
                        PresenceStoreContract::nodesThatWereAllSuspendedMakeNoUserOffline),
                planted(PresenceBug.HIDES_DEATHS,
                        PresenceStoreContract::aNodesDeathMakesItsUsersOfflineUnlessConnectedElsewhere));
    }

    @Override
    PresenceBug none() {
        return PresenceBug.NONE;
    }

    @Override
    void run(PresenceBug bug, Check<PresenceStoreContract> check) throws Exception {
        PresenceStoreContract contract = new PresenceStoreContract() {
            @Override
            protected Store open(Time clock) {
                return new BuggyPresence(clock, bug);
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
