package dev.orderly.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.orderly.Store;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.contract.job.BatchPart;
import dev.orderly.testkit.contract.job.CancelPart;
import dev.orderly.testkit.contract.job.ClockPart;
import dev.orderly.testkit.contract.job.CostPart;
import dev.orderly.testkit.contract.job.DebouncePart;
import dev.orderly.testkit.contract.job.DedupePart;
import dev.orderly.testkit.contract.job.EventPart;
import dev.orderly.testkit.contract.job.GroupRatePart;
import dev.orderly.testkit.contract.job.JobStoreContract;
import dev.orderly.testkit.contract.job.KeyPart;
import dev.orderly.testkit.contract.job.KeySettingPart;
import dev.orderly.testkit.contract.job.LeasePart;
import dev.orderly.testkit.contract.job.LimitPart;
import dev.orderly.testkit.contract.job.PushPart;
import dev.orderly.testkit.contract.job.RandomPart;
import dev.orderly.testkit.contract.job.SharePart;
import dev.orderly.testkit.contract.job.StepPart;
import dev.orderly.testkit.contract.job.TermsPart;
import dev.orderly.testkit.contract.job.TextPart;
import dev.orderly.testkit.contract.job.ThrottlePart;
import dev.orderly.testkit.contract.job.UniquePart;
import dev.orderly.testkit.contract.job.UnreadPart;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The contract proves something only if it fails for stores that break it. */
class PlantedBugsTest extends PlantedBugTrial<Bug, JobStoreContract> {
    private static Planted<Bug, JobStoreContract> planted(Bug bug, Check<JobStoreContract> check) {
        return new Planted<>(bug, check);
    }

    static Stream<Planted<Bug, JobStoreContract>> bugs() {
        return Stream.of(bugsOfJobs(), bugsOfAttempts(), bugsOfHandOffs(), bugsOfText(), bugsOfLeases(),
                bugsOfUnreadableJobs(), bugsOfCancels(), bugsOfNodes(), bugsOfForgottenQueues(), bugsOfCrashes(),
                bugsOfLimits(), bugsOfKeys(), bugsOfTerms(), bugsOfBatches())
                .flatMap(each -> each);
    }

    private static Stream<Planted<Bug, JobStoreContract>> bugsOfBatches() {
        return Stream.of(
                planted(Bug.CALLS_BACK_BEFORE_THE_LAST_END,
                        BatchPart::aRunningMemberThatHasNotEndedKeepsTheCallbackAway),
                planted(Bug.CALLS_BACK_TWICE, BatchPart::theCallbackComesOnceAfterTheLastMemberHasEnded),
                planted(Bug.CALLS_BACK_TWICE, BatchPart::roundsOfSeveralNodesPushOneCallback),
                planted(Bug.LOSES_A_CONCURRENT_END, BatchPart::endsThatAreReportedTogetherAndByTurnsAreAllCounted),
                planted(Bug.KEEPS_REDRIVEN_MEMBERS_COUNTED,
                        BatchPart::aBatchThatWaitsForItsDeadLettersGoesOnWhenTheyAreRedrivenOrDeleted),
                planted(Bug.REOPENS_FINISHED_BATCHES, BatchPart::aFinishedBatchNeverReopens),
                planted(Bug.LETS_ANYBODY_INTO_CLOSED_BATCHES,
                        BatchPart::aClosedBatchTakesMembersOfItsRunningMembersOnly),
                planted(Bug.KEEPS_CANCELLED_BATCHES_WAITING_FOR_DEAD_LETTERS,
                        BatchPart::aCancelledBatchDoesNotWaitForItsDeadLetters),
                planted(Bug.LOSES_MEMBERSHIPS, BatchPart::membersAreShownWithTheirBatch),
                planted(Bug.LOSES_MEMBERSHIPS, BatchPart::theCallbackComesOnceAfterTheLastMemberHasEnded),
                planted(Bug.FORGETS_COUNTS_IN_A_CRASH,
                        BatchPart::aBatchSurvivesTheDeathOfTheProcessBetweenTheLastEndAndTheCallback));
    }

