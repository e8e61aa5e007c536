package dev.orderly.testkit.contract;

import dev.orderly.Store;
import dev.orderly.testkit.MemoryStore;
import java.util.stream.Stream;

/** The contract proves something only if it fails for stores that break it. */
class PlantedAccessBugsTest extends PlantedBugTrial<AccessBug, AccessStoreContract> {
    private static Planted<AccessBug, AccessStoreContract> planted(AccessBug bug, Check<AccessStoreContract> check) {
        return new Planted<>(bug, check);
    }

    static Stream<Planted<AccessBug, AccessStoreContract>> bugs() {
        return Stream.of(
                planted(AccessBug.REPLACES_A_TOKEN_OF_THE_SAME_NAME,
                        AccessStoreContract::aNameIsTakenOnceUntilItsTokenIsRevoked),
                planted(AccessBug.REPLACES_A_TOKEN_OF_THE_SAME_NAME,
                        AccessStoreContract::aRepeatedCreationIsTheFirstOneAgain),
                planted(AccessBug.KEEPS_SESSIONS_OF_REVOKED_TOKENS,
                        AccessStoreContract::aRevokedTokenIsGoneWithItsSessionsAndNoOthers),
                planted(AccessBug.REVOKES_NOTHING_AFTER_A_CRASH,
                        AccessStoreContract::aRevokedTokenIsGoneWithItsSessionsAndNoOthers),
                planted(AccessBug.OPENS_SESSIONS_WITHOUT_A_TOKEN,
                        AccessStoreContract::aSessionOfAnUnknownTokenIsNotStored),
                planted(AccessBug.TAKES_EARLIER_USES, AccessStoreContract::aUseIsKeptUnlessALaterOneIsKnown),
                planted(AccessBug.EXPIRES_BY_AGE_ONLY, AccessStoreContract::oldAndIdleSessionsExpireAndOthersStay),
                planted(AccessBug.ENDS_AN_ENTRY_TWICE, AccessStoreContract::anEntryGetsItsOutcomeOnce),
                planted(AccessBug.FORGETS_OUTCOMES_AT_A_RESTART, AccessStoreContract::anEntryGetsItsOutcomeOnce),
                planted(AccessBug.PRUNES_THE_NEWEST_TOO,
                        AccessStoreContract::oldEntriesAndThoseBeyondTheNumberArePrunedTheOldestFirst),
                planted(AccessBug.IGNORES_THE_NAME,
                        AccessStoreContract::entriesAreFilteredByEachConditionAndComeInPages));
    }

    @Override
    AccessBug none() {
        return AccessBug.NONE;
    }

    @Override
    void run(AccessBug bug, Check<AccessStoreContract> check) throws Exception {
        AccessStoreContract contract = new AccessStoreContract() {
            @Override
            protected Store open() {
                return new BuggyAccess(new MemoryStore(), bug);
            }

            @Override
            protected Store reopen(Store killed) {
                return ((BuggyAccess) killed).crash();
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
