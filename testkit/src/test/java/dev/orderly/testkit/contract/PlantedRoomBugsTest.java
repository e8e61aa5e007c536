package dev.orderly.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.orderly.Store;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.contract.room.RoomRandomPart;
import dev.orderly.testkit.contract.room.RoomStoreContract;
import dev.orderly.testkit.contract.room.RoomTablePart;
import dev.orderly.testkit.contract.room.SharedRoomStoreContract;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract is worth something only if it fails for stores that break it. */
class PlantedRoomBugsTest extends PlantedBugTrial<RoomBug, SharedRoomStoreContract> {
    private static Planted<RoomBug, SharedRoomStoreContract> planted(RoomBug bug,
            Check<SharedRoomStoreContract> check) {
        return new Planted<>(bug, check);
    }

    static Stream<Planted<RoomBug, SharedRoomStoreContract>> bugs() {
        return Stream.of(
                planted(RoomBug.STOPS_BEFORE_THE_CURSOR,
                        RoomStoreContract::thePlaceAtTheCursorMayEnterAndTheNextMayNot),
                planted(RoomBug.WINDOW_ENDS_EARLY,
                        RoomStoreContract::aRateAllowsTheNextExactlyAPeriodLaterAndNotBefore),
                planted(RoomBug.PASSES_END_LATE, RoomStoreContract::noMorePassesLiveThanTheCapacity),
                planted(RoomBug.IGNORES_PRESENCE, RoomStoreContract::aLowerVisitorAtTheDoorIsNeverOvertaken),
                planted(RoomBug.IGNORES_PRESENCE, RoomStoreContract::whoHasClaimedStandsAtTheDoor),
                planted(RoomBug.ISSUES_PLACES_TWICE_AFTER_A_RESTART,
                        RoomStoreContract::placesAndTheCursorGoOnWhereTheyStoodWhenTheProcessDied),
                planted(RoomBug.FORGETS_USED_UP_TICKETS_AT_A_RESTART,
                        RoomStoreContract::ticketsStayUsedUpWhenTheProcessDied),
                planted(RoomBug.FORGETS_THE_WINDOW_AT_A_RESTART,
                        RoomStoreContract::theRateCountsAdmissionsFromBeforeTheProcessDied),
                planted(RoomBug.LOSES_EVERYTHING, RoomStoreContract::passesLiveOnWhenTheProcessDied),
                planted(RoomBug.LOSES_EVERYTHING, RoomStoreContract::whatOperatorsDidOutlivesTheProcess),
                planted(RoomBug.IGNORES_THE_EPOCH, RoomStoreContract::aPlaceOfANewEpochIsNotThatOfTheOldOne),
                planted(RoomBug.ADMITS_BEYOND_CAPACITY,
                        RoomStoreContract::admittedVisitorsNeverExceedTheCapacity),
                planted(RoomBug.CURSOR_PASSES_THE_LENGTH, RoomStoreContract::theCursorNeverPassesTheLastPlace),
                planted(RoomBug.IGNORES_THE_LEASE, RoomStoreContract::aSecondGovernorDoesNothingUntilTheLeaseEnds),
                planted(RoomBug.KEPT_IS_TAKEN,
                        RoomStoreContract::aPassThatWasKeptAndNotTakenLeavesTheTicketGood),
                planted(RoomBug.KEEPS_WHAT_THE_DEPARTED_HELD,
                        RoomStoreContract::whatADepartedVisitorHeldIsFreeAtOnce),
                planted(RoomBug.TURNS_BATCHES_ROUND, RoomStoreContract::placesAreIssuedOnceAndInListOrder),
                planted(RoomBug.BELIEVES_ONE_GATE,
                        RoomStoreContract::nobodyBehindTheLeastCoveredPlaceIsCalled),
                planted(RoomBug.IGNORES_LEASES,
                        RoomStoreContract::aPassThatEndsWhileAGateIsOutOfReachKeepsItsPlaceUntilTheLeaseEnds),
                planted(RoomBug.KEEPS_THE_FIRST_LEASE, RoomStoreContract::aGateThatIsHeardAgainKeepsNoPlaces),
                planted(RoomBug.KEEPS_THE_PLACES_OF_ALL_ENDED_PASSES,
                        RoomStoreContract::aPassThatEndsWhileAllGatesAreInTouchLeavesItsPlaceAtOnce),
                planted(RoomBug.REVIVES_NOTHING,
                        RoomStoreContract::aPassWhosePlaceIsKeptLivesAgainInAFullRoom),
                planted(RoomBug.REVIVES_WHAT_WAS_NEVER_ISSUED,
                        RoomStoreContract::aPassOfAPlaceThatWasNeverIssuedIsNotRevived),
                planted(RoomBug.KEEPS_WHAT_THE_DEPARTED_HELD,
                        RoomStoreContract::whatADepartedVisitorHeldIsFreeAtOnceThoughAGateIsOutOfReach),
                planted(RoomBug.FORGETS_LEASES_IN_A_CRASH,
                        SharedRoomStoreContract::leasesThatAStoreLostInACrashAreHeededAllTheSame),
                planted(RoomBug.FORGETS_LEASES_IN_A_CRASH,
                        SharedRoomStoreContract::leasesThatAStoreLostAreHeededThoughNobodyHadJoinedBeforeTheCrash),
                planted(RoomBug.LETS_IN_WHO_ONLY_TAKES_A_PLACE,
                        RoomStoreContract::whoOnlyTakesAPlaceEntersWhenTheTicketIsShown),
                planted(RoomBug.REVOCATIONS_END_EARLY,
                        RoomStoreContract::aRevocationLastsAsLongAsThePassThatItVoids),
                planted(RoomBug.REVOCATIONS_END_EARLY,
                        RoomStoreContract::aSecondDepartureShortensNoRevocation),
                planted(RoomBug.NORMALIZES_MESSAGES, RoomStoreContract::everyMessageComesBackAsItWas));
    }

