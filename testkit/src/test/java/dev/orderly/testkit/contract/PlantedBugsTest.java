package dev.orderly.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.orderly.Store;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The contract is worth something only if it fails for stores that break it. */
class PlantedBugsTest extends PlantedBugTrial<Bug, JobStoreContract> {
    private static Planted<Bug, JobStoreContract> planted(Bug bug, Check<JobStoreContract> check) {
        return new Planted<>(bug, check);
    }

    static Stream<Planted<Bug, JobStoreContract>> bugs() {
        return Stream.concat(bugsOfJobs(), bugsOfText());
    }

    private static Stream<Planted<Bug, JobStoreContract>> bugsOfText() {
        return Stream.of(planted(Bug.NORMALIZES_TEXT, TextPart::groupsThatLookAlikeAreDifferent),
                planted(Bug.NORMALIZES_TEXT, TextPart::everyTextOfAJobComesBackAsItWas),
                planted(Bug.NORMALIZES_TEXT, TextPart::whatIsSaidOfAnAttemptComesBackAsItWas),
                planted(Bug.FOLDS_CASE, TextPart::groupsThatLookAlikeAreDifferent),
                planted(Bug.FOLDS_CASE, TextPart::everyTextOfAJobComesBackAsItWas),
                planted(Bug.KEEPS_TWO_BYTES_A_CHARACTER, TextPart::groupsThatLookAlikeAreDifferent),
                planted(Bug.KEEPS_TWO_BYTES_A_CHARACTER, TextPart::whatIsSaidOfAnAttemptComesBackAsItWas),
                planted(Bug.CUTS_TEXT, TextPart::theLongestTextsComeBackAndTheirLastCharacterCounts),
                planted(Bug.CUTS_TEXT, TextPart::whatIsSaidOfAnAttemptComesBackAsItWas),
                planted(Bug.STUMBLES_OVER_MENDED_TEXT,
                        TextPart::textThatIsNotAdmittedKeepsNoAttemptFromEnding));
    }