    private static Stream<Planted<Bug, JobStoreContract>> bugsOfLimits() {
        return Stream.of(
                planted(Bug.COUNTS_SLOTS_BEFORE_THE_LOCK, LimitPart::claimsOfManyNodesAtOnceKeepALimit),
                planted(Bug.COUNTS_SLOTS_BY_QUEUE, LimitPart::queuesThatShareALimitShareItsSlots),
                planted(Bug.COUNTS_SLOTS_BY_QUEUE, LimitPart::claimsOfManyNodesAtOnceKeepALimit),
                planted(Bug.COUNTS_NO_LEASED_JOBS, LimitPart::aLeasedJobCountsUntilItIsReported),
                planted(Bug.COUNTS_NO_LEASED_JOBS, LimitPart::aLeasedJobCountsAfterTheDeathOfTheProcess),
                planted(Bug.COUNTS_RATES_BY_FIXED_WINDOWS, LimitPart::aRateLetsNoMoreStartInAnySpanOfItsPeriod),
                planted(Bug.RETURNS_TOKENS_ON_GIVE_BACK, LimitPart::tokensComeBackAfterThePeriodAndNotWithAGiveBack),
                planted(Bug.RETURNS_TOKENS_ON_GIVE_BACK, LimitPart::aRateLetsNoMoreStartInAnySpanOfItsPeriod),
                planted(Bug.FORGETS_TOKENS_IN_A_CRASH, LimitPart::tokensCountAfterTheDeathOfTheProcess),
                planted(Bug.HANDS_OFF_DESPITE_A_LIMIT, LimitPart::aPushIntoAQueueWithALimitIsNotHandedOff));
    }

    private static Stream<Planted<Bug, JobStoreContract>> bugsOfKeys() {
        return Stream.of(
                planted(Bug.IGNORES_KEYS, KeyPart::eachKeyHasItsLimitAndTheOthersGoOn),
                planted(Bug.IGNORES_KEYS, KeyPart::keysTakeTurnsWhateverWasPushedFirst),
                planted(Bug.TAKES_ALL_KEYS_FOR_ONE, KeyPart::eachKeyHasItsLimitAndTheOthersGoOn),
                planted(Bug.TAKES_ALL_KEYS_FOR_ONE, KeyPart::keysTakeTurnsWhateverWasPushedFirst),
                planted(Bug.FORGETS_KEYS_IN_A_CRASH, KeyPart::keysAndTheirLimitOutliveTheProcess),
                planted(Bug.FORGETS_KEYS_IN_A_CRASH, KeyPart::tokensOfKeysCountAfterTheDeathOfTheProcess),
                planted(Bug.LETS_NEW_KEYS_BEGIN_AT_ZERO, KeyPart::aNewKeyIsServedBeforeAnyOtherIsServedTwice),
                planted(Bug.COUNTS_PENDING_JOBS_OF_ALL_KEYS, KeyPart::pendingJobsOfEachKeyAreCounted),
                planted(Bug.COUNTS_THROTTLES, ThrottlePart::aThrottledJobKeepsItsPlaceInItsKeyAndItsFailures),
                planted(Bug.COUNTS_THROTTLES, ThrottlePart::withoutAKeyAndALimitTheJobAloneIsPutOff),
                planted(Bug.RESTS_NOTHING, ThrottlePart::theKeyOfAThrottledJobRestsOnAllNodesAndTheOthersGoOn),
                planted(Bug.RESTS_NOTHING, ThrottlePart::withoutAKeyTheLimitOfTheQueueRests),
                planted(Bug.RESTS_ALL_FOR_ONE, ThrottlePart::aKeyRestsWhileTheLimitOfItsQueueGoesOn),
                planted(Bug.FORGETS_KEYS_IN_A_CRASH, ThrottlePart::aRestOfAKeyOutlivesTheProcess),
                planted(Bug.FORGETS_RUN_TIMES, KeyPart::keysWhoseJobsRunLongerHaveFewerTurns),
                planted(Bug.COUNTS_PENDING_JOBS_OF_ALL_KEYS, KeySettingPart::keysAreCountedByWhatKeepsThem),
                planted(Bug.COUNTS_PENDING_JOBS_OF_ALL_KEYS, GroupRatePart::pendingJobsOfEachGroupAreCounted),
                planted(Bug.IGNORES_RATES_OF_GROUPS,
                        GroupRatePart::aGroupWhoseRateIsUsedUpRestsAndTheOthersGoOnInTheirOrder),
                planted(Bug.IGNORES_RATES_OF_GROUPS, GroupRatePart::noMoreJobsOfAGroupStartInAnySpanOfThePeriod),
                planted(Bug.FORGETS_COSTS, CostPart::aJobTakesAsManyTokensOfALimitAsItCosts),
                planted(Bug.FORGETS_COSTS, CostPart::aJobTakesAsManyTokensOfItsKeyAsItCostsAndTheOthersGoOn),
                planted(Bug.FORGETS_COSTS, CostPart::aJobTakesAsManyTokensOfItsGroupAsItCosts),
                planted(Bug.FORGETS_COSTS, CostPart::aJobCountsAsManyTurnsOfItsKeyAsItCosts),
                planted(Bug.FORGETS_COSTS, CostPart::aJobThatCostsMoreThanALimitGivesStartsWhenNoTokenCounts),
                planted(Bug.IGNORES_SHARES, SharePart::whatOthersCanUseIsTheirsBeforeAKeyHasMoreThanItsShare),
                planted(Bug.IGNORES_SHARES, SharePart::keysOfRandomCommandsHaveTheirShareAndAllSlotsAreUsed),
                planted(Bug.WASTES_SLOTS_BEYOND_A_SHARE, SharePart::aKeyAloneHasAllSlots),
                planted(Bug.WASTES_SLOTS_BEYOND_A_SHARE,
                        SharePart::keysOfRandomCommandsHaveTheirShareAndAllSlotsAreUsed),
                planted(Bug.TAKES_ALL_GROUPS_FOR_ONE,
                        GroupRatePart::aGroupWhoseRateIsUsedUpRestsAndTheOthersGoOnInTheirOrder),
                planted(Bug.IGNORES_PAUSES_OF_KEYS, KeySettingPart::aPausedKeyStartsNothingAndTheOthersGoOn),
                planted(Bug.IGNORES_PAUSES_OF_KEYS, KeySettingPart::aPausedGroupStartsNothingAndTheOthersGoOn),
                planted(Bug.IGNORES_PAUSES_OF_KEYS, KeySettingPart::aPushIntoAPausedGroupIsNotHandedOff),
                planted(Bug.IGNORES_BOUNDS_OF_KEYS, KeySettingPart::boundsOfAKeyCountInPlaceOfThoseThatEachKeyHas),
                planted(Bug.IGNORES_BOUNDS_OF_KEYS, KeySettingPart::aRateOfAKeyCountsWithoutALimitOfEachKey),
                planted(Bug.PAUSES_ALL_KEYS_FOR_ONE, KeySettingPart::aPausedKeyStartsNothingAndTheOthersGoOn),
                planted(Bug.PAUSES_ALL_KEYS_FOR_ONE, KeySettingPart::aPausedGroupStartsNothingAndTheOthersGoOn),
                planted(Bug.FORGETS_KEY_SETTINGS_IN_A_CRASH, KeySettingPart::settingsOutliveTheProcess),
                planted(Bug.OVERWRITES_KEY_SETTINGS, KeySettingPart::ofChangesAtOnceEachIsSeenByTheNext),
                planted(Bug.KEEPS_SETTINGS_OF_FORGOTTEN_KEYS,
                        KeySettingPart::aForgottenQueueHasNoSettingsOfKeysAnyMore));
    }

