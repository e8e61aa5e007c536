package dev.orderly.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.room.OpeningStatus.Phase;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The times of openings, and the phases of a room by them. */
class OpeningsTest {
    private static final ZonedDateTime TEN = Opening.parseTime("2027-03-01T10:00 Europe/Berlin");
    private static final Opening FIRST = opening(TEN, TEN.plusHours(4));
    private static final Opening SECOND = opening(TEN.plusDays(1), null);
    private static final Openings CLOSED_BETWEEN = new Openings(List.of(SECOND, FIRST), false);

    private static Opening opening(ZonedDateTime opens, @Nullable ZonedDateTime closes) {
        return new Opening(opens, Duration.ofMinutes(30), closes, 5_000);
    }

    private static Instant at(Duration afterTen) {
        return TEN.toInstant().plus(afterTen);
    }

    private static Instant minutes(long afterTen) {
        return at(Duration.ofMinutes(afterTen));
    }

    private static Phase phase(Instant now) {
        return CLOSED_BETWEEN.at(List.of(), now).phase();
    }

    @Test
    void aTimeHasAZoneOrAnOffset() {
        assertThat(TEN.toInstant()).isEqualTo(Instant.parse("2027-03-01T09:00:00Z"));
        assertThat(Opening.parseTime("2027-03-01 10:00:30 +02:00").toInstant())
                .isEqualTo(Instant.parse("2027-03-01T08:00:30Z"));
        assertThat(Opening.text(TEN)).isEqualTo("2027-03-01T10:00 Europe/Berlin");
    }

