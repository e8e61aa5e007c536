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

/** The contract proves something only if it fails for stores that break it. */
class PlantedRoomBugsTest extends PlantedBugTrial<RoomBug, SharedRoomStoreContract> {
    private static Planted<RoomBug, SharedRoomStoreContract> planted(RoomBug bug,
            Check<SharedRoomStoreContract> check) {
        return new Planted<>(bug, check);
    }

    static Stream<Planted<RoomBug, SharedRoomStoreContract>> bugs() {
        return Stream.concat(Stream.concat(bugsOfOpenings(), bugsOfDrawsAndTiers()), Stream.of(
                planted(RoomBug.STOPS_BEFORE_THE_CURSOR,
                        RoomStoreContract::aVisitorAtTheCursorEntersAndTheNextDoesNot),
                planted(RoomBug.WINDOW_ENDS_EARLY,
                        RoomStoreContract::theRateAdmitsTheNextVisitorExactlyAPeriodLater),
                planted(RoomBug.PASSES_END_LATE, RoomStoreContract::noMorePassesLiveThanTheCapacity),
                planted(RoomBug.IGNORES_PRESENCE, RoomStoreContract::aLowerVisitorAtTheDoorIsNeverOvertaken),
                planted(RoomBug.IGNORES_PRESENCE, RoomStoreContract::aVisitorWhoAskedCountsAsPresent),
                planted(RoomBug.ISSUES_PLACES_TWICE_AFTER_A_RESTART,
                        RoomStoreContract::placesAndTheCursorSurviveACrash),
                planted(RoomBug.FORGETS_USED_UP_TICKETS_AT_A_RESTART,
                        RoomStoreContract::usedUpTicketsStaySoAfterACrash),
                planted(RoomBug.FORGETS_THE_WINDOW_AT_A_RESTART,
                        RoomStoreContract::theRateCountsAdmissionsFromBeforeACrash),
                planted(RoomBug.LOSES_EVERYTHING, RoomStoreContract::passesSurviveACrash),
                planted(RoomBug.LOSES_EVERYTHING, RoomStoreContract::changesOfOperatorsSurviveACrash),
                planted(RoomBug.IGNORES_THE_EPOCH, RoomStoreContract::aPlaceOfANewEpochIsIndependentOfTheOldEpoch),
                planted(RoomBug.ADMITS_BEYOND_CAPACITY,
                        RoomStoreContract::grantedAdmissionsNeverExceedTheCapacity),
                planted(RoomBug.CURSOR_PASSES_THE_LENGTH, RoomStoreContract::theCursorNeverPassesTheLastPlace),
                planted(RoomBug.IGNORES_THE_LEASE, RoomStoreContract::aSecondGovernorDoesNothingUntilTheLeaseEnds),
                planted(RoomBug.TAKES_KEPT_PASSES,
                        RoomStoreContract::aPassThatWasNeverTakenLeavesTheTicketGood),
                planted(RoomBug.IGNORES_DEPARTURES,
                        RoomStoreContract::aDepartureFreesCapacityAtOnce),
                planted(RoomBug.REVERSES_CALLS, RoomStoreContract::placesAreIssuedOnceAndInListOrder),
                planted(RoomBug.MERGES_ALL_GATES,
                        RoomStoreContract::nobodyBeyondTheCoverageOfAllGatesIsCalled),
                planted(RoomBug.IGNORES_LEASES,
                        RoomStoreContract::aPassThatEndsWhileAGateIsUnreachableCountsAsInsideUntilTheLeaseEnds),
                planted(RoomBug.KEEPS_THE_FIRST_LEASE, RoomStoreContract::aGateThatReportsAgainKeepsNoCapacity),
                planted(RoomBug.COUNTS_ALL_ENDED_PASSES_AS_INSIDE,
                        RoomStoreContract::aPassThatEndsWhileAllGatesReportFreesCapacityAtOnce),
                planted(RoomBug.REVIVES_NOTHING,
                        RoomStoreContract::aPassThatStillCountsAsInsideIsRevivedInAFullRoom),
                planted(RoomBug.REVIVES_UNISSUED_PLACES,
                        RoomStoreContract::aPassOfAnUnissuedPlaceIsNotRevived),
                planted(RoomBug.IGNORES_DEPARTURES,
                        RoomStoreContract::aDepartureFreesCapacityAtOnceWhileAGateIsUnreachable),
                planted(RoomBug.FORGETS_LEASES_IN_A_CRASH,
                        SharedRoomStoreContract::leasesLostInACrashOfTheStoreStillCount),
                planted(RoomBug.FORGETS_LEASES_IN_A_CRASH,
                        SharedRoomStoreContract::leasesLostInACrashStillCountIfNobodyHadJoinedBefore),
                planted(RoomBug.ADMITS_VISITORS_WHO_ONLY_JOIN,
                        RoomStoreContract::aVisitorWhoOnlyJoinsEntersWhenTheTicketIsShown),
                planted(RoomBug.REVOCATIONS_END_EARLY,
                        RoomStoreContract::aRevocationLastsAsLongAsTheRevokedPass),
                planted(RoomBug.REVOCATIONS_END_EARLY,
                        RoomStoreContract::aSecondDepartureShortensNoRevocation),
                planted(RoomBug.KNOWS_NO_VISITOR, RoomStoreContract::aLivePassIsFoundByItsVisitor),
                planted(RoomBug.KNOWS_NO_VISITOR, RoomStoreContract::aRevocationAndAMoveAreFoundByTheirVisitor),
                planted(RoomBug.KNOWS_NO_PLACE, RoomStoreContract::aPlaceIsFoundByItsNumber),
                planted(RoomBug.HIDES_VISITORS_OF_OTHER_GATES,
                        RoomStoreContract::everyGateLearnsWhichVisitorsAnyGateHasSeen),
                planted(RoomBug.MOVES_WITHOUT_VOIDING,
                        RoomStoreContract::aMovedPlaceAdmitsItsNewVisitorAndNotTheFormerVisitor),
                planted(RoomBug.MOVES_TO_EVERYBODY,
                        RoomStoreContract::aPlaceMovesOnceAndARepeatedRequestGetsTheSameAnswer),
                planted(RoomBug.MOVES_TO_EVERYBODY, RoomStoreContract::onlyThePlaceOfAWaitingVisitorMoves),
                planted(RoomBug.REFUSES_REPEATED_MOVES,
                        RoomStoreContract::whicheverAnswerIsLostARepetitionEndsAsIfNoneHadBeen),
                planted(RoomBug.FORGETS_MOVES_AT_A_RESTART, RoomStoreContract::movesSurviveACrash),
                planted(RoomBug.HIDES_MOVES_FROM_GATES, RoomStoreContract::everyGateLearnsOfAMove),
                planted(RoomBug.FORMER_VISITORS_TAKE_THE_PLACE_ALONG,
                        RoomStoreContract::aDepartureOfTheFormerVisitorLeavesThePlace),
                planted(RoomBug.NORMALIZES_MESSAGES, RoomStoreContract::everyMessageIsReturnedUnchanged),
                planted(RoomBug.KEEPS_ONE_LANGUAGE, RoomStoreContract::aMessageKeepsTheTextOfEveryLanguage)));
    }

