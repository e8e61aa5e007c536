package dev.orderly.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrafficTest {
    private final OriginTraffic traffic = new OriginTraffic();

    @Test
    void aWindowHoldsTheRecordsSinceTheLastTake() {
        IntStream.rangeClosed(1, 100).forEach(ms -> traffic.record(Duration.ofMillis(ms), ms > 90));

        OriginTraffic.Window window = traffic.take();
        assertThat(window.count()).isEqualTo(100);
        assertThat(window.failures()).isEqualTo(10);
        assertThat(window.median()).isBetween(Duration.ofMillis(50), Duration.ofMillis(63));
        assertThat(window.p95()).isBetween(Duration.ofMillis(95), Duration.ofMillis(119));
        assertThat(traffic.take()).isEqualTo(new OriginTraffic.Window(0, 0, Duration.ZERO, Duration.ZERO));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 3, 4, 7, 8, 999, 1_000, 123_456, 60_000_000, 3_600_000_000L})
    void aLatencyIsReportedAtMostAFourthTooHighAndNeverTooLow(long micros) {
        traffic.record(Duration.ofNanos(micros * 1_000), false);

        assertThat(traffic.take().median().toNanos() / 1_000).isBetween(micros, micros + micros / 4 + 1);
    }

    @Test
    void latenciesOutOfBoundsAreCounted() {
        traffic.record(Duration.ofDays(400), true);
        traffic.record(Duration.ofSeconds(-1), false);

        assertThat(traffic.take().count()).isEqualTo(2);
    }

    @Test
    void concurrentRecordsAreNeitherLostNorCountedTwice() throws InterruptedException {
        Thread[] threads = IntStream.range(0, 4).mapToObj(_ -> Thread.ofVirtual().start(
                () -> IntStream.range(0, 50_000).forEach(i -> traffic.record(Duration.ofNanos(i), false))))
                .toArray(Thread[]::new);
        long count = 0;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                count += traffic.take().count();
            }
            thread.join();
        }
        assertThat(count + traffic.take().count()).isEqualTo(200_000);
    }
}