    private static Stream<Planted<Bug, JobStoreContract>> bugsOfForgottenQueues() {
        return Stream.of(
                planted(Bug.KEEPS_FORGOTTEN_QUEUES,
                        JobStoreContract::aForgottenQueueIsListedNoMoreAndKeepsItsEndedJobs),
                planted(Bug.KEEPS_PAUSES_OF_FORGOTTEN_QUEUES,
                        JobStoreContract::thePauseAndThePolicyOfAQueueAreForgottenWithIt),
                planted(Bug.FORGETS_QUEUES_WITH_DEAD_LETTERS, JobStoreContract::aQueueThatHoldsJobsIsNotForgotten),
                planted(Bug.FORGETS_DECLARED_QUEUES,
                        JobStoreContract::aQueueThatALiveNodeWorksOnOrDeclaresIsNotForgotten),
                planted(Bug.LOSES_PUSHES_INTO_FORGOTTEN_QUEUES,
                        JobStoreContract::aPushMakesAForgottenQueueExistAgain),
                planted(Bug.LOSES_PUSHES_INTO_FORGOTTEN_QUEUES,
                        JobStoreContract::aPushThatComesWithTheForgetIsNotLost));
    }

    private static Stream<Planted<Bug, JobStoreContract>> bugsOfTerms() {
        return Stream.of(planted(Bug.IGNORES_UNIQUE_KEYS, UniquePart::theJobOfAKeyThatWaitsIsTheAnswer),
                planted(Bug.IGNORES_UNIQUE_KEYS, UniquePart::ofPushesAtOnceOneIsStored),
                planted(Bug.IGNORES_UNIQUE_KEYS, UniquePart::eachKeyHasOneAnswerInEveryInterleaving),
                planted(Bug.ANSWERS_WITH_RUNNING_JOBS, UniquePart::aPushWhileTheJobOfItsKeyRunsMakesOneNextJob),
                planted(Bug.ANSWERS_WITH_RUNNING_JOBS, UniquePart::eachKeyHasOneAnswerInEveryInterleaving),
                planted(Bug.FORGETS_UNIQUE_KEYS_IN_A_CRASH, UniquePart::aUniqueKeySurvivesTheDeathOfTheProcess),
                planted(Bug.KEEPS_THE_FIRST_PAYLOAD, DebouncePart::theLastPushSaysWhatTheJobIs),
                planted(Bug.KEEPS_THE_FIRST_PAYLOAD, DebouncePart::noPayloadIsLostBetweenAPushAndAClaim),
                planted(Bug.DOES_NOT_PUT_OFF, DebouncePart::eachPushPutsTheJobOffUntilItsKeyIsQuiet),
                planted(Bug.PUTS_OFF_WITHOUT_END, DebouncePart::noPushPutsTheJobOffBeyondTheLongestTime),
                planted(Bug.REPLACES_JOBS_OF_OTHERS, DebouncePart::theJobOfAnotherUserIsNotReplaced),
                planted(Bug.KEEPS_IDS_FOR_FIVE_MINUTES, DedupePart::anIdIsKeptForTheTimeOfItsFirstPush),
                planted(Bug.KEEPS_IDS_FOR_FIVE_MINUTES, DedupePart::anIdWithATimeSurvivesTheDeathOfTheProcess),
                planted(Bug.KEEPS_EXPIRED_JOBS, TermsPart::aJobThatDoesNotRunEndsWhenItExpires),
                planted(Bug.KEEPS_EXPIRED_JOBS, TermsPart::anAwaitingJobEndsWhenItExpiresAndTakesNoEventAfterwards),
                planted(Bug.KEEPS_EXPIRED_JOBS, TermsPart::aGroupGoesOnAfterAJobThatExpired),
                planted(Bug.KEEPS_EXPIRED_JOBS, UniquePart::aJobThatHasExpiredIsNoAnswer),
                planted(Bug.LETS_STALE_ATTEMPTS_KEEP_STEPS, StepPart::aStaleAttemptAddsNoStep),
                planted(Bug.KEEPS_STEPS_OF_THE_LAST_ATTEMPT_ONLY,
                        StepPart::laterAttemptsFindTheStepsOfEarlierOnesAndAddTheirOwn),
                planted(Bug.FORGETS_STEPS_IN_A_CRASH, StepPart::stepsSurviveTheDeathOfTheProcess),
                planted(Bug.ANSWERS_REUSED_STEPS_AS_KEPT, StepPart::theFirstReportOfANameCounts),
                planted(Bug.LOSES_EVENTS_THAT_NOBODY_AWAITS, EventPart::anEventThatComesBeforeTheQuestionIsItsAnswer),
                planted(Bug.MISSES_EARLY_EVENTS, EventPart::anEventThatComesWhileTheAttemptRunsMakesItDueAtOnce),
                planted(Bug.SLEEPS_THROUGH_EVENTS, EventPart::anAwaitingJobIsDueAtOnceWhenItsEventComes),
                planted(Bug.TAKES_REPEATED_EVENTS, EventPart::theFirstEventOfANameCounts),
                planted(Bug.LETS_STALE_ATTEMPTS_AWAIT, EventPart::aStaleAttemptAwaitsNothing),
                planted(Bug.LETS_GROUPS_PASS_AWAITING_JOBS, EventPart::aGroupWaitsForTheEventOfItsFirstJob),
                planted(Bug.KEEPS_THE_SLOT_OF_AWAITING_JOBS, EventPart::anAwaitingJobHoldsNoSlotOfALimit),
                planted(Bug.PROLONGS_WAITS, EventPart::theFirstQuestionFixesTheEndOfTheWait),
                planted(Bug.TAKES_LATE_EVENTS, EventPart::aWaitThatIsOverMakesTheJobDueAndItsEventCanComeNoMore),
                planted(Bug.FORGETS_EVENTS_IN_A_CRASH, EventPart::eventsAndWaitsSurviveTheDeathOfTheProcess),
                planted(Bug.LOSES_TERMS, TermsPart::theTermsOfAPushComeWithEveryClaimAndView),
                planted(Bug.LOSES_TERMS, TermsPart::aDeadLetterThatIsRedrivenExpiresNoMore));
    }

