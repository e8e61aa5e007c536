package dev.orderly.testkit.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.flow.RateLimiter;
import dev.orderly.testkit.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RateLimiterTest {
    private final ManualTime time = new ManualTime();

    @Test
    void aKeyHasItsEventsAtOnceAndThenEvenlyOverTheSpan() {
        RateLimiter<String> limiter = new RateLimiter<>(time, 3, Duration.ofSeconds(30));
        for (int n = 0; n < 3; n++) {
            assertThat(limiter.refuse("a")).isEmpty();
        }
        assertThat(limiter.refuse("a")).hasValue(Duration.ofSeconds(10));
        assertThat(limiter.refuse("b")).isEmpty();
        time.advance(Duration.ofSeconds(4));
        assertThat(limiter.refuse("a")).hasValue(Duration.ofSeconds(6));
        time.advance(Duration.ofSeconds(6));
        assertThat(limiter.refuse("a")).isEmpty();
        assertThat(limiter.refuse("a")).hasValue(Duration.ofSeconds(10));
    }

    @Test
    void anyNumberOfKeysTakesBoundedMemory() {
        RateLimiter<Integer> limiter = new RateLimiter<>(time, 1, Duration.ofHours(1));
        for (int key = 0; key < 450_000; key++) {
            limiter.refuse(key);
        }
        assertThat(limiter.keys()).isLessThanOrEqualTo(200_000);
    }

    @Test
    void keysThatHaveAllTheirEventsAgainAreForgottenFirst() {
        RateLimiter<Integer> limiter = new RateLimiter<>(time, 1, Duration.ofSeconds(1));
        for (int key = 0; key < 200_000; key++) {
            limiter.refuse(key);
        }
        time.advance(Duration.ofSeconds(1));
        assertThat(limiter.refuse(-1)).isEmpty();
        assertThat(limiter.keys()).isEqualTo(1);
        assertThat(limiter.refuse(-1)).isPresent();
    }
}
