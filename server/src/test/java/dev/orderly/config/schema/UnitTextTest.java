package dev.orderly.config.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnitTextTest {
    @ParameterizedTest
    @CsvSource({"250ms, 250", "30s, 30000", "5m, 300000", "6h, 21600000", "14d, 1209600000", "0s, 0"})
    void aTimeIsReadAndWrittenWithItsUnit(String text, long millis) {
        assertThat(UnitText.duration(text)).contains(Duration.ofMillis(millis));
        assertThat(UnitText.text(Duration.ofMillis(millis))).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"100B, 100", "256KiB, 262144", "1MiB, 1048576"})
    void aSizeIsReadAndWrittenWithItsUnit(String text, long bytes) {
        assertThat(UnitText.size(text)).contains(bytes);
        assertThat(UnitText.sizeText(bytes)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "m", "5 m", "-5m", "5M", "1.5h", "5m30s", "999999999999999d", "1KB"})
    void anyOtherTextIsNoAmount(String text) {
        assertThat(UnitText.duration(text)).isEmpty();
        assertThat(UnitText.size(text)).isEmpty();
    }
}