    private static Stream<Planted<Bug, JobStoreContract>> bugsOfNodes() {
        return Stream.of(
                planted(Bug.KEEPS_THE_POLICY_OF_A_DEAD_NODE,
                        JobStoreContract::onDeadOfADeadNodeGivesWayToThatOfALiveNode),
                planted(Bug.REPLACES_THE_POLICY_OF_A_LIVE_NODE,
                        JobStoreContract::onDeadOfALiveNodeStaysWhenAnotherRepeatsItsOwn),
                planted(Bug.USES_THE_WALL_CLOCK,
                        JobStoreContract::aStepOfTheClockDeclaresNoNodeDeadBeforeItsLeaseIsOver),
                planted(Bug.USES_THE_WALL_CLOCK, JobStoreContract::aStepOfTheClockBackHidesNoDeath));
    }

    private static Stream<Planted<Bug, JobStoreContract>> bugsOfHandOffs() {
        return Stream.of(
                planted(Bug.HANDS_OFF_WHAT_IT_DID_NOT_CLAIM, PushPart::aPushHandsItsJobToTheNodeThatHasRoom),
                planted(Bug.HANDS_OFF_WHAT_IT_DID_NOT_CLAIM,
                        PushPart::theDeathOfANodeBetweenPushAndStartGivesTheJobBackAndCounts),
                planted(Bug.HANDS_OFF_OUT_OF_TURN, PushPart::aHandOffOvertakesNoWaitingJobOfAnyPriority),
                planted(Bug.HANDS_OFF_OUT_OF_TURN, PushPart::jobsOfOneCallAreHandedOffUpToTheFirstThatWaits),
                planted(Bug.HANDS_OFF_DESPITE_A_PAUSE, PushPart::aPausedQueueHandsNothingOff),
                planted(Bug.HANDS_OFF_TO_NODES_THAT_ARE_NOT_ALIVE,
                        PushPart::aNodeThatIsNotAliveGetsNothingHandedOff),
                planted(Bug.HIDES_CRASHES,
                        PushPart::theDeathOfANodeBetweenPushAndStartGivesTheJobBackAndCounts),
                planted(Bug.HIDES_CRASHES, PushPart::aHandedOffJobSurvivesTheDeathOfTheProcess),
                planted(Bug.LOSES_EVERYTHING, PushPart::aHandedOffJobSurvivesTheDeathOfTheProcess));
    }

