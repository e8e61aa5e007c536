package dev.orderly.http.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.http.resilience.HttpCrowd.Outcome;
import dev.orderly.room.Rate;
import dev.orderly.testkit.sim.Manner.Staying;
import dev.orderly.testkit.sim.WaitCrowd;
import dev.orderly.testkit.sim.WaitCrowd.Bottleneck;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The waits that visitors are told over HTTP. */
class AnnouncedWaitsResilienceTest {
    private static final Logger LOG = LoggerFactory.getLogger(AnnouncedWaitsResilienceTest.class);
    private static final long SEED = 101;

    /** Every crowd with {@code -Dorderly.waits=1}. */
    static Stream<WaitCrowd> crowds() {
        return Integer.getInteger("orderly.waits", 0) > 0
                ? WaitCrowd.all().stream()
                : Stream.of(new WaitCrowd(Bottleneck.CAPACITY, 6, Staying.EVEN, false, 0.2));
    }

    @ParameterizedTest
    @MethodSource("crowds")
    void mostWaitsAreInsideTheRangeThatWasToldFirst(WaitCrowd crowd) {
        Outcome outcome = new HttpCrowd(crowd, 1, SEED).play();
        LOG.info("{}: {}", crowd, outcome);
        assertThat(outcome.waited()).isGreaterThan(200);
        assertThat(outcome.inside()).as("%s", outcome).isGreaterThanOrEqualTo(0.8);
        assertThat(outcome.width()).as("%s", outcome).isLessThanOrEqualTo(0.7);
        assertThat(outcome.raised()).as("%s", outcome).isZero();
    }

    /** Three gates that are asked in turn, as by a balancer without affinity. */
    @Test
    void everyVisitorWhoStaysEntersInOrderAndWithinTheLimitsAtThreeGatesInTurn() {
        WaitCrowd crowd = new WaitCrowd(Bottleneck.BOTH, 6, Staying.EVEN, true, 0.2);
        Outcome outcome = new HttpCrowd(crowd, 3, SEED).play();
        LOG.info("{}: {}", crowd, outcome);
        assertThat(outcome.waited()).isGreaterThan(200);
        assertThat(outcome.left()).as("%s", outcome).isZero();
        assertThat(outcome.overtaken()).as("%s", outcome).isZero();
        assertThat(outcome.most()).as("%s", outcome).isLessThanOrEqualTo(crowd.limits().mostPasses().orElseThrow());
        assertThat(outcome.mostInPeriod()).as("%s", outcome).isLessThanOrEqualTo(
                crowd.limits().mostAdmissions().map(Rate::admissions).orElse(Integer.MAX_VALUE));
    }
}