    /** Clocks in Berlin go from 02:00 to 03:00 on 28 March 2027, and from 03:00 back to 02:00 on 31 October. */
    @ParameterizedTest
    @CsvSource({"2027-03-28T02:30 Europe/Berlin,does not exist in Europe/Berlin", "2027-10-31T02:30 Europe/Berlin,"
            + "2027-10-31T02:30 +02:00 or 2027-10-31T02:30 +01:00", "2027-02-30T10:00 Europe/Berlin,no day and time",
            "2027-03-01T10:00 Europe/Bonn,no time zone", "2027-03-01T10:00,no time with a zone", "10:00 UTC,no time"})
    void aTimeThatIsNoneOrTwoIsRefusedWithTheRemedy(String text, String words) {
        assertThatThrownBy(() -> Opening.parseTime(text)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(words);
    }

    @Test
    void aTimeThatOccursTwiceIsWrittenWithItsOffset() {
        ZonedDateTime later = Opening.parseTime("2027-10-31T02:30 +01:00")
                .withZoneSameInstant(ZoneId.of("Europe/Berlin"));
        assertThat(Opening.text(later)).isEqualTo("2027-10-31T02:30 +01:00");
        assertThat(Opening.parseTime(Opening.text(later)).toInstant()).isEqualTo(later.toInstant());
    }

    @Test
    void phasesChangeAtTheirVeryMoments() {
        assertThat(phase(minutes(-30).minusMillis(1))).isEqualTo(Phase.BETWEEN);
        assertThat(phase(minutes(-30))).isEqualTo(Phase.LOBBY);
        assertThat(phase(minutes(0).minusMillis(1))).isEqualTo(Phase.LOBBY);
        assertThat(phase(minutes(0))).isEqualTo(Phase.SELLING);
        assertThat(phase(minutes(240).minusMillis(1))).isEqualTo(Phase.SELLING);
        assertThat(phase(minutes(240))).isEqualTo(Phase.BETWEEN);
        assertThat(phase(at(Duration.ofDays(900)))).as("without an end").isEqualTo(Phase.SELLING);
        Openings one = new Openings(List.of(FIRST), false);
        assertThat(one.at(List.of(), minutes(240)).phase()).isEqualTo(Phase.CLOSED);
    }

    @Test
    void visitorsEnterInTheOpeningAloneOrBetweenTooButNeverInTheLobby() {
        Openings open = new Openings(List.of(FIRST), true);
        for (long minute = -60; minute < 300; minute += 10) {
            boolean lobby = minute >= -30 && minute < 0;
            boolean window = minute >= 0 && minute < 240;
            assertThat(new Openings(List.of(FIRST), false).at(List.of(), minutes(minute)).admits()).isEqualTo(window);
            assertThat(open.at(List.of(), minutes(minute)).admits()).isEqualTo(!lobby);
            assertThat(open.at(List.of(), minutes(minute)).givesPlaces()).isTrue();
        }
        assertThat(Openings.NONE.at(List.of(), minutes(0)).admits()).isTrue();
    }

    @Test
    void openingsMustNotOverlap() {
        assertThatThrownBy(() -> new Openings(List.of(FIRST, opening(TEN.plusHours(4), null)), false))
                .hasMessageContaining("its end at 2027-03-01T14:00 Europe/Berlin")
                .hasMessageContaining("shorter lobby");
        assertThatThrownBy(() -> new Openings(List.of(SECOND, opening(TEN.plusDays(2), null)), false))
                .hasMessageContaining("no end");
        assertThatThrownBy(() -> opening(TEN, TEN)).hasMessageContaining("is not later");
        assertThatThrownBy(() -> new Opening(TEN, Duration.ofHours(25), null, null)).hasMessageContaining("1 d 1 h");
        assertThatThrownBy(() -> new Opening(TEN, Duration.ZERO, null, 0)).hasMessageContaining("stock of 0");
    }

    @Test
    void aMovedOpeningSaysWhenItWasAnnounced() {
        List<OpeningChange> later = CLOSED_BETWEEN.move(List.of(), TEN.plusMinutes(20), null, minutes(-10));
        OpeningStatus status = CLOSED_BETWEEN.at(later, minutes(0));
        assertThat(status.phase()).isEqualTo(Phase.LOBBY);
        assertThat(status.instead()).isEqualTo(TEN);
        assertThat(status.opening()).isEqualTo(opening(TEN.plusMinutes(20), TEN.plusHours(4)));
        assertThat(CLOSED_BETWEEN.at(later, minutes(20)).admits()).isTrue();

        List<OpeningChange> again = CLOSED_BETWEEN.move(later, TEN.plusHours(5), TEN.plusHours(6), minutes(1));
        assertThat(again).hasSize(1);
        assertThat(CLOSED_BETWEEN.at(again, minutes(1)).phase()).isEqualTo(Phase.BETWEEN);
        assertThat(CLOSED_BETWEEN.at(again, minutes(1)).instead()).isEqualTo(TEN);
        assertThat(OpeningChange.ofStored(OpeningChange.stored(again))).isEqualTo(again);
    }

    @Test
    void theEndOfAMovedOpeningIsTheConfiguredOneUnlessItWasMovedToo() {
        List<OpeningChange> moved = CLOSED_BETWEEN.move(List.of(), TEN.plusMinutes(20), null, minutes(-10));
        Openings longer = new Openings(List.of(opening(TEN, TEN.plusHours(6))), false);
        assertThat(longer.at(moved, minutes(300)).phase()).isEqualTo(Phase.SELLING);
        assertThat(longer.at(moved, minutes(360)).phase()).isEqualTo(Phase.CLOSED);
        Openings sooner = new Openings(List.of(opening(TEN, TEN.plusMinutes(5))), false);
        assertThat(sooner.at(moved, minutes(24)).phase()).as("as long as configured").isEqualTo(Phase.SELLING);
        assertThat(sooner.at(moved, minutes(25)).phase()).isEqualTo(Phase.CLOSED);

        List<OpeningChange> both = CLOSED_BETWEEN.move(moved, TEN.plusMinutes(30), TEN.plusHours(5), minutes(1));
        List<OpeningChange> again = CLOSED_BETWEEN.move(both, TEN.plusMinutes(40), null, minutes(2));
        assertThat(longer.at(again, minutes(299)).phase()).isEqualTo(Phase.SELLING);
        assertThat(longer.at(again, minutes(300)).phase()).isEqualTo(Phase.CLOSED);
    }

    @Test
    void anEarlierTimeIsFiveMinutesAwayAtLeast() {
        Instant now = minutes(-20);
        assertThat(CLOSED_BETWEEN.move(List.of(), TEN.minusMinutes(15), null, now)).hasSize(1);
        assertThatThrownBy(() -> CLOSED_BETWEEN.move(List.of(), TEN.minusMinutes(15).minusSeconds(1), null, now))
                .hasMessageContaining("is announced for 2027-03-01T10:00 Europe/Berlin")
                .hasMessageContaining("2027-03-01T08:45:00Z or later");
        List<OpeningChange> later = CLOSED_BETWEEN.move(List.of(), TEN.plusMinutes(20), null, minutes(-1));
        assertThat(CLOSED_BETWEEN.move(later, TEN.plusMinutes(30), null, minutes(19)))
                .as("later than announced, at any time before").hasSize(1);
        assertThatThrownBy(() -> CLOSED_BETWEEN.move(later, TEN, null, minutes(-1)))
                .as("back to a time announced once").hasMessageContaining("2027-03-01T10:20 Europe/Berlin");
    }

    @Test
    void anOpeningThatHasBegunStays() {
        Openings one = new Openings(List.of(FIRST), false);
        assertThatThrownBy(() -> one.move(List.of(), TEN.plusHours(1), null, minutes(0)))
                .hasMessageContaining("no opening to come");
        assertThatThrownBy(() -> one.cancel(List.of(), minutes(0))).hasMessageContaining("mode drain or hold");
        assertThat(CLOSED_BETWEEN.at(CLOSED_BETWEEN.cancel(List.of(), minutes(0)), minutes(0)).phase())
                .as("the next one is cancelled").isEqualTo(Phase.SELLING);
    }

    @Test
    void aMoveKeepsOpeningsApartAndInOrder() {
        assertThatThrownBy(() -> CLOSED_BETWEEN.move(List.of(), TEN.plusHours(4), null, minutes(-60)))
                .hasMessageContaining("before it begins");
        assertThatThrownBy(() -> CLOSED_BETWEEN.move(List.of(), TEN.plusHours(4), TEN.plusDays(1), minutes(-60)))
                .hasMessageContaining("shorter lobby");
        assertThatThrownBy(() -> CLOSED_BETWEEN.move(List.of(), TEN.minusDays(3), null, minutes(-60)))
                .hasMessageContaining("or later");
    }

    @Test
    void aCancelledOpeningIsToldUntilItsEnd() {
        List<OpeningChange> cancelled = CLOSED_BETWEEN.cancel(List.of(), minutes(-10));
        OpeningStatus status = CLOSED_BETWEEN.at(cancelled, minutes(0));
        assertThat(status.phase()).isEqualTo(Phase.BETWEEN);
        assertThat(status.opening()).isEqualTo(SECOND);
        assertThat(status.cancelled()).isEqualTo(TEN);
        assertThat(CLOSED_BETWEEN.at(cancelled, minutes(240)).cancelled()).isNull();
        List<OpeningChange> both = CLOSED_BETWEEN.cancel(cancelled, minutes(0));
        assertThat(CLOSED_BETWEEN.at(both, minutes(0)).phase()).isEqualTo(Phase.CLOSED);
        assertThat(CLOSED_BETWEEN.at(both, at(Duration.ofDays(2))).cancelled()).as("a day without an end").isNull();
        assertThatThrownBy(() -> CLOSED_BETWEEN.cancel(both, minutes(0))).hasMessageContaining("no opening to come");
    }

    @Test
    void aCancelledOpeningIsNamedByTheTimeThatVisitorsKnew() {
        List<OpeningChange> moved = CLOSED_BETWEEN.move(List.of(), TEN.plusHours(5), TEN.plusHours(6), minutes(-10));
        List<OpeningChange> cancelled = CLOSED_BETWEEN.cancel(moved, minutes(0));
        assertThat(CLOSED_BETWEEN.at(cancelled, minutes(0)).cancelled()).isEqualTo(TEN.plusHours(5));
        assertThat(CLOSED_BETWEEN.at(cancelled, minutes(359)).cancelled()).as("until the end they knew")
                .isEqualTo(TEN.plusHours(5));
        assertThat(CLOSED_BETWEEN.at(cancelled, minutes(360)).cancelled()).isNull();
        assertThat(OpeningChange.ofStored(OpeningChange.stored(cancelled))).isEqualTo(cancelled);
    }

    @Test
    void anOpeningCanBeChangedUntilItBegins() {
        assertThat(CLOSED_BETWEEN.begins(List.of(), minutes(-1))).isEqualTo(TEN.toInstant());
        List<OpeningChange> moved = CLOSED_BETWEEN.move(List.of(), TEN.plusMinutes(20), null, minutes(-1));
        assertThat(CLOSED_BETWEEN.begins(moved, minutes(19))).isEqualTo(TEN.plusMinutes(20).toInstant());
        assertThat(CLOSED_BETWEEN.begins(moved, minutes(20))).isEqualTo(TEN.plusDays(1).toInstant());
    }

    @Test
    void afterTheLastEndARoomThatIsOpenBetweenIsNotCalledClosed() {
        OpeningStatus status = new Openings(List.of(FIRST), true).at(List.of(), minutes(240));
        assertThat(status.phase()).isEqualTo(Phase.BETWEEN);
        assertThat(status.admits()).isTrue();
        assertThat(status.opening()).isNull();
    }

    @Test
    void changesOfOpeningsThatAreNoLongerConfiguredCountForNothing() {
        List<OpeningChange> changes = List.of(OpeningChange.cancelled(minutes(1)));
        assertThat(CLOSED_BETWEEN.at(changes, minutes(0))).isEqualTo(CLOSED_BETWEEN.at(List.of(), minutes(0)));
        assertThat(CLOSED_BETWEEN.cancel(changes, minutes(-10))).containsExactly(
                OpeningChange.cancelled(TEN.toInstant()));
        Openings sooner = new Openings(List.of(opening(TEN, TEN.plusMinutes(5))), false);
        List<OpeningChange> moved = CLOSED_BETWEEN.move(List.of(), TEN.plusMinutes(20), null, minutes(-10));
        assertThat(sooner.at(moved, minutes(21)).phase()).as("an end in the configuration that came meanwhile")
                .isEqualTo(Phase.SELLING);
    }
}
