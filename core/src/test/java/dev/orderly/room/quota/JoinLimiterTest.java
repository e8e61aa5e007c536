package dev.orderly.room.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Rate;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class JoinLimiterTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Clock clock = new Clock();
    private final JoinLimiter limiter = new JoinLimiter(new Rate(3, MINUTE), clock);

    private static final class Clock implements Time {
        private long nanos = Long.MAX_VALUE - 1_000; // differences count, not signs

        @Override
        public Instant now() {
            return Instant.EPOCH;
        }

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public void park(long deadline) {
            nanos = deadline;
        }
    }

    @Test
    void anAddressBeyondItsPlacesLearnsWhenItMayTakeMore() {
        for (int n = 0; n < 3; n++) {
            assertThat(limiter.refuse("a")).isEmpty();
        }
        clock.nanos += Duration.ofSeconds(20).toNanos();
        assertThat(limiter.refuse("a")).contains(Duration.ofSeconds(40));
        assertThat(limiter.refuse("b")).isEmpty();
        clock.nanos += Duration.ofSeconds(40).toNanos();
        assertThat(limiter.refuse("a")).isEmpty();
    }

    @Test
    void aRefusalDoesNotExtendTheWait() {
        for (int n = 0; n < 1_000; n++) {
            limiter.refuse("a");
        }
        clock.nanos += MINUTE.toNanos();
        assertThat(limiter.refuse("a")).isEmpty();
    }

    @Test
    void tidyingForgetsOnlyEndedSpans() {
        for (int n = 0; n < 4; n++) {
            limiter.refuse("a");
        }
        limiter.tidy();
        assertThat(limiter.refuse("a")).isPresent();
        clock.nanos += MINUTE.toNanos();
        limiter.tidy();
        assertThat(limiter.refuse("a")).isEmpty();
    }

    @Test
    void beyondTheBoundAllAddressesAreForgotten() {
        for (int n = 0; n < 4; n++) {
            limiter.refuse("a");
        }
        for (int n = 0; n < 200_000; n++) {
            limiter.refuse("address " + n);
        }
        limiter.tidy();
        assertThat(limiter.refuse("a")).isEmpty();
    }
}
