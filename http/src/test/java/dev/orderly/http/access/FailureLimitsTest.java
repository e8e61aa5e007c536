package dev.orderly.http.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.testkit.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FailureLimitsTest {
    private final ManualTime time = new ManualTime();
    private final FailureLimits limits = new FailureLimits(time);

    @Test
    void theFirstFailuresAreAnsweredAtOnceAndLaterOnesWithAGrowingDelay() {
        assertThat(limits.failed("a")).isZero();
        assertThat(limits.failed("a")).isZero();
        assertThat(limits.failed("a")).isZero();
        assertThat(limits.failed("a")).isEqualTo(Duration.ofMillis(250));
        assertThat(limits.failed("a")).isEqualTo(Duration.ofMillis(500));
        for (int n = 0; n < 20; n++) {
            assertThat(limits.failed("a")).isLessThanOrEqualTo(Duration.ofSeconds(2));
        }
    }

    @Test
    void afterTenFailuresAnAddressHasOneInTenSeconds() {
        for (int n = 0; n < 10; n++) {
            assertThat(limits.isExhausted("a")).isFalse();
            limits.failed("a");
        }
        assertThat(limits.isExhausted("a")).isTrue();
        assertThat(limits.isExhausted("b")).isFalse();
        time.advance(FailureLimits.EACH);
        assertThat(limits.isExhausted("a")).isFalse();
        limits.failed("a");
        assertThat(limits.isExhausted("a")).isTrue();
        time.advance(FailureLimits.EACH.multipliedBy(10));
        assertThat(limits.failed("a")).isZero();
    }

    @Test
    void manyAddressesTakeBoundedMemory() {
        for (int n = 0; n < 50_000; n++) {
            limits.failed("address " + n);
        }
        assertThat(limits.size()).isEqualTo(10_000);
    }
}
