package dev.orderly.testkit.contract;

import dev.orderly.Store;
import dev.orderly.testkit.MemoryStore;
import java.util.stream.Stream;

/** The contract is worth something only if it fails for stores that break it. */
class PlantedScheduleBugsTest extends PlantedBugTrial<ScheduleBug, ScheduleStoreContract> {
    private static Planted<ScheduleBug, ScheduleStoreContract> planted(ScheduleBug bug,
            Check<ScheduleStoreContract> check) {
        return new Planted<>(bug, check);
    }

    static Stream<Planted<ScheduleBug, ScheduleStoreContract>> bugs() {
        return Stream.of(
                planted(ScheduleBug.BELIEVES_EVERY_STATE,
                        ScheduleStoreContract::aStepFromAnOlderStatePushesNothingAndChangesNothing),
                planted(ScheduleBug.BELIEVES_EVERY_STATE, ScheduleStoreContract::ofAllWhoRunItByHandOneOnlyDoes),
                planted(ScheduleBug.PUSHES_BEFORE_IT_LOOKS,
                        ScheduleStoreContract::aStepFromAnOlderStatePushesNothingAndChangesNothing),
                planted(ScheduleBug.PUSHES_BEFORE_IT_LOOKS,
                        ScheduleStoreContract::ofAllWhoSawAStateOneOnlyFiresTheInstant),
                planted(ScheduleBug.SKIPS_WITH_A_JOB, ScheduleStoreContract::aSkippedInstantPushesNothing),
                planted(ScheduleBug.FIRES_WHAT_WAS_REACHED,
                        ScheduleStoreContract::anInstantThatWasReachedFiresNoMore),
                planted(ScheduleBug.MOVES_ON_BY_HAND,
                        ScheduleStoreContract::aRunByHandPushesAndLeavesTheTimingAsItIs),
                planted(ScheduleBug.STARTS_ANEW_AT_EVERY_DECLARATION,
                        ScheduleStoreContract::declaredAgainUnderItsTimingItStaysAsItIs),
                planted(ScheduleBug.KEEPS_THE_FIRST_TIMING,
                        ScheduleStoreContract::withAnotherTimingItStartsAnewAndKeepsItsLastJob),
                planted(ScheduleBug.WAITS_FOR_A_CLOCK_FAR_AHEAD,
                        ScheduleStoreContract::declaredAgainAfterAClockThatWasFarAheadItStartsAnewAndKeepsItsLastJob),
                planted(ScheduleBug.STARTS_ANEW_AT_A_RESTART,
                        ScheduleStoreContract::aRestartKeepsTheLastInstantTheSkippedOneAndTheLastJob),
                planted(ScheduleBug.FORGETS_JOBS_AT_A_RESTART,
                        ScheduleStoreContract::afterACrashEachStepIsThereWithItsJob),
                planted(ScheduleBug.FOLDS_CASE,
                        ScheduleStoreContract::aTimingComesBackAsItWasAndIsAnotherThanOneThatLooksAlike));
    }

    @Override
    ScheduleBug none() {
        return ScheduleBug.NONE;
    }

    @Override
    void run(ScheduleBug bug, Check<ScheduleStoreContract> check) throws Exception {
        ScheduleStoreContract contract = new ScheduleStoreContract() {
            @Override
            protected Store open() {
                return new BuggySchedules(new MemoryStore(), bug);
            }

            @Override
            protected Store reopen(Store killed) {
                return ((BuggySchedules) killed).crash();
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