    private static Stream<Planted<RoomBug, SharedRoomStoreContract>> bugsOfOpenings() {
        return Stream.concat(
                Stream.of(RoomBug.FORGETS_CHANGED_OPENINGS_AT_A_RESTART, RoomBug.HIDES_CHANGED_OPENINGS_FROM_GATES)
                        .map(bug -> planted(bug,
                                RoomStoreContract::changesOfOpeningsReachEveryGateSurviveACrashAndStayInANewEpoch)),
                Stream.of(planted(RoomBug.OVERWRITES_CHANGED_OPENINGS,
                        RoomStoreContract::aChangeOfOpeningsThatWasMadeFromOtherOnesChangesNothing),
                        planted(RoomBug.CHANGES_OPENINGS_TOO_LATE,
                                RoomStoreContract::aChangeOfOpeningsThatArrivesTooLateChangesNothing)));
    }

    private static Stream<Planted<RoomBug, SharedRoomStoreContract>> bugsOfDrawsAndTiers() {
        return Stream.of(
                planted(RoomBug.LETS_LATE_VISITORS_INTO_THE_LOBBY,
                        RoomStoreContract::theStoreStampsTheEndOfALobbyOnceAndWhoJoinsAfterItStandsBehind),
                planted(RoomBug.LETS_LATE_VISITORS_INTO_THE_LOBBY,
                        RoomStoreContract::ofGatesThatStampTheEndAtOnceOneCounts),
                planted(RoomBug.TELLS_THE_SEED_BEFORE_THE_DRAW,
                        RoomStoreContract::noStateTellsTheSeedBeforeTheDrawAndTheCommitmentHoldsAfterIt),
                planted(RoomBug.RECORDS_ANOTHER_VALUE,
                        RoomStoreContract::eachStepOfADrawIsMadeOnceInItsOrderAndNoneOfAnotherOpening),
                planted(RoomBug.FORGETS_LEAVES_AT_A_RESTART,
                        RoomStoreContract::aCrashBetweenAnyTwoStepsLeavesTheDrawAsItWas),
                planted(RoomBug.REPLACES_LEAVES_OF_A_CLOSED_LOBBY,
                        RoomStoreContract::aLeafIsReplacedWhileTheLobbyIsOpen),
                planted(RoomBug.COUNTS_REPORTS_OF_BEFORE_A_DRAW,
                        RoomStoreContract::afterADrawAGateThatDoesNotKnowItCallsNobody),
                planted(RoomBug.COUNTS_REPORTS_OF_BEFORE_A_DRAW,
                        RoomStoreContract::afterADropAGateThatDoesNotKnowItCallsNobody),
                planted(RoomBug.FORGETS_TIERS, RoomStoreContract::eachTierNumbersItsOwnPlaces),
                planted(RoomBug.FORGETS_TIERS, RoomStoreContract::admissionsAreDividedByTheShares),
                planted(RoomBug.FORGETS_TIERS_OF_A_LOBBY,
                        RoomStoreContract::theLobbyOfADrawHasALineOfEachTier),
                planted(RoomBug.LETS_LATE_VISITORS_INTO_THE_LOBBY,
                        RoomStoreContract::theLobbyOfADrawHasALineOfEachTier),
                planted(RoomBug.IGNORES_SHARES, RoomStoreContract::admissionsAreDividedByTheShares),
                planted(RoomBug.GIVES_TWO_PLACES_BY_AN_INVITATION,
                        RoomStoreContract::ofGatesThatUseAnInvitationAtOnceOneGetsThePlace),
                planted(RoomBug.USES_INVITATIONS_WITHOUT_A_PLACE,
                        RoomStoreContract::aRepeatedRequestGetsThePlaceOfTheFirst),
                planted(RoomBug.GIVES_PLACES_WITHOUT_THE_USE,
                        RoomStoreContract::anInvitationGivesOnePlaceInTheLineOfItsTier),
                planted(RoomBug.GIVES_PLACES_WITHOUT_THE_USE,
                        RoomStoreContract::aRepeatedRequestGetsThePlaceOfTheFirst),
                planted(RoomBug.ACCEPTS_REVOKED_INVITATIONS,
                        RoomStoreContract::aRevokedSeriesGivesNoPlacesAndOthersDo),
                planted(RoomBug.MOVES_INVITED_VISITORS_BACKWARDS,
                        RoomStoreContract::nobodyMovesBackwardsByAnInvitation),
                planted(RoomBug.KEEPS_FORMER_PLACES_OF_INVITED_VISITORS,
                        RoomStoreContract::theFormerPlaceEndsWithTheUse),
                planted(RoomBug.USES_UP_NUMBERS_OF_A_LOBBY,
                        RoomStoreContract::anInvitationInALobbyGivesATicketOfItsTierAndEndsTheFormer),
                planted(RoomBug.USES_UP_NUMBERS_OF_A_LOBBY,
                        RoomStoreContract::aTicketOfALobbyThatIsGivenBackAsAPlaceTakesNobodysPlace),
                planted(RoomBug.FORGETS_INVITATIONS_AT_A_RESTART,
                        RoomStoreContract::aUsedInvitationStaysSoAfterACrash),
                planted(RoomBug.GIVES_EACH_DEVICE_A_PLACE, RoomStoreContract::aUserHasOnePlaceOnAllDevices),
                planted(RoomBug.GIVES_EACH_DEVICE_A_PLACE,
                        RoomStoreContract::ofGatesThatAskForAUserAtOnceOneGivesThePlace),
                planted(RoomBug.LOOKS_UP_USERS_BEFORE_A_CALL, RoomStoreContract::devicesThatAskInOneCallGetOnePlace),
                planted(RoomBug.KEEPS_USERS_WHO_DEPARTED,
                        RoomStoreContract::aUserWhoGaveThePlaceBackOnOneDeviceHasItOnNoneAndTakesAnother),
                planted(RoomBug.LOSES_USERS_WHOSE_PLACE_MOVED, RoomStoreContract::aMovedPlaceStaysTheOnePlaceOfItsUser),
                planted(RoomBug.MOVES_SECOND_DEVICES_BACKWARDS, RoomStoreContract::aUserHasOnePlaceOnAllDevices),
                planted(RoomBug.GIVES_USERS_INSIDE_ANOTHER_PLACE,
                        RoomStoreContract::aUserInsideGetsNoFurtherPlaceAndAfterTheStayAnother),
                planted(RoomBug.LOCKS_USERS_OUT_AFTER_THEIR_STAY,
                        RoomStoreContract::aUserInsideGetsNoFurtherPlaceAndAfterTheStayAnother),
                planted(RoomBug.FORGETS_USERS_AT_A_RESTART,
                        RoomStoreContract::theOnePlaceOfAUserOutlastsACrash),
                planted(RoomBug.COUNTS_REPORTS_OF_BEFORE_A_DRAW,
                        RoomStoreContract::afterADrawNobodyOfATierIsCalledBeforeTheGatesReportAnew),
                planted(RoomBug.COUNTS_NO_TIER_AFTER_A_DRAW,
                        RoomStoreContract::afterADrawNobodyOfATierIsCalledBeforeTheGatesReportAnew),
                planted(RoomBug.COVERS_ALL_OF_EACH_TIER,
                        RoomStoreContract::nobodyOfATierIsCalledWhomAGateMayNotHaveReported));
    }