    private static Stream<Planted<Bug, JobStoreContract>> bugsOfUnreadableJobs() {
        return Stream.of(
                planted(Bug.COUNTS_UNREADABLE_ATTEMPTS, UnreadPart::anUnreadableJobIsGivenBackUncountedWithItsReason),
                planted(Bug.COUNTS_UNREADABLE_ATTEMPTS,
                        UnreadPart::ofANodeThatTriesAgainOnlyTheFirstUnreadableAttemptIsKept),
                planted(Bug.DELAYS_UNREADABLE_JOBS_NEVER, UnreadPart::anUnreadableJobMayWait),
                planted(Bug.PASSES_OVER_NOTHING, UnreadPart::aNodePassesOverJobsThatOthersMayTake),
                planted(Bug.PASSES_OVER_NOTHING, UnreadPart::aNodePassesOverDelayedJobsThatAreDue),
                planted(Bug.PASSES_OVER_NOTHING,
                        UnreadPart::theGroupOfAJobThatIsPassedOverWaitsAndOtherGroupsGoOn),
                planted(Bug.PASSES_OVER_FOR_ALL_NODES, UnreadPart::aNodePassesOverJobsThatOthersMayTake),
                planted(Bug.PASSES_OVER_FOR_ALL_NODES,
                        UnreadPart::theGroupOfAJobThatIsPassedOverWaitsAndOtherGroupsGoOn),
                planted(Bug.FORGETS_WORKERS, UnreadPart::theWorkersOfAQueueAreTheLiveNodesThatSaySo));
    }

    private static Stream<Planted<Bug, JobStoreContract>> bugsOfCancels() {
        return Stream.of(
                planted(Bug.ERASES_CANCELS_AT_A_GIVE_BACK, CancelPart::everyOutcomeButDoneEndsAJobThatIsToBeCancelled),
                planted(Bug.ERASES_CANCELS_AT_A_GIVE_BACK,
                        CancelPart::aJobThatIsCancelledBehindAnotherOfItsGroupRunNeverRuns),
                planted(Bug.ERASES_CANCELS_AT_A_GIVE_BACK, RandomPart::randomCommandsHaveTheOutcomesOfTheModel),
                planted(Bug.ERASES_CANCELS_AT_A_RETRY, CancelPart::everyOutcomeButDoneEndsAJobThatIsToBeCancelled),
                planted(Bug.ERASES_CANCELS_AT_A_RETRY, CancelPart::aFailureOfAJobThatIsToBeCancelledIsItsReason),
                planted(Bug.ERASES_CANCELS_AT_A_RETRY, RandomPart::randomCommandsHaveTheOutcomesOfTheModel),
                planted(Bug.ERASES_CANCELS_AT_A_RELEASE, CancelPart::aRequestToCancelSurvivesARelease),
                planted(Bug.ERASES_CANCELS_AT_A_RELEASE,
                        CancelPart::aNodeThatLeavesGivesBackItsJobsUncountedAndGetsNoMore),
                planted(Bug.ERASES_CANCELS_AT_A_RELEASE, RandomPart::randomCommandsHaveTheOutcomesOfTheModel),
                planted(Bug.ERASES_CANCELS_AT_A_DEATH,
                        CancelPart::aRequestToCancelSurvivesTheDeathOfItsNodeAndCountsNoCrash),
                planted(Bug.ERASES_CANCELS_AT_A_DEATH, CancelPart::aPoisonJobThatIsToBeCancelledIsNoDeadLetter),
                planted(Bug.ERASES_CANCELS_AT_A_DEATH, RandomPart::randomCommandsHaveTheOutcomesOfTheModel),
                planted(Bug.ERASES_CANCELS_IN_A_CRASH, CancelPart::aRequestToCancelSurvivesTheDeathOfTheProcess),
                planted(Bug.KEEPS_NODES_THAT_LEFT,
                        CancelPart::aNodeThatLeavesGivesBackItsJobsUncountedAndGetsNoMore),
                planted(Bug.KEEPS_NODES_THAT_LEFT, CancelPart::aNodeThatLeftBeginsAnotherLifeWithAHeartbeat),
                planted(Bug.HIDES_PAUSES, CancelPart::aHeartbeatNamesThePausedQueues));
    }

