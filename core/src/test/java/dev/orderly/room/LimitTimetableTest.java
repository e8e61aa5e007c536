package dev.orderly.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.room.LimitTimetable.Change;
import dev.orderly.room.LimitTimetable.Entry;
import dev.orderly.room.LimitTimetable.From;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LimitTimetableTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final Rate SLOW = new Rate(50, Duration.ofMinutes(1));
    private static final Rate FAST = new Rate(200, Duration.ofMinutes(1));
    private static final Limits OWN = new Limits(300, SLOW);

    private static final LimitTimetable TABLE = new LimitTimetable(BERLIN, List.of(
            entry("22:00", 100, null),
            entry("10:15", null, FAST),
            entry("2027-03-01T10:15", 500, FAST)));

    private static Entry entry(String from, @Nullable Integer capacity, @Nullable Rate rate) {
        return new Entry(From.parse(from), new Limits(capacity, rate));
    }

    private static Instant at(String local) {
        return LocalDateTime.parse(local).atZone(BERLIN).toInstant();
    }

    private static Limits limits(String local) {
        return TABLE.at(OWN, at(local));
    }

    @Test
    void anEntryHoldsFromItsTimeUntilTheNextEntryOrMidnight() {
        assertThat(limits("2027-02-28T10:14:59")).isEqualTo(OWN);
        assertThat(limits("2027-02-28T10:15:00")).isEqualTo(new Limits(300, FAST));
        assertThat(limits("2027-02-28T21:59:59")).isEqualTo(new Limits(300, FAST));
        assertThat(limits("2027-02-28T22:00:00")).isEqualTo(new Limits(100, SLOW));
        assertThat(limits("2027-03-01T00:00:00")).isEqualTo(OWN);
    }

    @Test
    void anEntryOfOneDayPrecedesAnEntryOfEachDayAtTheSameTime() {
        assertThat(limits("2027-03-01T10:15:00")).isEqualTo(new Limits(500, FAST));
        assertThat(limits("2027-03-02T10:15:00")).isEqualTo(new Limits(300, FAST));
    }

    @Test
    void theNextChangeIsTheNextMomentWithOtherLimits() {
        assertThat(TABLE.next(OWN, at("2027-02-28T09:00:00")))
                .contains(new Change(at("2027-02-28T10:15:00"), new Limits(300, FAST)));
        assertThat(TABLE.next(OWN, at("2027-02-28T10:15:00")))
                .contains(new Change(at("2027-02-28T22:00:00"), new Limits(100, SLOW)));
        assertThat(TABLE.next(OWN, at("2027-02-28T23:00:00"))).contains(new Change(at("2027-03-01T00:00:00"), OWN));
        assertThat(LimitTimetable.NONE.next(OWN, at("2027-02-28T23:00:00"))).isEmpty();
        LimitTimetable same = new LimitTimetable(BERLIN, List.of(entry("12:00", 300, null)));
        assertThat(same.next(OWN, at("2027-02-28T09:00:00"))).as("the room's own limits").isEmpty();
    }

    @Test
    void theNextChangeIsFoundHoweverFarAwayItsDayIs() {
        LimitTimetable once = new LimitTimetable(BERLIN, List.of(entry("2027-03-01 12:00:00", 7, null)));
        assertThat(once.next(OWN, at("2026-01-01T00:00:00")))
                .contains(new Change(at("2027-03-01T12:00:00"), new Limits(7, SLOW)));
        assertThat(once.next(OWN, at("2027-03-01T12:00:00"))).contains(new Change(at("2027-03-02T00:00:00"), OWN));
        assertThat(once.next(OWN, at("2027-03-02T00:00:00"))).isEmpty();
    }

    @Test
    void anEntryInAGapOfTheWallClockHoldsFromTheEndOfTheGap() {
        LimitTimetable night = new LimitTimetable(BERLIN,
                List.of(entry("02:30", 7, null)));
        assertThat(night.at(OWN, at("2027-03-28T01:59:59"))).isEqualTo(OWN);
        assertThat(night.at(OWN, at("2027-03-28T03:00:00"))).isEqualTo(new Limits(7, SLOW));
        assertThat(night.next(OWN, at("2027-03-28T01:00:00"))).map(Change::limits).contains(new Limits(7, SLOW));
    }

    @Test
    void aTimeIsReadAndWrittenInTheFormOfTheConfiguration() {
        assertThat(List.of("10:15", "23:59:59", "2027-03-01T10:15"))
                .allSatisfy(text -> assertThat(From.parse(text)).hasToString(text));
        assertThat(List.of("", "10", "25:00", "10:15 am", "2027-02-30T10:15", "T10:15"))
                .allSatisfy(text -> assertThatThrownBy(() -> From.parse(text))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("\"" + text + "\" is no time: use a time such as 10:15, or a day with it such as"
                                + " 2027-03-01T10:15"));
    }

    @Test
    void contradictoryAndTooManyEntriesAreRefusedWithTheRemedy() {
        assertThatThrownBy(() -> entry("12:00", null, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The limits from 12:00 name neither capacity nor rate: name one, or remove the entry");
        Entry noon = entry("12:00", 7, null);
        assertThatThrownBy(() -> new LimitTimetable(BERLIN, List.of(noon, entry("12:00", 8, null))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Two entries begin at 12:00: remove one");
        List<Entry> many = IntStream.rangeClosed(0, LimitTimetable.MOST)
                .mapToObj(
                        minute -> new Entry(new From(null, LocalTime.ofSecondOfDay(minute * 60L)), new Limits(7, null)))
                .toList();
        assertThatThrownBy(() -> new LimitTimetable(BERLIN, many)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("A timetable of 201 entries: use at most 200");
    }
}