    @ParameterizedTest
    @EnumSource(names = {"WINDOW_ENDS_EARLY", "IGNORES_PRESENCE", "IGNORES_THE_EPOCH",
            "ADMITS_BEYOND_CAPACITY", "IGNORES_DEPARTURES", "FORGETS_USED_UP_TICKETS_AT_A_RESTART",
            "LOSES_EVERYTHING", "FORGETS_TIERS", "IGNORES_SHARES", "GIVES_PLACES_WITHOUT_THE_USE",
            "ACCEPTS_REVOKED_INVITATIONS", "MOVES_INVITED_VISITORS_BACKWARDS", "GIVES_EACH_DEVICE_A_PLACE",
            "KEEPS_USERS_WHO_DEPARTED", "LOSES_USERS_WHOSE_PLACE_MOVED", "GIVES_USERS_INSIDE_ANOTHER_PLACE",
            "LOCKS_USERS_OUT_AFTER_THEIR_STAY"})
    void randomCommandsFindItToo(RoomBug bug) {
        assertThat(catchThrowable(() -> run(bug, RoomRandomPart::randomCommandsHaveTheOutcomesOfTheModel)))
                .isInstanceOf(AssertionError.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"REVIVES_UNISSUED_PLACES", "REVIVES_NOTHING", "TAKES_KEPT_PASSES", "IGNORES_THE_EPOCH",
            "IGNORES_PRESENCE", "IGNORES_LEASES", "IGNORES_DEPARTURES", "MOVES_WITHOUT_VOIDING"})
    void theTableFindsItToo(RoomBug bug) {
        assertThat(catchThrowable(() -> run(bug, RoomTablePart::everyRequestInEverySituationHasTheOutcomeOfTheModel)))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void aFailingRandomRunReportsItsSeedAndAShortListOfCommands() {
        Throwable failure = catchThrowable(() -> run(RoomBug.IGNORES_DEPARTURES,
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