    private static Stream<Planted<Bug, JobStoreContract>> bugsOfLeases() {
        return Stream.of(planted(Bug.GIVES_BACK_LEASED_JOBS_OF_DEAD_NODES, LeasePart::aLeasedJobRunsOnWhenItsNodeDies),
                planted(Bug.LOSES_LEASES_IN_A_CRASH, LeasePart::aLeaseSurvivesTheDeathOfTheProcess),
                planted(Bug.LOSES_LEASES_IN_A_CRASH, LeasePart::aRequestToCancelALeasedJobSurvivesTheDeathOfTheProcess),
                planted(Bug.LEAVES_LEASED_JOBS_TO_THEIR_NODE,
                        LeasePart::theNodeThatLeasedAJobCannotSettleItAnyMore),
                planted(Bug.NEVER_ENDS_LEASES, LeasePart::aLeaseThatIsOverIsAFailedAttempt),
                planted(Bug.NEVER_ENDS_LEASES, LeasePart::theLastAttemptThatTimesOutIsADeadLetterByTheRulesOfItsQueue),
                planted(Bug.NEVER_ENDS_LEASES, LeasePart::aCancelledLeasedJobEndsAtItsWorkersReportOrSoonAfter),
                planted(Bug.ENDS_LEASES_WITHOUT_A_FAILURE, LeasePart::aLeaseThatIsOverIsAFailedAttempt),
                planted(Bug.ENDS_LEASES_WITHOUT_A_FAILURE, LeasePart::noLeaseIsOverWhileAllNodesWereSilentNorSoonAfter),
                planted(Bug.ENDS_LEASES_WITHOUT_A_FAILURE, LeasePart::aLeaseIsProlongedByItsWorker),
                planted(Bug.ENDS_LEASES_BY_THE_CALLERS_CLOCK, LeasePart::theClockOfACallerEndsNoLease),
                planted(Bug.LEASES_DESPITE_A_CANCELLATION, LeasePart::aJobThatIsToBeCancelledGetsNoLease),
                planted(Bug.FORGETS_WHICH_ATTEMPT, LeasePart::aWorkerOfAnEarlierAttemptIsRefused),
                planted(Bug.HANDS_OUT_WHOLE_GROUPS, LeasePart::aClaimMayAskForTheFirstJobOfEachGroupOnly),
                planted(Bug.NEVER_ENDS_LEASES, RandomPart::randomCommandsHaveTheOutcomesOfTheModel),
                planted(Bug.LEAVES_LEASED_JOBS_TO_THEIR_NODE,
                        RandomPart::randomCommandsHaveTheOutcomesOfTheModel));
    }

    private static Stream<Planted<Bug, JobStoreContract>> bugsOfText() {
        return Stream.of(planted(Bug.LOSES_TRACES, TextPart::theTraceOfAPushComesWithEveryClaim),
                planted(Bug.LOSES_TRACES_OF_RETRIES, TextPart::aRetriedOrRedrivenJobKeepsItsTrace),
                planted(Bug.NORMALIZES_TEXT, TextPart::similarGroupsAreDifferent),
                planted(Bug.NORMALIZES_TEXT, TextPart::everyTextOfAJobIsReturnedUnchanged),
                planted(Bug.NORMALIZES_TEXT, TextPart::textsOfAnAttemptAreReturnedUnchanged),
                planted(Bug.FOLDS_CASE, TextPart::similarGroupsAreDifferent),
                planted(Bug.FOLDS_CASE, TextPart::everyTextOfAJobIsReturnedUnchanged),
                planted(Bug.KEEPS_TWO_BYTES_A_CHARACTER, TextPart::similarGroupsAreDifferent),
                planted(Bug.KEEPS_TWO_BYTES_A_CHARACTER, TextPart::textsOfAnAttemptAreReturnedUnchanged),
                planted(Bug.CUTS_TEXT, TextPart::theLongestTextsAreReturnedAndTheirLastCharacterCounts),
                planted(Bug.CUTS_TEXT, TextPart::textsOfAnAttemptAreReturnedUnchanged),
                planted(Bug.FAILS_ON_REPAIRED_TEXT,
                        TextPart::invalidTextKeepsNoAttemptFromEnding));
    }

