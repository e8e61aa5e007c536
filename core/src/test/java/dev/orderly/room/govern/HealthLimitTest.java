package dev.orderly.room.govern;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.flow.OriginTraffic;
import dev.orderly.room.HealthPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HealthLimitTest {
    private static final int CAPACITY = 1_000;
    private static final HealthPolicy TARGET = new HealthPolicy(Duration.ofMillis(100), 0.01);

    private final HealthLimit limit = new HealthLimit(TARGET, CAPACITY);
    private final HealthLimit learner = new HealthLimit(HealthPolicy.DEFAULT, CAPACITY);

    private static OriginTraffic.Window window(int count, int failures, long p95Millis) {
        return new OriginTraffic.Window(count, failures, Duration.ZERO, Duration.ofMillis(p95Millis));
    }

    private static OriginTraffic.Window good() {
        return window(100, 0, 50);
    }

    private static OriginTraffic.Window slow() {
        return window(100, 0, 101);
    }

    @Test
    void eachSlowSecondCutsATenthOfTheVisitorsInside() {
        assertThat(limit.tick(slow(), 500, CAPACITY)).isEqualTo(450);
        assertThat(limit.tick(slow(), 450, CAPACITY)).isEqualTo(405);
        assertThat(limit.tick(slow(), 600, CAPACITY)).isEqualTo(364);
    }

    @Test
    void eachSecondWithTooManyFailuresCutsATenth() {
        assertThat(limit.tick(window(100, 1, 50), 500, CAPACITY)).isEqualTo(CAPACITY);
        assertThat(limit.tick(window(100, 2, 50), 500, CAPACITY)).isEqualTo(450);
    }

    @Test
    void theLimitGrowsByATwentiethOnlyWhileHalfOfItIsUsed() {
        limit.tick(slow(), 500, CAPACITY);
        assertThat(limit.tick(good(), 224, CAPACITY)).isEqualTo(450);
        assertThat(limit.tick(good(), 225, CAPACITY)).isEqualTo(472);
    }

    @Test
    void fewExchangesCutNothingAndAllowNoGrowthAfterABadSecond() {
        assertThat(limit.tick(window(9, 9, 5_000), 500, CAPACITY)).isEqualTo(CAPACITY);
        limit.tick(slow(), 500, CAPACITY);
        assertThat(limit.tick(window(9, 0, 50), 450, CAPACITY)).isEqualTo(450);
        limit.tick(good(), 0, CAPACITY);
        assertThat(limit.tick(window(9, 0, 50), 450, CAPACITY)).isEqualTo(451);
    }

    @Test
    void withoutATargetTwiceTheUsualLatencyIsAllowed() {
        for (int second = 0; second < 10; second++) {
            assertThat(learner.tick(good(), 500, CAPACITY)).isEqualTo(CAPACITY);
        }
        assertThat(learner.tick(window(100, 0, 120), 500, CAPACITY)).isEqualTo(CAPACITY);
        assertThat(learner.tick(window(100, 0, 140), 500, CAPACITY)).isEqualTo(450);
    }

    @Test
    void theUsualLatencyFollowsSlowChangesOnly() {
        for (int second = 0; second < 20; second++) {
            learner.tick(good(), 500, CAPACITY);
        }
        for (int second = 0; second < 60; second++) {
            learner.tick(window(100, 0, 1_000), 500, CAPACITY);
        }
        assertThat(learner.tick(window(100, 0, 125), 500, CAPACITY)).isLessThan(450);
        for (int second = 0; second < 600; second++) {
            learner.tick(window(100, 0, 100), 500, CAPACITY);
        }
        assertThat(learner.tick(window(100, 0, 200), 500, CAPACITY)).isEqualTo(CAPACITY);
    }

    @Test
    void theLimitIsNeverBelowOneNorAboveTheCapacity() {
        for (int second = 0; second < 200; second++) {
            assertThat(limit.tick(slow(), 0, CAPACITY)).isBetween(1, CAPACITY);
        }
        assertThat(limit.tick(slow(), 0, CAPACITY)).isOne();
        int now = 1;
        for (int second = 0; second < 300; second++) {
            now = limit.tick(good(), now, CAPACITY);
            assertThat(now).isBetween(1, CAPACITY);
        }
        assertThat(now).isEqualTo(CAPACITY);
        assertThat(limit.tick(good(), 500, 10)).isEqualTo(10);
        assertThat(limit.tick(good(), 500, 0)).isOne();
    }

    @Test
    void withoutACapacityTheLimitStartsSmallAndGrows() {
        HealthLimit free = new HealthLimit(TARGET, null);
        assertThat(free.tick(good(), 100, null)).isEqualTo(105);
        int now = 105;
        for (int second = 0; second < 300; second++) {
            now = free.tick(good(), now, null);
        }
        assertThat(now).isEqualTo(1_000_000);
    }
}
