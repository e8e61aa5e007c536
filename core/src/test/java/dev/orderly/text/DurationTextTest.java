package dev.orderly.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationTextTest {
    @ParameterizedTest
    @CsvSource({"PT0S, 0 s, 0 s", "PT0.000001S, 0 s, 0 s", "PT0.5S, 500 ms, 500 ms", "PT1.5S, 1 s 500 ms, 1 s",
            "PT2M11S, 2 min 11 s, 2 min 11 s", "PT1H30M, 1 h 30 min, 1 h 30 min", "PT1H0M5S, 1 h 5 s, 1 h",
            "PT192H, 8 d, 8 d", "PT25H1M1.001S, 1 d 1 h 1 min 1 s 1 ms, 1 d 1 h", "PT-90S, -1 min 30 s, 0 s"})
    void durationsAreWrittenInUnitsThatPeopleRead(Duration value, String exact, String rounded) {
        assertThat(DurationText.of(value)).isEqualTo(exact);
        assertThat(DurationText.rounded(value)).isEqualTo(rounded);
    }

    @Test
    void aDurationBeyondAllBoundsIsWrittenToo() {
        assertThat(DurationText.of(Duration.ofSeconds(Long.MAX_VALUE))).endsWith("7 s").contains(" d ");
    }
}
