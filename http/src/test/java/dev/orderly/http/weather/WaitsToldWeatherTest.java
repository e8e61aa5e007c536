package dev.orderly.http.weather;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.http.weather.ToldCrowd.Outcome;
import dev.orderly.testkit.sim.Manner.Staying;
import dev.orderly.testkit.sim.WaitCrowd;
import dev.orderly.testkit.sim.WaitCrowd.Bottleneck;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The waits that visitors are told over HTTP. */
class WaitsToldWeatherTest {
    private static final long SEED = 101;

    static Stream<WaitCrowd> crowds() {
        return Stream.of(new WaitCrowd(Bottleneck.CAPACITY, 6, Staying.EVEN, false, 0.2));
    }

    @ParameterizedTest
    @MethodSource("crowds")
    void mostWaitsAreInsideTheRangeThatWasToldFirst(WaitCrowd crowd) {
        Outcome outcome = new ToldCrowd(crowd, SEED).play();
        assertThat(outcome.waited()).isGreaterThan(200);
        assertThat(outcome.inside()).as("%s", outcome).isGreaterThanOrEqualTo(0.8);
        assertThat(outcome.width()).as("%s", outcome).isLessThanOrEqualTo(0.7);
        assertThat(outcome.raised()).as("%s", outcome).isZero();
    }

    /** Every crowd with {@code -Dorderly.waits=1}. */
    @Test
    void everyCrowd() {
        List<String> rows = new ArrayList<>();
        for (WaitCrowd crowd : Integer.getInteger("orderly.waits", 0) == 0 ? List.<WaitCrowd>of() : WaitCrowd.all()) {
            Outcome outcome = new ToldCrowd(crowd, SEED).play();
            rows.add("%-60s inside %.2f width %.2f raised %d".formatted(crowd, outcome.inside(), outcome.width(),
                    outcome.raised()));
        }
        rows.forEach(System.out::println);
        assertThat(rows).hasSizeLessThanOrEqualTo(WaitCrowd.all().size());
    }
}
