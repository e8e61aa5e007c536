package dev.orderly.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RateWindowTest {
    private static final long PERIOD = 15_000;

    private final RateWindow window = new RateWindow();

    private static Rate rate(int admissions, long millis) {
        return new Rate(admissions, Duration.ofMillis(millis));
    }

    @Test
    void anAdmissionCountsForOnePeriodToTheMillisecond() {
        window.keepTo(rate(3, PERIOD));
        window.add(1_000, 2);
        window.add(2_000, 1);
        assertThat(window.free(2_000)).isZero();
        assertThat(window.free(1_000 + PERIOD - 1)).isZero();
        assertThat(window.free(1_000 + PERIOD)).isEqualTo(2);
        assertThat(window.free(2_000 + PERIOD)).isEqualTo(3);
    }

    @Test
    void withoutARateAdmissionsAreUnbounded() {
        window.add(1_000, 5);
        assertThat(window.free(1_000)).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void admissionsBeforeAChangeCountTowardsTheNewRate() {
        window.keepTo(rate(5, 1_000));
        window.add(0, 4);
        assertThat(window.free(2_000)).isEqualTo(5);
        window.keepTo(rate(10, PERIOD));
        assertThat(window.free(2_000)).isEqualTo(6);
        window.keepTo(rate(3, PERIOD));
        assertThat(window.free(2_000)).isZero();
        window.keepTo(null);
        window.add(3_000, 1);
        window.keepTo(rate(10, PERIOD));
        assertThat(window.free(3_000)).isEqualTo(5);
    }

    @Test
    void theWindowAgreesWithAPlainCount() {
        Random random = new Random(1);
        List<Long> all = new ArrayList<>();
        Rate rate = rate(100_000, 60_000);
        window.keepTo(rate);
        long now = 0;
        for (int step = 0; step < 2_000; step++) {
            now += random.nextInt(100) == 0 ? random.nextInt(5_000_000) : random.nextInt(2_000);
            int count = random.nextInt(20);
            window.add(now, count);
            for (int n = 0; n < count; n++) {
                all.add(now);
            }
            if (random.nextInt(50) == 0) {
                rate = rate(100_000, 1_000 + random.nextInt(3_599_000));
                window.keepTo(rate);
            }
            long after = now - rate.period().toMillis();
            long inside = all.stream().filter(at -> at > after).count();
            assertThat(window.free(now)).isEqualTo(100_000 - inside);
        }
    }
}
