package dev.orderly.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.orderly.Store;
import dev.orderly.testkit.MemoryStore;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract is worth something only if it fails for stores that break it. */
class PlantedRoomBugsTest {
    private static Stream<Planted> bugs() {
        return Stream.of(
                new Planted(RoomBug.STOPS_BEFORE_THE_CURSOR,
                        RoomStoreContract::thePlaceAtTheCursorMayEnterAndTheNextMayNot),
                new Planted(RoomBug.WINDOW_ENDS_EARLY,
                        RoomStoreContract::aRateAllowsTheNextExactlyAPeriodLaterAndNotBefore),
                new Planted(RoomBug.PASSES_END_LATE, RoomStoreContract::noMorePassesLiveThanTheCapacity),
                new Planted(RoomBug.IGNORES_PRESENCE, RoomStoreContract::aLowerVisitorAtTheDoorIsNeverOvertaken),
                new Planted(RoomBug.IGNORES_PRESENCE, RoomStoreContract::whoHasClaimedStandsAtTheDoor),
                new Planted(RoomBug.ISSUES_PLACES_TWICE_AFTER_A_RESTART,
                        RoomStoreContract::placesAndTheCursorGoOnWhereTheyStoodWhenTheProcessDied),
                new Planted(RoomBug.FORGETS_USED_UP_TICKETS_AT_A_RESTART,
                        RoomStoreContract::ticketsStayUsedUpWhenTheProcessDied),
                new Planted(RoomBug.FORGETS_THE_WINDOW_AT_A_RESTART,
                        RoomStoreContract::theRateCountsAdmissionsFromBeforeTheProcessDied),
                new Planted(RoomBug.LOSES_EVERYTHING, RoomStoreContract::passesLiveOnWhenTheProcessDied),
                new Planted(RoomBug.LOSES_EVERYTHING, RoomStoreContract::whatOperatorsDidOutlivesTheProcess),
                new Planted(RoomBug.IGNORES_THE_EPOCH, RoomStoreContract::aPlaceOfANewEpochIsNotThatOfTheOldOne),
                new Planted(RoomBug.ADMITS_BEYOND_CAPACITY,
                        RoomStoreContract::admittedVisitorsNeverExceedTheCapacity),
                new Planted(RoomBug.CURSOR_PASSES_THE_LENGTH, RoomStoreContract::theCursorNeverPassesTheLastPlace),
                new Planted(RoomBug.IGNORES_THE_LEASE, RoomStoreContract::aSecondGovernorDoesNothingUntilTheLeaseEnds),
                new Planted(RoomBug.KEPT_IS_TAKEN,
                        RoomStoreContract::aPassThatWasKeptAndNotTakenLeavesTheTicketGood),
                new Planted(RoomBug.KEEPS_WHAT_THE_DEPARTED_HELD,
                        RoomStoreContract::whatADepartedVisitorHeldIsFreeAtOnce),
                new Planted(RoomBug.TURNS_BATCHES_ROUND, RoomStoreContract::placesAreIssuedOnceAndInListOrder),
                new Planted(RoomBug.BELIEVES_ONE_GATE,
                        RoomStoreContract::nobodyBehindTheLeastCoveredPlaceIsCalled),
                new Planted(RoomBug.IGNORES_LEASES,
                        RoomStoreContract::aPassThatEndsWhileAGateIsOutOfReachKeepsItsPlaceUntilTheLeaseEnds),
                new Planted(RoomBug.FORGETS_LEASES_IN_A_CRASH,
                        RoomStoreContract::leasesThatAStoreLostInACrashAreHeededAllTheSame),
                new Planted(RoomBug.LETS_IN_WHO_ONLY_TAKES_A_PLACE,
                        RoomStoreContract::whoOnlyTakesAPlaceEntersWhenTheTicketIsShown),
                new Planted(RoomBug.REVOCATIONS_END_EARLY,
                        RoomStoreContract::aRevocationLastsAsLongAsThePassThatItVoids),
                new Planted(RoomBug.REVOCATIONS_END_EARLY,
                        RoomStoreContract::aSecondDepartureShortensNoRevocation),
                new Planted(RoomBug.NORMALIZES_MESSAGES, RoomStoreContract::everyMessageComesBackAsItWas));
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void aPlantedBugIsCaught(Planted planted) {
        assertThat(catchThrowable(() -> run(planted))).isInstanceOfAny(AssertionError.class, RuntimeException.class);
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void theSameCheckHoldsWithoutTheBug(Planted planted) {
        assertThatCode(() -> run(new Planted(RoomBug.NONE, planted.check()))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @EnumSource(names = {"WINDOW_ENDS_EARLY", "IGNORES_PRESENCE", "IGNORES_THE_EPOCH",
            "ADMITS_BEYOND_CAPACITY", "KEEPS_WHAT_THE_DEPARTED_HELD", "FORGETS_USED_UP_TICKETS_AT_A_RESTART",
            "LOSES_EVERYTHING"})
    void randomCommandsFindItToo(RoomBug bug) {
        assertThat(catchThrowable(() -> run(new Planted(bug, RoomRandomPart::randomCommandsHaveTheOutcomesOfTheModel))))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void aFailingRandomRunTellsItsSeedAndAShortListOfCommands() {
        Throwable failure = catchThrowable(() -> run(new Planted(RoomBug.KEEPS_WHAT_THE_DEPARTED_HELD,
                RoomRandomPart::randomCommandsHaveTheOutcomesOfTheModel)));
        assertThat(failure).hasMessageContaining("-Dorderly.seeds=#").hasMessageContaining("Depart[");
        assertThat(Objects.toString(failure.getMessage()).lines().filter(line -> line.startsWith("  ")))
                .hasSizeLessThan(12);
    }

    private static void run(Planted planted) {
        RoomStoreContract contract = contract(planted.bug());
        contract.begin();
        try {
            planted.check().accept(contract);
        } finally {
            contract.end();
        }
    }

    record Planted(RoomBug bug, Consumer<RoomStoreContract> check) {
        @Override
        public String toString() {
            return bug.name();
        }
    }

    private static RoomStoreContract contract(RoomBug bug) {
        return new RoomStoreContract() {
            @Override
            protected Store open() {
                return new BuggyRooms(new MemoryStore(), bug);
            }

            @Override
            protected Store reopen(Store killed) {
                return ((BuggyRooms) killed).crash();
            }
        };
    }
}
