package dev.orderly.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.orderly.Store;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract is worth something only if it fails for stores that break it. */
class PlantedBugsTest {
    private static Stream<Planted> bugs() {
        return Stream.of(new Planted(Bug.FORGETS_WHICH_ATTEMPT, JobStoreContract::aStaleAttemptCannotSettle),
                new Planted(Bug.FORGETS_WHICH_ATTEMPT, JobStoreContract::progressIsFenced),
                new Planted(Bug.FORGETS_WHICH_NODE, JobStoreContract::anotherNodeCannotSettle),
                new Planted(Bug.FORGETS_WHICH_NODE, JobStoreContract::oneReportMayComeFromManyNodes),
                new Planted(Bug.RETRIES_AT_THE_END, JobStoreContract::orderSurvivesARetry),
                new Planted(Bug.RETRIES_AT_THE_END, JobStoreContract::jobsHandedOutBehindAFailedOneComeBackInOrder),
                new Planted(Bug.FORGETS_KEYS_OF_THE_DONE, JobStoreContract::aJobIsRememberedAfterItFinished),
                new Planted(Bug.FORGETS_KEYS_OF_THE_DONE, JobStoreContract::aKeySurvivesTheDeathOfTheProcess),
                new Planted(Bug.TURNS_BATCHES_ROUND, JobStoreContract::orderHoldsInsideOneBulkCall),
                new Planted(Bug.TURNS_BATCHES_ROUND, JobStoreContract::answersStandInTheOrderOfTheQuestions),
                new Planted(Bug.COUNTS_SNOOZES, JobStoreContract::aSnoozeCountsAsNothingAndWaitsForItsTime),
                new Planted(Bug.NEVER_HALTS, JobStoreContract::aHaltedGroupHandsOutNothingAndHoldsUpNoOther),
                new Planted(Bug.TELLS_NOBODY,
                        JobStoreContract::aRunningJobIsNotCancelledButItsNodeIsToldUntilItSettles),
                new Planted(Bug.IS_EARLY, JobStoreContract::aDelayedJobRunsNotBeforeItsTimeAndThenDoes),
                new Planted(Bug.HANDS_OUT_MORE_THAN_FITS,
                        JobStoreContract::aClaimHandsOutNoMorePayloadThanTheNodeHasRoomFor),
                new Planted(Bug.HANDS_OUT_MORE_THAN_FITS, JobStoreContract::allQueuesOfAClaimShareTheRoom),
                new Planted(Bug.LOSES_EVERYTHING, JobStoreContract::aPushThatWasAnsweredSurvivesTheDeathOfTheProcess),
                new Planted(Bug.CRASHES_UNCOUNTED, JobStoreContract::theThirdDeathOfTheProcessMakesADeadLetter),
                new Planted(Bug.BLAMES_BYSTANDERS,
                        JobStoreContract::jobsThatOnlyRanBesideOthersAreNeverBlamedHoweverOftenTheirNodeDies),
                new Planted(Bug.BLAMES_BYSTANDERS,
                        JobStoreContract::aNodeWhoseJobsAreGivenBackInPartsRanThemTogether),
                new Planted(Bug.CRASHES_UNCOUNTED,
                        JobStoreContract::aSuspectWhoseNodeThenDiesWithItAloneIsADeadLetterAtTheThirdCrash),
                new Planted(Bug.CRASHES_UNCOUNTED, JobStoreContract::aCrashIsTakenBackFromAJobThatRunsAgain),
                new Planted(Bug.HOLDS_FALSE_DEATHS_AGAINST_JOBS, JobStoreContract::aNodeThatComesBackHasNotCrashed),
                new Planted(Bug.HOLDS_FALSE_DEATHS_AGAINST_JOBS,
                        JobStoreContract::aCrashIsTakenBackFromAJobThatRunsAgain),
                new Planted(Bug.BELIEVES_ITS_CLOCK, JobStoreContract::aClockThatIsSetAheadDeclaresNobodyDead),
                new Planted(Bug.BELIEVES_ITS_CLOCK, JobStoreContract::nodesThatWereAllSuspendedTakeNobodyForDead),
                new Planted(Bug.BELIEVES_ITS_CLOCK,
                        JobStoreContract::aClockThatIsSetBackDeclaresNobodyDeadAndHidesNoDeath),
                new Planted(Bug.RESUMES_AT_START, JobStoreContract::aPauseSurvivesTheDeathOfTheProcess),
                new Planted(Bug.NEVER_GOES_BACK, WeatherPart::aClockThatWasAheadForOnePushDoesNotKeepLaterKeys),
                new Planted(Bug.NEVER_GOES_BACK, WeatherPart::aKeyOfAPushUnderAClockThatWasAheadIsForgottenInTime),
                new Planted(Bug.ASKS_FOR_THE_PAST, WeatherPart::noNextMomentIsInThePast),
                new Planted(Bug.HIDES_PAUSES, WeatherPart::aClaimSaysWhichOfItsQueuesArePaused),
                new Planted(Bug.HALTS_WHERE_IT_IS_SAID, JobStoreContract::aGroupHaltsAtAPoisonJobWhoeverBuriesIt),
                new Planted(Bug.HALTS_WHERE_IT_IS_SAID,
                        JobStoreContract::whatAQueueDoesAtADeadLetterSurvivesTheDeathOfTheProcess),
                new Planted(Bug.NORMALIZES_TEXT, TextPart::groupsThatLookAlikeAreDifferent),
                new Planted(Bug.NORMALIZES_TEXT, TextPart::everyTextOfAJobComesBackAsItWas),
                new Planted(Bug.NORMALIZES_TEXT, TextPart::whatIsSaidOfAnAttemptComesBackAsItWas),
                new Planted(Bug.FOLDS_CASE, TextPart::groupsThatLookAlikeAreDifferent),
                new Planted(Bug.FOLDS_CASE, TextPart::everyTextOfAJobComesBackAsItWas),
                new Planted(Bug.KEEPS_TWO_BYTES_A_CHARACTER, TextPart::groupsThatLookAlikeAreDifferent),
                new Planted(Bug.KEEPS_TWO_BYTES_A_CHARACTER, TextPart::whatIsSaidOfAnAttemptComesBackAsItWas),
                new Planted(Bug.CUTS_TEXT, TextPart::theLongestTextsComeBackAndTheirLastCharacterCounts),
                new Planted(Bug.CUTS_TEXT, TextPart::whatIsSaidOfAnAttemptComesBackAsItWas),
                new Planted(Bug.STUMBLES_OVER_MENDED_TEXT,
                        TextPart::textThatIsNotAdmittedKeepsNoAttemptFromEnding),
                new Planted(Bug.FORGETS_WHICH_ATTEMPT, RandomPart::randomCommandsHaveTheOutcomesOfTheModel),
                new Planted(Bug.RETRIES_AT_THE_END, RandomPart::randomCommandsHaveTheOutcomesOfTheModel),
                new Planted(Bug.CRASHES_UNCOUNTED, RandomPart::randomCommandsHaveTheOutcomesOfTheModel));
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void aPlantedBugIsCaught(Planted planted) {
        assertThat(catchThrowable(() -> run(planted))).isInstanceOfAny(AssertionError.class, RuntimeException.class);
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void theSameCheckHoldsWithoutTheBug(Planted planted) {
        assertThatCode(() -> run(new Planted(Bug.NONE, planted.check()))).doesNotThrowAnyException();
    }

    @Test
    void aFailingRandomRunTellsItsSeedAndAShortListOfCommands() {
        Throwable failure = catchThrowable(
                () -> run(new Planted(Bug.NEVER_HALTS, RandomPart::randomCommandsHaveTheOutcomesOfTheModel)));
        assertThat(failure).hasMessageContaining("-Dorderly.seeds=#").hasMessageContaining("how=HALT");
        assertThat(Objects.toString(failure.getMessage()).lines().filter(line -> line.startsWith("  ")))
                .hasSizeLessThan(12);
    }

    private static void run(Planted planted) {
        JobStoreContract contract = contract(planted.bug());
        contract.begin();
        try {
            planted.check().accept(contract);
        } finally {
            contract.end();
        }
    }

    record Planted(Bug bug, Consumer<JobStoreContract> check) {
        @Override
        public String toString() {
            return bug.name();
        }
    }

    /** The contract of the memory store with a bug. */
    private static JobStoreContract contract(Bug bug) {
        return new JobStoreContract() {
            @Override
            protected Store open(Time clock) {
                return new BuggyStore(new MemoryStore(clock), bug, clock);
            }

            @Override
            protected Store reopen(Store killed) {
                return ((BuggyStore) killed).crash();
            }

            @Override
            protected Duration viewsLag() {
                return Duration.ZERO;
            }
        };
    }
}
