package dev.orderly.room.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class EstimateScoreTest {
    private static final long START = Duration.ofDays(20_000).toMillis();
    private static final long TOLD = Duration.ofMinutes(5).toMillis();

    private final EstimateScore score = new EstimateScore();

    private OptionalInt ofTen(long at) {
        score.round(at);
        return score.ofTen();
    }

    private void visit(long place, long waited) {
        score.announced(place, START, START + TOLD);
        score.entered(place, START + waited);
    }

    @Test
    void nothingIsSaidOfFewerThanTwentyVisitors() {
        for (int place = 1; place < EstimateScore.LEAST; place++) {
            visit(place, TOLD);
        }
        assertThat(ofTen(START + TOLD)).isEmpty();
        visit(20, TOLD);
        assertThat(ofTen(START + TOLD)).hasValue(10);
    }

    @Test
    void theShareIsRoundedDown() {
        for (int place = 1; place <= 100; place++) {
            visit(place, place <= 79 ? TOLD : TOLD + 1);
        }
        assertThat(ofTen(START + TOLD)).hasValue(7);
    }

    @Test
    void aVisitorWhoEntersLongAfterTheAnnouncedEndCountsAsAMiss() {
        for (int place = 1; place <= 20; place++) {
            score.announced(place, START, START + TOLD);
        }
        score.round(START + 10 * TOLD);
        for (int place = 1; place <= 20; place++) {
            score.entered(place, START + 10 * TOLD);
        }
        assertThat(ofTen(START + 10 * TOLD)).hasValue(0);
    }

    @Test
    void afterAnHourNothingIsSaidAnyMore() {
        for (int place = 1; place <= 50; place++) {
            visit(place, TOLD);
        }
        assertThat(ofTen(START + TOLD + Duration.ofMinutes(59).toMillis())).hasValue(10);
        assertThat(ofTen(START + TOLD + Duration.ofMinutes(61).toMillis())).isEmpty();
    }

    @Test
    void inALongLineLongWaitsCountAsOftenAsShortOnes() {
        for (int place = 1; place <= 100_000; place++) {
            score.announced(place, START, START + TOLD);
        }
        for (int place = 1; place <= 100_000; place++) {
            score.entered(place, START + (place <= 50_000 ? TOLD : TOLD + 1));
        }
        assertThat(ofTen(START + TOLD).orElseThrow()).isBetween(4, 5);
    }
}
