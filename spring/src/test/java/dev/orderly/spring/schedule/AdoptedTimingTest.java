package dev.orderly.spring.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.orderly.schedule.Timing;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.scheduling.support.CronExpression;

/** Which schedules of Spring have the same instants in Orderly. */
class AdoptedTimingTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    @ParameterizedTest
    @ValueSource(strings = {"0 0 3 * * *", "*/10 * * * * *", "0 0/30 8-10 * * MON-FRI", "0 0 0 25 12 ?", "0 0 0 L * *",
            "0 0 0 LW * *", "0 0 0 L-3 * *", "0 0 0 15W * *", "0 0 0 ? * MON#1", "0 0 0 ? * 5L",
            "30 5,35 */6 * JAN-MAR SUN", "@daily",
            "@Hourly", "@yearly", "@weekly", "@monthly", "0 0 0 29 2 *", "0 15 10 * * 0", "0 15 10 * * 7"})
    void aCronExpressionIsAdoptedOnlyWithTheInstantsThatItHasInSpring(String expression) {
        Timing timing = AdoptedTiming.cron(expression, BERLIN);

        ZonedDateTime spring = ZonedDateTime.of(2026, 11, 1, 0, 0, 0, 0, BERLIN);
        Instant ours = spring.toInstant();
        for (int n = 0; n < 20; n++) {
            spring = Objects.requireNonNull(CronExpression.parse(expression).next(spring));
            ours = timing.next(ours).orElseThrow();
            assertThat(ours).isEqualTo(spring.toInstant());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 0 0 13 * FRI", "0 0 12 1-7 * MON"})
    void aCronExpressionWithOtherInstantsIsLeft(String expression) {
        assertThatIllegalArgumentException().isThrownBy(() -> AdoptedTiming.cron(expression, BERLIN));
    }
}