    private static Stream<Planted<Bug, JobStoreContract>> bugsOfAttempts() {
        return Stream.of(
                planted(Bug.KEEPS_THE_LAST_ATTEMPT_ONLY, JobStoreContract::everyAttemptThatEndedOtherwiseIsKept),
                planted(Bug.KEEPS_THE_LAST_ATTEMPT_ONLY, JobStoreContract::attemptsSurviveARedriveAndTheEndOfTheJob),
                planted(Bug.LOSES_ORIGINS, JobStoreContract::aViewShowsTheOriginOfAJob),
                planted(Bug.RUNS_NOTHING_NOW, JobStoreContract::aDelayedJobRunsNowAtItsPlace),
                planted(Bug.RUNS_NOTHING_NOW, JobStoreContract::aGroupThatWaitsForARetryRunsNowInItsOrder),
                planted(Bug.RUNS_NOW_BY_A_NEW_JOB, JobStoreContract::aDelayedJobRunsNowAtItsPlace),
                planted(Bug.RUNS_NOW_BY_A_NEW_JOB, JobStoreContract::aGroupThatWaitsForARetryRunsNowInItsOrder),
                planted(Bug.TURNS_REPEATED_PAUSES_ROUND,
                        JobStoreContract::whicheverCallFailsARepetitionEndsAsIfNoneHadFailed),
                planted(Bug.REDRIVES_ALL_FOR_NONE, JobStoreContract::redriveOfNoNamedJobRedrivesNothing));
    }

    private static Stream<Planted<Bug, JobStoreContract>> bugsOfCrashes() {
        return Stream.of(planted(Bug.CRASHES_UNCOUNTED, JobStoreContract::theThirdDeathOfTheProcessMakesADeadLetter),
                planted(Bug.BLAMES_BYSTANDERS,
                        JobStoreContract::jobsThatRanBesideOthersAreNeverBlamedHoweverOftenTheirNodeDies),
                planted(Bug.BLAMES_BYSTANDERS,
                        JobStoreContract::aNodeWhoseJobsAreGivenBackInPartsRanThemTogether),
                planted(Bug.BLAMES_BYSTANDERS,
                        JobStoreContract::jobsThatRanBesideOthersAreNeverBlamedHoweverOftenTheProcessDies),
                planted(Bug.CONVICTS_BY_THE_LAST_DEATH,
                        JobStoreContract::threeDeathsOfTheNodeAloneAreNeededHoweverOftenItDiedBesideOthersBefore),
                planted(Bug.CONVICTS_BY_THE_LAST_DEATH,
                        JobStoreContract::threeDeathsOfTheProcessAloneAreNeededHoweverOftenItDiedBesideOthersBefore),
                planted(Bug.HIDES_CRASHES, JobStoreContract::aRedrivenJobIsSuspectedOfNothing),
                planted(Bug.COUNTS_CLAIMED_JOBS_AS_RUNNING,
                        JobStoreContract::jobsBehindTheFirstOfTheirGroupDoNotHideThatItRanAlone),
                planted(Bug.COUNTS_CLAIMED_JOBS_AS_RUNNING,
                        JobStoreContract::jobsThatEndedBeforeACrashDoNotHideThatTheRestRanAlone),
                planted(Bug.HIDES_CRASHES, JobStoreContract::aClaimedJobHasItsNumberOfCrashes),
                planted(Bug.CRASHES_UNCOUNTED,
                        JobStoreContract::aSuspectThatCrashesItsNodeAloneIsADeadLetterAtTheThirdSuchCrash),
                planted(Bug.CRASHES_UNCOUNTED, JobStoreContract::theCrashOfAReturningNodeIsRevokedForItsJobs),
                planted(Bug.HOLDS_FALSE_DEATHS_AGAINST_JOBS, JobStoreContract::aNodeThatReturnsHasNotCrashed),
                planted(Bug.HOLDS_FALSE_DEATHS_AGAINST_JOBS,
                        JobStoreContract::theCrashOfAReturningNodeIsRevokedForItsJobs),
                planted(Bug.USES_THE_WALL_CLOCK, JobStoreContract::aClockThatIsSetAheadDeclaresNoNodeDead),
                planted(Bug.USES_THE_WALL_CLOCK, JobStoreContract::nodesThatWereAllSuspendedDeclareNoNodeDead),
                planted(Bug.USES_THE_WALL_CLOCK,
                        JobStoreContract::aClockThatIsSetBackDeclaresNoNodeDeadAndHidesNoDeath),
                planted(Bug.SPARES_SUSPENDED_NODES,
                        JobStoreContract::aNodeThatDoesNotReturnFromASuspensionIsDeadSoonAfterAnotherReturns));
    }

