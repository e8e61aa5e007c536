package dev.orderly.testkit.weather;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.testkit.sim.Manner.Staying;
import dev.orderly.testkit.sim.Manner.Waiting;
import dev.orderly.testkit.sim.Report;
import dev.orderly.testkit.sim.RoomSimulation;
import dev.orderly.testkit.sim.WaitCrowd;
import dev.orderly.testkit.sim.WaitCrowd.Bottleneck;
import dev.orderly.testkit.sim.Waits;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What waiting visitors are told, and how well a small capacity is used, in crowds that behave as they please. */
class WaitsToldWeatherTest {
    /** Seen while the estimate was tuned: it guards what holds. */
    private static final long SEED = 101;
    /** What is measured begins with a seed that was not. */
    private static final long UNSEEN = 9_001;

    /** All of them with {@code -Dorderly.waits=SEEDS}: {@link #everyCrowd}. */
    static Stream<WaitCrowd> crowds() {
        return Stream.of(new WaitCrowd(Bottleneck.RATE, 6, Staying.EXPONENTIAL, true, 0),
                new WaitCrowd(Bottleneck.RATE, 6, Staying.EXPONENTIAL, true, 0.5),
                new WaitCrowd(Bottleneck.RATE, 6, Staying.EXPONENTIAL, true, 0.9),
                new WaitCrowd(Bottleneck.RATE, 6, Staying.EXPONENTIAL, false, 0.5),
                new WaitCrowd(Bottleneck.CAPACITY, 6, Staying.FIXED, true, 0.2),
                new WaitCrowd(Bottleneck.CAPACITY, 60, Staying.EVEN, false, 0.5),
                new WaitCrowd(Bottleneck.CAPACITY, 6, Staying.EVEN, true, 0),
                new WaitCrowd(Bottleneck.CAPACITY, 6, Staying.EXPONENTIAL, true, 0.5),
                new WaitCrowd(Bottleneck.CAPACITY, 2, Staying.FIXED, true, 0.5),
                new WaitCrowd(Bottleneck.BOTH, 6, Staying.FIXED, true, 0.5),
                new WaitCrowd(Bottleneck.BOTH, 60, Staying.EXPONENTIAL, false, 0.2));
    }

    @ParameterizedTest
    @MethodSource("crowds")
    void mostWaitsAreInsideTheRangeThatWasToldFirst(WaitCrowd crowd) {
        Waits waits = RoomSimulation.run(crowd.scenario(SEED, Waiting.MIXED)).waits();
        assertThat(waits.visitors()).isGreaterThan(200);
        assertThat(waits.inside()).as("%s", waits).isGreaterThanOrEqualTo(0.8);
        assertThat(waits.width()).as("%s", waits).isLessThanOrEqualTo(0.7);
        assertThat(waits.untold()).as("%s", waits).isLessThanOrEqualTo(0.1);
        assertThat(waits.raised()).as("%s", waits).isZero();
    }

    @ParameterizedTest
    @CsvSource({"2, EXPONENTIAL", "2, FIXED", "6, EXPONENTIAL", "6, EVEN", "60, EVEN"})
    void connectedVisitorsUseTheWholeCapacityHoweverShortTheStays(int stay, Staying staying) {
        WaitCrowd crowd = new WaitCrowd(Bottleneck.CAPACITY, stay, staying, true, 0);
        Report report = RoomSimulation.run(crowd.scenario(SEED, Waiting.EVENTS));
        assertThat(report.capacityUsed()).as("%s", report).isBetween(0.95, 1.0);
    }

    /** With {@code -Dorderly.waits=3} prints how it is over so many seeds. */
    @Test
    void everyCrowd() {
        int seeds = Integer.getInteger("orderly.waits", 0);
        List<String> rows = new ArrayList<>();
        for (WaitCrowd crowd : seeds == 0 ? List.<WaitCrowd>of() : WaitCrowd.all()) {
            List<Report> reports = Stream.iterate(UNSEEN, seed -> seed + 1).limit(seeds)
                    .map(seed -> RoomSimulation.run(crowd.scenario(seed, Waiting.MIXED))).toList();
            rows.add("%-60s inside %.2f width %.2f untold %.2f raised %d used %.2f".formatted(crowd,
                    mean(reports, Waits::inside), mean(reports, Waits::width), mean(reports, Waits::untold),
                    reports.stream().mapToInt(report -> report.waits().raised()).sum(),
                    reports.stream().mapToDouble(Report::capacityUsed).average().orElseThrow()));
        }
        rows.forEach(System.out::println);
        assertThat(rows).hasSize(seeds == 0 ? 0 : WaitCrowd.all().size());
    }

    private static double mean(List<Report> reports, ToDoubleFunction<Waits> figure) {
        return reports.stream().map(Report::waits).mapToDouble(figure).average().orElseThrow();
    }
}