    private static Stream<Planted<Bug, JobStoreContract>> bugsOfJobs() {
        return Stream.of(planted(Bug.FORGETS_WHICH_ATTEMPT, JobStoreContract::aStaleAttemptCannotSettle),
                planted(Bug.FORGETS_WHICH_ATTEMPT, JobStoreContract::progressIsFenced),
                planted(Bug.FORGETS_WHICH_NODE, JobStoreContract::anotherNodeCannotSettle),
                planted(Bug.FORGETS_WHICH_NODE, JobStoreContract::oneReportMayComeFromManyNodes),
                planted(Bug.RETRIES_AT_THE_END, JobStoreContract::orderSurvivesARetry),
                planted(Bug.RETRIES_AT_THE_END, JobStoreContract::jobsHandedOutBehindAFailedOneComeBackInOrder),
                planted(Bug.FORGETS_KEYS_OF_THE_DONE, JobStoreContract::aJobIsRememberedAfterItFinished),
                planted(Bug.FORGETS_KEYS_OF_THE_DONE, JobStoreContract::aKeySurvivesTheDeathOfTheProcess),
                planted(Bug.TURNS_BATCHES_ROUND, JobStoreContract::orderHoldsInsideOneBulkCall),
                planted(Bug.TURNS_BATCHES_ROUND, JobStoreContract::answersStandInTheOrderOfTheQuestions),
                planted(Bug.COUNTS_SNOOZES, JobStoreContract::aSnoozeCountsAsNothingAndWaitsForItsTime),
                planted(Bug.NEVER_HALTS, JobStoreContract::aHaltedGroupHandsOutNothingAndHoldsUpNoOther),
                planted(Bug.TELLS_NOBODY,
                        JobStoreContract::aRunningJobIsNotCancelledButItsNodeIsToldUntilItSettles),
                planted(Bug.IS_EARLY, JobStoreContract::aDelayedJobRunsNotBeforeItsTimeAndThenDoes),
                planted(Bug.HANDS_OUT_MORE_THAN_FITS,
                        JobStoreContract::aClaimHandsOutNoMorePayloadThanTheNodeHasRoomFor),
                planted(Bug.HANDS_OUT_MORE_THAN_FITS, JobStoreContract::allQueuesOfAClaimShareTheRoom),
                planted(Bug.HANDS_OUT_MORE_THAN_FITS, JobStoreContract::jobsOfAllClassesShareTheRoom),
                planted(Bug.HANDS_OUT_MORE_THAN_FITS, JobStoreContract::groupsThatDidNotFitComeLaterAndInOrder),
                planted(Bug.STARVES_LARGE_JOBS, JobStoreContract::aJobLargerThanTheRoomIsHandedOutAlone),
                planted(Bug.LOSES_EVERYTHING, JobStoreContract::aPushThatWasAnsweredSurvivesTheDeathOfTheProcess),
                planted(Bug.CRASHES_UNCOUNTED, JobStoreContract::theThirdDeathOfTheProcessMakesADeadLetter),
                planted(Bug.BLAMES_BYSTANDERS,
                        JobStoreContract::jobsThatOnlyRanBesideOthersAreNeverBlamedHoweverOftenTheirNodeDies),
                planted(Bug.BLAMES_BYSTANDERS,
                        JobStoreContract::aNodeWhoseJobsAreGivenBackInPartsRanThemTogether),
                planted(Bug.BLAMES_BYSTANDERS,
                        JobStoreContract::jobsThatOnlyRanBesideOthersAreNeverBlamedHoweverOftenTheProcessDies),
                planted(Bug.TAKES_ALL_THAT_WAS_CLAIMED_FOR_COMPANY,
                        JobStoreContract::jobsBehindTheFirstOfTheirGroupDoNotHideThatItRanAlone),
                planted(Bug.TAKES_ALL_THAT_WAS_CLAIMED_FOR_COMPANY,
                        JobStoreContract::whatANodeEndedBeforeItDiedDoesNotHideThatTheRestRanAlone),
                planted(Bug.HIDES_CRASHES, JobStoreContract::aClaimTellsHowManyCrashesAJobHasSeen),
                planted(Bug.CRASHES_UNCOUNTED,
                        JobStoreContract::aSuspectWhoseNodeThenDiesWithItAloneIsADeadLetterAtTheThirdCrash),
                planted(Bug.CRASHES_UNCOUNTED, JobStoreContract::aCrashIsTakenBackFromAJobThatRunsAgain),
                planted(Bug.HOLDS_FALSE_DEATHS_AGAINST_JOBS, JobStoreContract::aNodeThatComesBackHasNotCrashed),
                planted(Bug.HOLDS_FALSE_DEATHS_AGAINST_JOBS,
                        JobStoreContract::aCrashIsTakenBackFromAJobThatRunsAgain),
                planted(Bug.BELIEVES_ITS_CLOCK, JobStoreContract::aClockThatIsSetAheadDeclaresNobodyDead),
                planted(Bug.BELIEVES_ITS_CLOCK, JobStoreContract::nodesThatWereAllSuspendedTakeNobodyForDead),
                planted(Bug.BELIEVES_ITS_CLOCK,
                        JobStoreContract::aClockThatIsSetBackDeclaresNobodyDeadAndHidesNoDeath),
                planted(Bug.SPARES_THOSE_WHO_SLEPT,
                        JobStoreContract::whoDoesNotComeBackFromASuspensionIsDeadSoonAfterTheFirstDoes),
                planted(Bug.RESUMES_AT_START, JobStoreContract::aPauseSurvivesTheDeathOfTheProcess),
                planted(Bug.NEVER_GOES_BACK, WeatherPart::aClockThatWasAheadForOnePushDoesNotKeepLaterKeys),
                planted(Bug.NEVER_GOES_BACK, WeatherPart::aKeyOfAPushUnderAClockThatWasAheadIsForgottenInTime),
                planted(Bug.GOES_ON_FROM_THE_LATEST_AT_A_RESTART,
                        WeatherPart::keysAreForgottenInTimeAfterARestartToo),
                planted(Bug.ENDS_JOBS_AT_THE_LATEST,
                        WeatherPart::endedJobsAreForgottenInTimeThoughAClockWasAhead),
                planted(Bug.ASKS_FOR_THE_PAST, WeatherPart::noNextMomentIsInThePast),
                planted(Bug.HALTS_WHERE_IT_IS_SAID, JobStoreContract::aGroupHaltsAtAPoisonJobWhoeverBuriesIt),
                planted(Bug.HALTS_WHERE_IT_IS_SAID,
                        JobStoreContract::whatAQueueDoesAtADeadLetterSurvivesTheDeathOfTheProcess),
                planted(Bug.KEEPS_THE_FIRST_WORD,
                        JobStoreContract::theLastWordOnWhatAQueueDoesAtADeadLetterCounts),
                planted(Bug.HIDES_PAUSES, WeatherPart::aClaimSaysWhichOfItsQueuesArePaused),
                planted(Bug.FORGETS_WHICH_ATTEMPT, RandomPart::randomCommandsHaveTheOutcomesOfTheModel),
                planted(Bug.RETRIES_AT_THE_END, RandomPart::randomCommandsHaveTheOutcomesOfTheModel),
                planted(Bug.CRASHES_UNCOUNTED, RandomPart::randomCommandsHaveTheOutcomesOfTheModel));
    }

    @Test
    void aFailingRandomRunTellsItsSeedAndAShortListOfCommands() {
        Throwable failure = catchThrowable(
                () -> run(Bug.NEVER_HALTS, RandomPart::randomCommandsHaveTheOutcomesOfTheModel));
        assertThat(failure).hasMessageContaining("-Dorderly.seeds=#").hasMessageContaining("how=HALT");
        assertThat(Objects.toString(failure.getMessage()).lines().filter(line -> line.startsWith("  ")))
                .hasSizeLessThan(12);
    }

    @Override
    Bug none() {
        return Bug.NONE;
    }

    @Override
    void run(Bug bug, Check<JobStoreContract> check) throws Exception {
        JobStoreContract contract = contract(bug);
        contract.begin();
        try {
            check.of(contract);
        } finally {
            contract.end();
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