    private static Stream<Planted<Bug, JobStoreContract>> bugsOfJobs() {
        return Stream.of(planted(Bug.FORGETS_WHICH_ATTEMPT, JobStoreContract::aStaleAttemptCannotSettle),
                planted(Bug.FORGETS_WHICH_ATTEMPT, JobStoreContract::progressIsFenced),
                planted(Bug.FORGETS_WHICH_NODE, JobStoreContract::anotherNodeCannotSettle),
                planted(Bug.FORGETS_WHICH_NODE, JobStoreContract::oneReportMayContainAttemptsOfManyNodes),
                planted(Bug.RETRIES_AT_THE_END, JobStoreContract::orderSurvivesARetry),
                planted(Bug.RETRIES_AT_THE_END, JobStoreContract::jobsHandedOutBehindAFailedJobComeBackInOrder),
                planted(Bug.FORGETS_KEYS_OF_DONE_JOBS, JobStoreContract::aJobIsRememberedAfterItFinished),
                planted(Bug.FORGETS_KEYS_OF_DONE_JOBS, JobStoreContract::aKeySurvivesTheDeathOfTheProcess),
                planted(Bug.FORGETS_WHAT_A_DEDUPE_ID_STANDS_FOR,
                        JobStoreContract::theSameDedupeIdForAnotherJobIsRefused),
                planted(Bug.FORGETS_WHAT_A_DEDUPE_ID_STANDS_FOR,
                        JobStoreContract::aDedupeIdStandsForOneJobInsideItsOwnCall),
                planted(Bug.FORGETS_WHAT_A_DEDUPE_ID_STANDS_FOR,
                        RandomPart::randomCommandsHaveTheOutcomesOfTheModel),
                planted(Bug.REMEMBERS_THE_NEWEST_KEYS, JobStoreContract::eachOfManyKeysCountsForItsOwnWindow),
                planted(Bug.REVERSES_CALLS, JobStoreContract::orderHoldsInsideOneBulkCall),
                planted(Bug.REVERSES_CALLS, JobStoreContract::answersHaveTheOrderOfTheCall),
                planted(Bug.COUNTS_SNOOZES, JobStoreContract::aSnoozeCountsAsNoFailureAndWaitsForItsTime),
                planted(Bug.NEVER_HALTS, JobStoreContract::aHaltedGroupHandsOutNothingAndDelaysNoOtherGroup),
                planted(Bug.HIDES_CANCELLATIONS,
                        JobStoreContract::cancellingARunningJobIsReportedToItsNodeUntilItSettles),
                planted(Bug.IS_EARLY, JobStoreContract::aDelayedJobRunsAtItsTimeAndNotBefore),
                planted(Bug.HANDS_OUT_MORE_THAN_FITS, JobStoreContract::aClaimHandsOutNoMorePayloadThanItsLimit),
                planted(Bug.HANDS_OUT_MORE_THAN_FITS, JobStoreContract::allQueuesOfAClaimShareTheLimit),
                planted(Bug.HANDS_OUT_MORE_THAN_FITS, JobStoreContract::jobsOfAllPrioritiesShareTheLimit),
                planted(Bug.HANDS_OUT_MORE_THAN_FITS, JobStoreContract::groupsThatDidNotFitAreHandedOutLaterInOrder),
                planted(Bug.STARVES_LARGE_JOBS, JobStoreContract::aJobLargerThanTheLimitIsHandedOutAlone),
                planted(Bug.LOSES_EVERYTHING, JobStoreContract::anAnsweredPushSurvivesTheDeathOfTheProcess),
                planted(Bug.RESUMES_AT_START, JobStoreContract::aPauseSurvivesTheDeathOfTheProcess),
                planted(Bug.NEVER_GOES_BACK, ClockPart::aClockThatWasAheadForOnePushDoesNotProlongLaterKeys),
                planted(Bug.NEVER_GOES_BACK, ClockPart::aKeyOfAPushUnderAClockThatWasAheadIsForgottenInTime),
                planted(Bug.GOES_ON_FROM_THE_LATEST_MOMENT_AT_A_RESTART,
                        ClockPart::keysAreForgottenInTimeAfterARestartToo),
                planted(Bug.ENDS_JOBS_AT_THE_LATEST_MOMENT,
                        ClockPart::endedJobsAreForgottenInTimeThoughAClockWasAhead),
                planted(Bug.ASKS_FOR_THE_PAST, ClockPart::theNextDueTimeIsNeverInThePast),
                planted(Bug.HALTS_ONLY_WHERE_THE_REQUEST_SAYS_SO, JobStoreContract::aGroupHaltsAtAPoisonJobOnAnyNode),
                planted(Bug.HALTS_ONLY_WHERE_THE_REQUEST_SAYS_SO,
                        JobStoreContract::theSettingOfOnDeadSurvivesTheDeathOfTheProcess),
                planted(Bug.KEEPS_THE_FIRST_POLICY, JobStoreContract::theLastSettingOfOnDeadCounts),
                planted(Bug.HIDES_PAUSES, ClockPart::aClaimReportsItsPausedQueues),
                planted(Bug.FORGETS_WHICH_ATTEMPT, RandomPart::randomCommandsHaveTheOutcomesOfTheModel),
                planted(Bug.RETRIES_AT_THE_END, RandomPart::randomCommandsHaveTheOutcomesOfTheModel));
    }

    @Test
    void aFailingRandomRunReportsItsSeedAndAShortListOfCommands() {
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

    /** The contract of a memory store with a bug. */
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
