package dev.orderly.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.history.HistoryFigure;
import dev.orderly.history.HistoryFigures;
import dev.orderly.history.HistoryPart;
import dev.orderly.history.HistoryReader;
import dev.orderly.history.HistorySubject;
import dev.orderly.history.RoomReport;
import dev.orderly.history.RoomReport.Point;
import dev.orderly.history.RoomReport.TierVisitors;
import dev.orderly.room.RoomName;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RoomReportTest {
    private static final RoomName SALE = new RoomName("sale");

    private final ManualTime time = new ManualTime();
    private final MemoryStore store = new MemoryStore(time);
    private final HistoryReader history = new HistoryReader(store.history(), time);
    private final Instant now = time.now().truncatedTo(ChronoUnit.HOURS);

    private void add(String source, Instant minute, HistoryFigures.Builder figures) {
        add(source, HistorySubject.of(SALE), minute, figures);
    }

    private void add(String source, HistorySubject subject, Instant minute, HistoryFigures.Builder figures) {
        store.history().append(source, List.of(new HistoryPart(subject, minute, figures.build())));
    }

    /** Visitors who entered, one for each wait in seconds. */
    private static HistoryFigures.Builder waits(IntStream seconds) {
        HistoryFigures.Builder figures = new HistoryFigures.Builder();
        seconds.forEach(wait -> figures.add(HistoryFigure.ADMITTED, 1)
                .add(HistoryFigure.WAITED_MILLIS, wait * 1_000L)
                .add(HistoryFigure.ENTRY_WAITS, HistoryFigure.ENTRY_WAITS.part(wait * 1_000L), 1));
        return figures;
    }

    @Test
    void theFiguresOfAllGatesAddUpAndPeaksStay() {
        Instant minute = now.minus(Duration.ofMinutes(30));
        add("gate-a", minute, new HistoryFigures.Builder().add(HistoryFigure.ARRIVALS, 30)
                .add(HistoryFigure.ANNOUNCED, 10).add(HistoryFigure.KEPT, 9).peak(HistoryFigure.IN_LINE, 20));
        add("gate-b", minute, new HistoryFigures.Builder().add(HistoryFigure.ARRIVALS, 12)
                .add(HistoryFigure.BECAME_ABSENT, 3).peak(HistoryFigure.IN_LINE, 25));
        RoomReport report = history.report(SALE, now.minus(Duration.ofHours(1)), now);
        assertThat(report.total().arrivals()).isEqualTo(42);
        assertThat(report.total().gaveUp()).isEqualTo(3);
        assertThat(report.total().longestLine()).isEqualTo(25);
        assertThat(report.total().announced()).isEqualTo(10);
        assertThat(report.total().kept()).isEqualTo(9);
        assertThat(report.total().meanWaitMillis()).as("nobody entered").isNull();
        assertThat(report.stepSeconds()).isEqualTo(60);
        assertThat(report.points()).hasSize(60);
        assertThat(report.points().get(30)).isEqualTo(new Point(minute, 42, 0, 3, 25L, null, null, null, null));
        assertThat(report.points().get(29)).isEqualTo(
                new Point(minute.minusSeconds(60), 0, 0, 0, null, null, null, null, null));
    }

    @Test
    void visitorsAreToldByTierAndThoseOfNoTierAreTheRest() {
        Instant minute = now.minus(Duration.ofMinutes(30));
        add("gate", minute, waits(IntStream.of(10, 10, 10, 100)).add(HistoryFigure.ARRIVALS, 6)
                .add(HistoryFigure.INVITED, 1).add(HistoryFigure.ANNOUNCED, 4).add(HistoryFigure.KEPT, 3)
                .peak(HistoryFigure.IN_LINE, 5));
        add("gate", HistorySubject.of(SALE, "press"), minute, waits(IntStream.of(100)).add(HistoryFigure.ARRIVALS, 2)
                .add(HistoryFigure.INVITED, 1).add(HistoryFigure.ANNOUNCED, 1));
        RoomReport report = history.report(SALE, List.of("members", "press"), now.minus(Duration.ofHours(1)), now);
        assertThat(report.tiers()).extracting(TierVisitors::tier).as("those with visitors").containsExactly("press",
                null);
        TierVisitors press = report.tiers().getFirst();
        assertThat(press).extracting(TierVisitors::arrivals, TierVisitors::invited, TierVisitors::entered,
                TierVisitors::announced, TierVisitors::kept).containsExactly(2L, 1L, 1L, 1L, 0L);
        assertThat(press.waitP50Millis()).isBetween(80_000L, 120_000L);
        TierVisitors others = report.tiers().getLast();
        assertThat(others).extracting(TierVisitors::arrivals, TierVisitors::invited, TierVisitors::entered,
                TierVisitors::announced, TierVisitors::kept).containsExactly(4L, 0L, 3L, 3L, 3L);
        assertThat(others.waitP95Millis()).isBetween(8_000L, 12_000L);
        assertThat(press.points()).hasSameSizeAs(report.points());
        assertThat(press.points().get(30)).extracting(Point::arrivals, Point::waiting).containsExactly(2L, null);
        assertThat(report.total().arrivals()).as("of all").isEqualTo(6);
    }

    @Test
    void aDayOnWhichNobodyHadATierHasNoTiers() {
        add("gate", now.minus(Duration.ofMinutes(5)), waits(IntStream.of(10)).add(HistoryFigure.ARRIVALS, 1));
        RoomReport before = history.report(SALE, List.of("members"), null, now);
        assertThat(before.tiers()).isEmpty();
        assertThat(before).isEqualTo(history.report(SALE, null, now));
    }

    @Test
    void refusalsAreToldByCauseAndPlacesByTheirNetworks() {
        add("gate", now.minus(Duration.ofMinutes(5)), new HistoryFigures.Builder()
                .add(HistoryFigure.REFUSED_JOINS, 3).add(HistoryFigure.TOKENS_REFUSED, 7)
                .add(HistoryFigure.PLACES_UP_TO_10, 40).add(HistoryFigure.PLACES_MORE, 2));
        RoomReport.Total total = history.report(SALE, null, now).total();
        assertThat(total.refusals()).containsExactly(new RoomReport.Refused("token", 7),
                new RoomReport.Refused("joins-per-address", 3));
        assertThat(total.places()).isEqualTo(new RoomReport.Places(40, 0, 0, 2));
    }

    @Test
    void theQuantilesOfWaitsAreWithinAFifthOfTheirValues() {
        add("gate", now.minus(Duration.ofMinutes(5)), waits(IntStream.rangeClosed(1, 2_000)));
        RoomReport.Total total = history.report(SALE, null, now).total();
        assertThat(total.entered()).isEqualTo(2_000);
        assertThat(total.meanWaitMillis()).isEqualTo(1_000_500);
        assertThat(total.waitP50Millis()).isBetween(800_000L, 1_200_000L);
        assertThat(total.waitP95Millis()).isBetween(1_520_000L, 2_280_000L);
    }

    @Test
    void aWaitBeyondTheLastBoundIsShownAsTheBound() {
        add("gate", now.minus(Duration.ofMinutes(5)), waits(IntStream.of(100_000, 100_000)));
        assertThat(history.report(SALE, null, now).total().waitP50Millis())
                .isEqualTo(HistoryFigure.ENTRY_WAITS.boundsMillis().getLast());
    }

    @Test
    void anEarlierSpanIsToldByHoursAndALongOneByLongerSteps() {
        Instant hour = now.minus(Duration.ofDays(3));
        add("gate", hour.plusSeconds(120), new HistoryFigures.Builder().add(HistoryFigure.ARRIVALS, 7));
        RoomReport report = history.report(SALE, hour.plusSeconds(60), hour.plusSeconds(3_700));
        assertThat(report.from()).isEqualTo(hour);
        assertThat(report.until()).isEqualTo(hour.plus(Duration.ofHours(2)));
        assertThat(report.points()).hasSize(2).first().extracting(Point::arrivals).isEqualTo(7L);
        RoomReport month = history.report(SALE, now.minus(Duration.ofDays(30)), now);
        assertThat(month.points()).hasSizeLessThanOrEqualTo(150);
        assertThat(month.total().arrivals()).isEqualTo(7);
        assertThat(month.points().stream().mapToLong(Point::arrivals).sum()).isEqualTo(7);
    }

    @Test
    void aSpanWithoutTimeOrWithTooMuchIsRefused() {
        assertThatThrownBy(() -> history.report(SALE, now, now)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("up to 100 days");
        assertThatThrownBy(() -> history.report(SALE, now.minus(Duration.ofDays(101)), now))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> history.report(SALE, Instant.MAX.minusSeconds(60), Instant.MAX))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> history.report(SALE, Instant.MIN, Instant.MIN.plusSeconds(60)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
