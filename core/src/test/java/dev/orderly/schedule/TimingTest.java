package dev.orderly.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimingTest {
    /** A Sunday at noon. */
    private static final String NOON = "2026-03-01T12:00:00Z";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0 7 * * *              | 2026-03-02T07:00:00Z 2026-03-03T07:00:00Z
            30 0 7 * * *           | 2026-03-02T07:00:30Z 2026-03-03T07:00:30Z
            */20 * * * *           | 2026-03-01T12:20:00Z 2026-03-01T12:40:00Z
            */20 * * * * *         | 2026-03-01T12:00:20Z 2026-03-01T12:00:40Z
            0 9 * * MON-FRI        | 2026-03-02T09:00:00Z 2026-03-03T09:00:00Z
            0 9 * * 1,3            | 2026-03-02T09:00:00Z 2026-03-04T09:00:00Z
            0 9 * * 0              | 2026-03-08T09:00:00Z 2026-03-15T09:00:00Z
            0 9 * * 7              | 2026-03-08T09:00:00Z 2026-03-15T09:00:00Z
            0 9 1 jan ?            | 2027-01-01T09:00:00Z 2028-01-01T09:00:00Z
            0 9 29 2 *             | 2028-02-29T09:00:00Z 2032-02-29T09:00:00Z
            0 9 L * ?              | 2026-03-31T09:00:00Z 2026-04-30T09:00:00Z
            0 9 LW * ?             | 2026-03-31T09:00:00Z 2026-04-30T09:00:00Z
            0 9 15W * *            | 2026-03-16T09:00:00Z 2026-04-15T09:00:00Z
            0 9 * * MON#2          | 2026-03-09T09:00:00Z 2026-04-13T09:00:00Z
            0 9 * * 5L             | 2026-03-27T09:00:00Z 2026-04-24T09:00:00Z
            0 0 10 * FRI           | 2026-03-06T00:00:00Z 2026-03-10T00:00:00Z
            every 15 minutes       | 2026-03-01T12:15:00Z 2026-03-01T12:30:00Z
            every 10 seconds       | 2026-03-01T12:00:10Z 2026-03-01T12:00:20Z
            every 8 hours          | 2026-03-01T16:00:00Z 2026-03-02T00:00:00Z
            every 60 minutes       | 2026-03-01T13:00:00Z 2026-03-01T14:00:00Z
            Every  Minute          | 2026-03-01T12:01:00Z 2026-03-01T12:02:00Z
            every hour             | 2026-03-01T13:00:00Z 2026-03-01T14:00:00Z
            hourly                 | 2026-03-01T13:00:00Z 2026-03-01T14:00:00Z
            daily                  | 2026-03-02T00:00:00Z 2026-03-03T00:00:00Z
            daily at 07:30         | 2026-03-02T07:30:00Z 2026-03-03T07:30:00Z
            every day at 23:59     | 2026-03-01T23:59:00Z 2026-03-02T23:59:00Z
            weekdays at 9:00       | 2026-03-02T09:00:00Z 2026-03-03T09:00:00Z
            every monday at 10:00  | 2026-03-02T10:00:00Z 2026-03-09T10:00:00Z
            every sunday           | 2026-03-08T00:00:00Z 2026-03-15T00:00:00Z
            weekly                 | 2026-03-02T00:00:00Z 2026-03-09T00:00:00Z
            monthly at 06:00       | 2026-04-01T06:00:00Z 2026-05-01T06:00:00Z
            every 13 minutes       | 2026-03-01T12:05:00Z 2026-03-01T12:18:00Z
            every 90 seconds       | 2026-03-01T12:01:30Z 2026-03-01T12:03:00Z
            every 5 hours from 2026-03-01 08:00    | 2026-03-01T13:00:00Z 2026-03-01T18:00:00Z
            every hour from 2026-03-01 12:00       | 2026-03-01T13:00:00Z 2026-03-01T14:00:00Z
            every 7 minutes from 2026-03-02 08:00  | 2026-03-02T08:00:00Z 2026-03-02T08:07:00Z
            every 7 minutes after the end          | 2026-03-01T12:07:00Z 2026-03-01T12:14:00Z
            every second after the end             | 2026-03-01T12:00:01Z 2026-03-01T12:00:02Z
            """)
    void aTimingIsDueAtItsInstants(String text, String instants) {
        assertThat(due(Timing.parse(text), NOON, 2)).containsExactly(instants.split(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"never", "0 0 30 2 *", "0 0 31 4,6,9,11 *"})
    void aDateThatNeverComesIsNeverDue(String text) {
        assertThat(Timing.parse(text).next(Instant.parse(NOON))).isEmpty();
        assertThat(Timing.parse(text).latest(Instant.parse(NOON), Instant.parse("2036-03-01T12:00:00Z"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''                   | 1 fields
            0 7 * *              | 4 fields
            60 * * * *           | 60
            0 24 * * *           | 24
            0 22-2 * * *         | 22-2
            0 0 32 * *           | 32
            0 0 * * MOONDAY      | MOONDAY
            sometimes            | no known timing
            every 0 minutes      | no known timing
            every 7 days         | no known timing
            every 0 minutes after the end          | no known timing
            every 7 minutes after the start        | no known timing
            every 7 minutes from 2026-02-30 08:00  | there is no 2026-02-30 08:00
            every 7 minutes from noon              | no known timing
            daily at 24:00       | no 24:00 in a day
            daily at noon        | no known timing
            0 7 7 * 5#           | has no end
            @daily               | 1 fields
            """)
    void anInvalidTextIsRefusedWithTheFaultAndExamples(String text, String why) {
        assertThatThrownBy(() -> Timing.parse(text)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + text + "\" is not a timing").hasMessageContaining(why)
                .hasMessageContaining("\"0 7 * * *\"").hasMessageContaining("\"every 15 minutes\"");
    }

    @Test
    void anIntervalIsAsLongAcrossAChangeOfClocks() {
        Timing timing = Timing.parse("every 7 hours from 2026-10-24 23:00", ZoneId.of("Europe/Berlin"));
        assertThat(due(timing, "2026-10-24T20:00:00Z", 3)).containsExactly("2026-10-24T21:00:00Z",
                "2026-10-25T04:00:00Z", "2026-10-25T11:00:00Z");
    }

    @Test
    void anIntervalAfterTheEndIsNotShorterByTheRestOfASecondAndHasOneInstantOnly() {
        Timing timing = Timing.parse("every 7 minutes after the end");
        assertThat(timing.countsFromEnd()).isTrue();
        assertThat(timing.next(Instant.parse("2026-03-01T12:00:00.001Z")))
                .contains(Instant.parse("2026-03-01T12:07:01Z"));
        assertThat(timing.latest(Instant.parse(NOON), Instant.parse("2026-03-05T12:00:00Z")))
                .contains(Instant.parse("2026-03-01T12:07:00Z"));
        assertThat(timing.latest(Instant.parse(NOON), Instant.parse("2026-03-01T12:06:59Z"))).isEmpty();
        assertThat(Timing.parse("every 7 minutes").countsFromEnd()).isFalse();
    }

    @Test
    void anIntervalIsMadeOfADuration() {
        assertThat(Timing.every(Duration.ofSeconds(5))).isEqualTo(Timing.parse("every 5 seconds"));
        assertThat(Timing.every(Duration.ofMinutes(1)).text()).isEqualTo("every 1 minutes");
        assertThat(Timing.every(Duration.ofSeconds(90)).text()).isEqualTo("every 90 seconds");
        assertThat(Timing.every(Duration.ofDays(2)).text()).isEqualTo("every 48 hours");
        assertThat(Timing.afterTheEnd(Duration.ofMinutes(7))).isEqualTo(Timing.parse("every 7 minutes after the end"));
        for (Duration wrong : List.of(Duration.ofMillis(1_500), Duration.ZERO, Duration.ofSeconds(-1))) {
            assertThatThrownBy(() -> Timing.afterTheEnd(wrong)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("use whole seconds");
        }
    }

    @Test
    void aLongTextIsRefusedWithAShortMessage() {
        assertThatThrownBy(() -> Timing.parse("1,".repeat(5_000) + "1 * * * *"))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("longer than 200 characters")
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(500));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Europe/Berlin       | 2026-03-28T12:00:00Z | 30 2 * * *     | 2026-03-29T03:00+02:00 2026-03-30T02:30+02:00
            Europe/Berlin       | 2026-03-28T12:00:00Z | */15 2 * * *   | 2026-03-29T03:00+02:00 2026-03-30T02:00+02:00
            Europe/Berlin       | 2026-03-28T12:00:00Z | 0 2,3 * * *    | 2026-03-29T03:00+02:00 2026-03-30T02:00+02:00
            America/New_York    | 2026-03-07T12:00:00Z | 30 2 * * *     | 2026-03-08T03:00-04:00 2026-03-09T02:30-04:00
            Australia/Lord_Howe | 2026-10-03T02:00:00Z | 15 2 * * *     | 2026-10-04T02:30+11:00 2026-10-05T02:15+11:00
            """)
    void aTimeThatTheClocksLeaveOutIsDueOnceAtTheFirstMomentAfter(String zone, String from, String cron,
            String instants) {
        assertThat(local(cron, zone, from, 2)).containsExactly(instants.split(" "));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    Europe/Berlin       | 2026-10-24T12:00:00Z | 30 2 * * *     | 2026-10-25T02:30+02:00 2026-10-26T02:30+01:00
                    Europe/Berlin       | 2026-10-24T12:00:00Z | */30 2,3 * * * | 2026-10-25T02:00+02:00 2026-10-25T02:30+02:00 2026-10-25T03:00+01:00
                    America/New_York    | 2026-10-31T12:00:00Z | 30 1 * * *     | 2026-11-01T01:30-04:00 2026-11-02T01:30-05:00
                    Australia/Lord_Howe | 2026-04-04T02:00:00Z | 45 1 * * *     | 2026-04-05T01:45+11:00 2026-04-06T01:45+10:30
                    """)
    void aRepeatedTimeIsDueTheFirstTimeOnly(String zone, String from, String cron, String instants) {
        String[] expected = instants.split(" ");
        assertThat(local(cron, zone, from, expected.length)).containsExactly(expected);
    }

    @Test
    void fromInsideTheRepeatedHourItsTimesAreDueTheNextDay() {
        Timing timing = Timing.parse("30 2 * * *", ZoneId.of("Europe/Berlin"));
        assertThat(timing.next(Instant.parse("2026-10-25T01:10:00Z"))).contains(Instant.parse("2026-10-26T01:30:00Z"));
    }

    @ParameterizedTest
    @CsvSource({"Europe/Berlin,2026-03-28T20:00:00Z", "Europe/Berlin,2026-10-24T20:00:00Z",
            "America/New_York,2026-03-08T00:00:00Z", "America/New_York,2026-11-01T00:00:00Z",
            "Australia/Lord_Howe,2026-10-03T10:00:00Z", "Australia/Lord_Howe,2026-04-04T10:00:00Z"})
    void everyQuarterOfAnHourFollowsElapsedTimeWhenClocksChange(String zone, String from) {
        Timing timing = Timing.parse("every 15 minutes", ZoneId.of(zone));
        Instant before = Instant.parse(from);
        for (int n = 0; n < 60; n++) {
            Instant next = timing.next(before).orElseThrow();
            assertThat(next).isEqualTo(before.plus(Duration.ofMinutes(15)));
            before = next;
        }
    }

    @ParameterizedTest
    @CsvSource({"Europe/Berlin,2026-03-28T22:00:00Z", "Europe/Berlin,2026-10-24T22:00:00Z",
            "America/New_York,2026-11-01T00:00:00Z"})
    void everyHourFollowsElapsedTimeWhenClocksChangeByAnHour(String zone, String from) {
        Timing timing = Timing.parse("7 * * * *", ZoneId.of(zone));
        Instant before = timing.next(Instant.parse(from)).orElseThrow();
        for (int n = 0; n < 10; n++) {
            Instant next = timing.next(before).orElseThrow();
            assertThat(next).isEqualTo(before.plus(Duration.ofHours(1)));
            before = next;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 */1 * * *", "0 0-23 * * *", "0 0-11,12-23 * * *", "0 0/1 * * *"})
    void everyHourFollowsElapsedTimeInAnyNotation(String text) {
        assertThat(local(text, "Europe/Berlin", "2026-10-24T23:30:00Z", 3)).containsExactly("2026-10-25T02:00+02:00",
                "2026-10-25T02:00+01:00", "2026-10-25T03:00+01:00");
    }

    @ParameterizedTest
    @ValueSource(strings = {"30 2 * * *", "*/20 1-3 * * *", "every 15 minutes", "0 */2 * * *", "hourly"})
    void theLatestInstantIsTheLastOfConsecutiveInstants(String text) {
        for (String zone : List.of("Europe/Berlin", "Australia/Lord_Howe", "UTC")) {
            for (String day : List.of("2026-03-28T20:00:00Z", "2026-10-24T20:00:00Z", "2026-04-04T10:00:00Z")) {
                Timing timing = Timing.parse(text, ZoneId.of(zone));
                Instant after = Instant.parse(day);
                for (int minutes = 1; minutes < 2_000; minutes += 97) {
                    Instant until = after.plus(Duration.ofMinutes(minutes));
                    assertThat(timing.latest(after, until)).isEqualTo(lastByWalking(timing, after, until));
                }
            }
        }
    }

    @Test
    void theLatestInstantOfAYearOfSecondsIsFoundQuickly() {
        Instant until = Instant.parse("2027-03-01T12:00:00.500Z");
        assertThat(Timing.parse("every second").latest(Instant.parse(NOON), until))
                .contains(Instant.parse("2027-03-01T12:00:00Z"));
    }

    @Test
    void theNextInstantIsStrictlyAfterTheGivenMoment() {
        Timing timing = Timing.parse("* * * * * *");
        assertThat(timing.next(Instant.parse("2026-03-01T12:00:00Z"))).contains(Instant.parse("2026-03-01T12:00:01Z"));
        assertThat(timing.next(Instant.parse("2026-03-01T12:00:00.999Z")))
                .contains(Instant.parse("2026-03-01T12:00:01Z"));
    }

    @Test
    void timingsAreEqualIfTextAndZoneAreEqual() {
        Timing timing = Timing.parse("daily  at 07:30", ZoneId.of("Europe/Berlin"));
        assertThat(timing).isEqualTo(Timing.parse("Daily at 07:30", ZoneId.of("Europe/Berlin")))
                .hasToString("daily at 07:30 Europe/Berlin").isNotEqualTo(Timing.parse("daily at 07:30"));
    }

    private static Optional<Instant> lastByWalking(Timing timing, Instant after, Instant until) {
        Optional<Instant> last = Optional.empty();
        Optional<Instant> next = timing.next(after);
        while (next.isPresent() && !next.get().isAfter(until)) {
            last = next;
            next = timing.next(next.get());
        }
        return last;
    }

    private static List<String> due(Timing timing, String after, int count) {
        List<String> found = new ArrayList<>();
        Instant before = Instant.parse(after);
        for (int n = 0; n < count; n++) {
            before = timing.next(before).orElseThrow();
            found.add(before.toString());
        }
        return found;
    }

    /** Due instants in local time. */
    private static List<String> local(String cron, String zone, String after, int count) {
        ZoneId id = ZoneId.of(zone);
        return due(Timing.parse(cron, id), after, count).stream()
                .map(instant -> OffsetDateTime.ofInstant(Instant.parse(instant), id).toString()).toList();
    }

    @Test
    void theTestZonesChangeTheirClocksAsExpected() {
        assertThat(ZoneId.of("Australia/Lord_Howe").getRules().getTransition(LocalDateTime.of(2026, 10, 4, 2, 15)))
                .satisfies(change -> assertThat(change.getDuration()).isEqualTo(Duration.ofMinutes(30)));
    }

    @Test
    void aJitterPutsEachRunBehindItsInstantAndNeverTwice() {
        Duration jitter = Duration.ofSeconds(59);
        Timing timing = Timing.parse("every minute").withJitter(jitter);
        ScheduleName name = new ScheduleName("report");
        Instant from = Instant.parse(NOON);
        Instant reached = from;
        List<Instant> fired = new ArrayList<>();
        Set<Long> offsets = new HashSet<>();
        for (int second = 1; second <= 1_200; second++) {
            Instant now = from.plusSeconds(second);
            Optional<Instant> due = timing.latestStarted(name, reached, now);
            if (due.isPresent()) {
                Duration late = Duration.between(due.get(), now);
                assertThat(late).isBetween(Duration.ZERO, jitter.plusSeconds(1));
                assertThat(now).isAfterOrEqualTo(timing.startOf(name, due.get()));
                offsets.add(late.toSeconds());
                fired.add(due.get());
                reached = due.get();
            }
        }
        assertThat(fired).hasSizeBetween(19, 20)
                .isEqualTo(Stream.iterate(from.plusSeconds(60), instant -> instant.plusSeconds(60)).limit(fired.size())
                        .toList());
        assertThat(offsets).hasSizeGreaterThan(5);
    }

    @Test
    void aJitterSpreadsSchedulesOfOneInstantAndIsTheSameEverywhere() {
        Timing nightly = Timing.parse("0 2 * * *", ZoneId.of("Europe/Berlin")).withJitter(Duration.ofHours(1));
        Instant instant = nightly.next(Instant.parse(NOON)).orElseThrow();
        List<Instant> starts = IntStream.range(0, 100)
                .mapToObj(n -> nightly.startOf(new ScheduleName("tenant-" + n), instant)).toList();
        assertThat(starts).allSatisfy(start -> assertThat(start).isBetween(instant, instant.plus(nightly.jitter())));
        assertThat(new HashSet<>(starts)).hasSizeGreaterThan(90);
        Timing same = Timing.parse("0 2 * * *", ZoneId.of("Europe/Berlin")).withJitter(Duration.ofHours(1));
        assertThat(same).isEqualTo(nightly).hasToString("0 2 * * * Europe/Berlin jitter PT1H");
        assertThat(same.startOf(new ScheduleName("tenant-7"), instant)).isEqualTo(starts.get(7));
        assertThat(same.withJitter(Duration.ZERO)).hasToString("0 2 * * * Europe/Berlin");
    }

    @Test
    void aJitterIsShorterThanTheTimeBetweenInstants() {
        Timing minutely = Timing.parse("every minute");
        assertThatThrownBy(() -> minutely.withJitter(Duration.ofMinutes(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("A jitter of 1 min of \"every minute\"")
                .hasMessageContaining("use less than that");
        assertThatThrownBy(() -> minutely.withJitter(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(Timing.parse("every 5 minutes after the end").withJitter(Duration.ofHours(1)).jitter())
                .isEqualTo(Duration.ofHours(1));
        assertThat(Timing.parse("never").withJitter(Duration.ofHours(1)).next(Instant.parse(NOON))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"daily", "never", "every 5 minutes after the end", "monthly"})
    void aJitterHasABoundWithEveryTiming(String text) {
        for (Duration tooLong : List.of(Duration.ofDays(7).plusMillis(1), Duration.ofSeconds(Long.MAX_VALUE),
                Duration.ofSeconds(Long.MAX_VALUE, 999_000_000))) {
            assertThatThrownBy(() -> Timing.parse(text).withJitter(tooLong))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("use zero to 7 d");
        }
    }
}
