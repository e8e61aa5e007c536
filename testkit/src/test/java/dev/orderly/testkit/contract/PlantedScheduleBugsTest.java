package dev.orderly.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.orderly.Store;
import dev.orderly.testkit.MemoryStore;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract is worth something only if it fails for stores that break it. */
class PlantedScheduleBugsTest {
    private static Stream<Planted> bugs() {
        return Stream.of(
                new Planted(ScheduleBug.BELIEVES_EVERY_STATE,
                        ScheduleStoreContract::aStepFromAnOlderStatePushesNothingAndChangesNothing),
                new Planted(ScheduleBug.BELIEVES_EVERY_STATE, ScheduleStoreContract::ofAllWhoRunItByHandOneOnlyDoes),
                new Planted(ScheduleBug.PUSHES_BEFORE_IT_LOOKS,
                        ScheduleStoreContract::aStepFromAnOlderStatePushesNothingAndChangesNothing),
                new Planted(ScheduleBug.PUSHES_BEFORE_IT_LOOKS,
                        ScheduleStoreContract::ofAllWhoSawAStateOneOnlyFiresTheInstant),
                new Planted(ScheduleBug.SKIPS_WITH_A_JOB, ScheduleStoreContract::aSkippedInstantPushesNothing),
                new Planted(ScheduleBug.FIRES_WHAT_WAS_REACHED,
                        ScheduleStoreContract::anInstantThatWasReachedFiresNoMore),
                new Planted(ScheduleBug.MOVES_ON_BY_HAND,
                        ScheduleStoreContract::aRunByHandPushesAndLeavesTheTimingAsItIs),
                new Planted(ScheduleBug.STARTS_ANEW_AT_EVERY_DECLARATION,
                        ScheduleStoreContract::declaredAgainUnderItsTimingItStaysAsItIs),
                new Planted(ScheduleBug.KEEPS_THE_FIRST_TIMING,
                        ScheduleStoreContract::withAnotherTimingItStartsAnewAndKeepsItsLastJob),
                new Planted(ScheduleBug.WAITS_FOR_A_CLOCK_FAR_AHEAD,
                        ScheduleStoreContract::declaredAgainAfterAClockThatWasFarAheadItStartsAnewAndKeepsItsLastJob),
                new Planted(ScheduleBug.STARTS_ANEW_AT_A_RESTART,
                        ScheduleStoreContract::aRestartKeepsTheLastInstantTheSkippedOneAndTheLastJob),
                new Planted(ScheduleBug.FORGETS_JOBS_AT_A_RESTART,
                        ScheduleStoreContract::afterACrashEachStepIsThereWithItsJob),
                new Planted(ScheduleBug.FOLDS_CASE,
                        ScheduleStoreContract::aTimingComesBackAsItWasAndIsAnotherThanOneThatLooksAlike));
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void aPlantedBugIsCaught(Planted planted) {
        assertThat(catchThrowable(() -> run(planted))).isInstanceOfAny(AssertionError.class, RuntimeException.class);
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void theSameCheckHoldsWithoutTheBug(Planted planted) {
        assertThatCode(() -> run(new Planted(ScheduleBug.NONE, planted.check()))).doesNotThrowAnyException();
    }

    private static void run(Planted planted) throws Exception {
        ScheduleStoreContract contract = new ScheduleStoreContract() {
            @Override
            protected Store open() {
                return new BuggySchedules(new MemoryStore(), planted.bug());
            }

            @Override
            protected Store reopen(Store killed) {
                return ((BuggySchedules) killed).crash();
            }
        };
        contract.begin();
        try {
            planted.check().of(contract);
        } finally {
            contract.end();
        }
    }

    /** A test of the contract. */
    @FunctionalInterface
    interface Check {
        void of(ScheduleStoreContract contract) throws Exception;
    }

    record Planted(ScheduleBug bug, Check check) {
        @Override
        public String toString() {
            return bug.name();
        }
    }
}
