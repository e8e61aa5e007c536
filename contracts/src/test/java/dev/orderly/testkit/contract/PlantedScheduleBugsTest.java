package dev.orderly.testkit.contract;

import dev.orderly.Store;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.time.Time;
import java.util.stream.Stream;

/** The contract proves something only if it fails for stores that break it. */
class PlantedScheduleBugsTest extends PlantedBugTrial<ScheduleBug, ScheduleStoreContract> {
    private static Planted<ScheduleBug, ScheduleStoreContract> planted(ScheduleBug bug,
            Check<ScheduleStoreContract> check) {
        return new Planted<>(bug, check);
    }

    static Stream<Planted<ScheduleBug, ScheduleStoreContract>> bugs() {
        return Stream.of(
                planted(ScheduleBug.ACCEPTS_EVERY_SEEN_STATE,
                        ScheduleStoreContract::aStepFromAnOlderStateHasNoEffect),
                planted(ScheduleBug.ACCEPTS_EVERY_SEEN_STATE,
                        ScheduleStoreContract::onlyOneOfConcurrentRunsByHandStarts),
                planted(ScheduleBug.PUSHES_BEFORE_THE_CHECK,
                        ScheduleStoreContract::aStepFromAnOlderStateHasNoEffect),
                planted(ScheduleBug.PUSHES_BEFORE_THE_CHECK,
                        ScheduleStoreContract::onlyOneOfConcurrentNodesFiresAnInstant),
                planted(ScheduleBug.SKIPS_WITH_A_JOB, ScheduleStoreContract::aSkippedInstantPushesNothing),
                planted(ScheduleBug.FIRES_REACHED_INSTANTS,
                        ScheduleStoreContract::aReachedInstantDoesNotFireAgain),
                planted(ScheduleBug.MOVES_ON_BY_HAND,
                        ScheduleStoreContract::aRunByHandPushesAndDoesNotAffectTheTiming),
                planted(ScheduleBug.STARTS_ANEW_AT_EVERY_DECLARATION,
                        ScheduleStoreContract::aScheduleDeclaredAgainWithItsTimingKeepsItsState),
                planted(ScheduleBug.KEEPS_THE_FIRST_TIMING,
                        ScheduleStoreContract::aScheduleWithAnotherTimingStartsAnewAndKeepsItsLastJob),
                planted(ScheduleBug.WAITS_FOR_A_CLOCK_FAR_AHEAD,
                        ScheduleStoreContract::aScheduleDeclaredAfterAClockWasFarAheadStartsAnewAndKeepsItsLastJob),
                planted(ScheduleBug.STARTS_ANEW_AT_A_RESTART,
                        ScheduleStoreContract::aRestartKeepsTheLastInstantTheSkippedInstantAndTheLastJob),
                planted(ScheduleBug.FORGETS_JOBS_AT_A_RESTART,
                        ScheduleStoreContract::afterACrashEachStepExistsWithItsJob),
                planted(ScheduleBug.FIRES_WHILE_PAUSED,
                        ScheduleStoreContract::aPausedScheduleTakesNoInstantAndGoesOnAfterTheMomentOfItsResume),
                planted(ScheduleBug.CATCHES_UP_AFTER_A_PAUSE,
                        ScheduleStoreContract::aPausedScheduleTakesNoInstantAndGoesOnAfterTheMomentOfItsResume),
                planted(ScheduleBug.FORGETS_A_PAUSE_WITH_A_NEW_TIMING,
                        ScheduleStoreContract::aPauseStaysWhenTheScheduleIsDeclaredWithAnotherTiming),
                planted(ScheduleBug.KEEPS_THE_TIMING_OF_A_DEAD_NODE,
                        ScheduleStoreContract::aTimingIsReplacedByANodeThatRepeatsItsOwnOnlyWhenItsDeclarerIsDead),
                planted(ScheduleBug.KEEPS_THE_TIMING_OF_A_DEAD_NODE,
                        ScheduleStoreContract::aNodeThatRepeatsTheTimingOfADeadDeclarerKeepsTheState),
                planted(ScheduleBug.REPLACES_THE_TIMING_OF_A_LIVE_NODE,
                        ScheduleStoreContract::aTimingIsReplacedByANodeThatRepeatsItsOwnOnlyWhenItsDeclarerIsDead),
                planted(ScheduleBug.FORGETS_WITHDRAWALS,
                        ScheduleStoreContract::aWithdrawnDeclarationIsReplacedAtOnceAndChangesNothingElse),
                planted(ScheduleBug.WITHDRAWS_EVERYTHING,
                        ScheduleStoreContract::oneScheduleIsWithdrawnAndTheOthersOfItsNodeStay),
                planted(ScheduleBug.KEEPS_FORGOTTEN_SCHEDULES,
                        ScheduleStoreContract::aScheduleThatNoLiveNodeDeclaresIsForgottenAndItsJobsStay),
                planted(ScheduleBug.CANCELS_JOBS_OF_FORGOTTEN_SCHEDULES,
                        ScheduleStoreContract::aScheduleThatNoLiveNodeDeclaresIsForgottenAndItsJobsStay),
                planted(ScheduleBug.FORGETS_DECLARED_SCHEDULES,
                        ScheduleStoreContract::aScheduleThatALiveNodeDeclaresIsNotForgotten),
                planted(ScheduleBug.STARTS_BEFORE_THE_END,
                        ScheduleStoreContract::aTimingThatCountsFromTheEndStartsNoRunBeforeTheEndOfTheLastOne),
                planted(ScheduleBug.STARTS_BEFORE_THE_END,
                        ScheduleStoreContract::aTimingThatCountsFromTheEndCountsFromTheEndOfARunByHand),
                planted(ScheduleBug.COUNTS_FROM_THE_INSTANT,
                        ScheduleStoreContract::aTimingThatCountsFromTheEndStartsNoRunBeforeTheEndOfTheLastOne),
                planted(ScheduleBug.COUNTS_FROM_THE_INSTANT,
                        ScheduleStoreContract::aTimingThatCountsFromTheEndCountsFromTheEndOfARunByHand),
                planted(ScheduleBug.FORGETS_ENDS,
                        ScheduleStoreContract::aTimingThatCountsFromTheEndStartsNoRunBeforeTheEndOfTheLastOne),
                planted(ScheduleBug.COUNTS_FROM_THE_INSTANT,
                        ScheduleStoreContract::anEndWhoseMomentIsNotKnownCountsFromItsRecord),
                planted(ScheduleBug.COUNTS_EVERY_TIMING_FROM_THE_END,
                        ScheduleStoreContract::theEndOfARunDoesNotMoveATimingOfTheClock),
                planted(ScheduleBug.FORGETS_ENDS, ScheduleStoreContract::theLastRunsAreKeptWithTheirEnds),
                planted(ScheduleBug.FOLDS_CASE,
                        ScheduleStoreContract::aTimingIsReturnedUnchangedAndDiffersFromSimilarTimings));
    }

    @Override
    ScheduleBug none() {
        return ScheduleBug.NONE;
    }

    @Override
    void run(ScheduleBug bug, Check<ScheduleStoreContract> check) throws Exception {
        ScheduleStoreContract contract = new ScheduleStoreContract() {
            @Override
            protected Store open(Time clock) {
                return new BuggySchedules(new MemoryStore(clock), bug);
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