    @ParameterizedTest
    @EnumSource(names = {"WINDOW_ENDS_EARLY", "IGNORES_PRESENCE", "IGNORES_THE_EPOCH",
            "ADMITS_BEYOND_CAPACITY", "KEEPS_WHAT_THE_DEPARTED_HELD", "FORGETS_USED_UP_TICKETS_AT_A_RESTART",
            "LOSES_EVERYTHING"})
    void randomCommandsFindItToo(RoomBug bug) {
        assertThat(catchThrowable(() -> run(bug, RoomRandomPart::randomCommandsHaveTheOutcomesOfTheModel)))
                .isInstanceOf(AssertionError.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"REVIVES_WHAT_WAS_NEVER_ISSUED", "REVIVES_NOTHING", "KEPT_IS_TAKEN", "IGNORES_THE_EPOCH",
            "IGNORES_PRESENCE", "IGNORES_LEASES", "KEEPS_WHAT_THE_DEPARTED_HELD"})
    void theTableFindsItToo(RoomBug bug) {
        assertThat(catchThrowable(() -> run(bug, RoomTablePart::everyRequestInEverySituationHasTheOutcomeOfTheModel)))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void aFailingRandomRunTellsItsSeedAndAShortListOfCommands() {
        Throwable failure = catchThrowable(() -> run(RoomBug.KEEPS_WHAT_THE_DEPARTED_HELD,
                RoomRandomPart::randomCommandsHaveTheOutcomesOfTheModel));
        assertThat(failure).hasMessageContaining("-Dorderly.seeds=#").hasMessageContaining("Depart[");
        assertThat(Objects.toString(failure.getMessage()).lines().filter(line -> line.startsWith("  ")))
                .hasSizeLessThan(12);
    }

    @Override
    RoomBug none() {
        return RoomBug.NONE;
    }

    @Override
    void run(RoomBug bug, Check<SharedRoomStoreContract> check) throws Exception {
        SharedRoomStoreContract contract = contract(bug);
        contract.begin();
        try {
            check.of(contract);
        } finally {
            contract.end();
        }
    }

    private static SharedRoomStoreContract contract(RoomBug bug) {
        return new SharedRoomStoreContract() {
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
