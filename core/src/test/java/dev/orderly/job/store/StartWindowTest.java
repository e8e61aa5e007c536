package dev.orderly.job.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StartWindowTest {
    @ParameterizedTest
    @CsvSource({"1,1000", "1,60000", "7,1000", "60,60000", "1000,1000", "500,86400000"})
    void noSpanHasMoreTokensThanTheRateAndTheWindowStaysSmall(int starts, long period) {
        Limit limit = Limit.of(starts, Duration.ofMillis(period));
        long span = StartWindow.span(limit);
        Random random = new Random(starts);
        StartWindow window = StartWindow.EMPTY;
        List<Long> taken = new ArrayList<>();
        long now = 1_000_000;
        for (int step = 0; step < 2_000; step++) {
            now += random.nextLong(period / 10 + 2);
            int free = limit.starts() - window.used(limit, now);
            long next = window.next(limit, now);
            assertThat(next > now).as("the next moment, as %s are free", free).isEqualTo(free == 0);
            if (free > 0) {
                int tokens = 1 + random.nextInt(free);
                window = window.take(limit, tokens, now);
                for (int n = 0; n < tokens && taken.size() < 20_000; n++) {
                    taken.add(now);
                }
            } else {
                assertThat(window.used(limit, next)).isLessThan(limit.starts());
            }
            assertThat(window.slots()).hasSizeLessThan(80);
            assertThat(StartWindow.ofColumn(window.column())).isEqualTo(window);
        }
        int from = 0;
        for (int n = 0; n < taken.size(); n++) {
            while (taken.get(n) - taken.get(from) >= span) {
                from++;
            }
            assertThat(n - from + 1).as("tokens within the span up to %s", taken.get(n)).isLessThanOrEqualTo(starts);
        }
    }

    @ParameterizedTest
    @CsvSource({"5000, 3", "3600000, 0", "86400000, 0"})
    void aClockThatWasAheadBlocksNoLongerThanTheSpan(long ahead, int counting) {
        Limit limit = Limit.of(3, Duration.ofSeconds(10));
        long now = 1_000_000_000;
        StartWindow window = StartWindow.EMPTY.take(limit, 3, now + ahead);
        assertThat(window.used(limit, now)).isEqualTo(counting);
        StartWindow touched = window.take(limit, 0, now);
        assertThat(touched.used(limit, now + StartWindow.span(limit) + 2 * StartWindow.width(limit))).isZero();
    }
}
