package dev.orderly.dashboard.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FiguresTest {
    @ParameterizedTest
    @CsvSource(textBlock = """
            0, 0
            9999, '9,999'
            10000, 10.0 k
            12345, 12.3 k
            999499, 999 k
            999500, 1.00 M
            1234567, 1.23 M
            10000000000, 10.0 G
            -12345, -12.3 k
            """)
    void aCountHasThreeDigitsFromTenThousandOn(long value, String text) {
        assertThat(Figures.count(value)).isEqualTo(text.replace(' ', ' '));
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            -5, 0 s
            0, 0 s
            59, 59 s
            60, 1 min
            61, 1 min 1 s
            3600, 1 h
            4800, 1 h 20 min
            90000, 1 d 1 h
            """)
    void aDurationHasItsTwoLargestUnits(long seconds, String text) {
        assertThat(Figures.duration(Duration.ofSeconds(seconds)).replace(' ', ' ')).isEqualTo(text);
    }

    @Test
    void whatIsShorterThanASecondIsInMilliseconds() {
        assertThat(Figures.duration(Duration.ofMillis(20)).replace(' ', ' ')).isEqualTo("20 ms");
        assertThat(Figures.duration(null)).isEqualTo(Figures.NONE);
    }

    @Test
    void sizesSharesRatesAndNounsAreWrittenTheSameEverywhere() {
        assertThat(Figures.bytes(1023).replace(' ', ' ')).isEqualTo("1023 B");
        assertThat(Figures.bytes(1536).replace(' ', ' ')).isEqualTo("1.5 KiB");
        assertThat(Figures.bytes(200L << 20).replace(' ', ' ')).isEqualTo("200 MiB");
        assertThat(Figures.percent(1, 3).replace(' ', ' ')).isEqualTo("33 %");
        assertThat(Figures.percent(1, 0).replace(' ', ' ')).isEqualTo("0 %");
        assertThat(Figures.rate(0)).isEqualTo("0");
        assertThat(Figures.rate(1.84)).isEqualTo("1.8");
        assertThat(Figures.rate(41.6)).isEqualTo("42");
        assertThat(Figures.of(1, "job")).isEqualTo("1 job");
        assertThat(Figures.of(2, "job")).isEqualTo("2 jobs");
    }
}
