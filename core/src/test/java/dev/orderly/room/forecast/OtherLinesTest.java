package dev.orderly.room.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.forecast.Forecast.Ahead;
import dev.orderly.room.forecast.Forecast.Wait;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Waits in a room whose lines share the admissions. */
class OtherLinesTest {
    private static final OtherLines.Other NOBODY = new OtherLines.Other(20, 0, 0, 0);
    private static final OtherLines.Other TEN = new OtherLines.Other(20, 0, 10, 0);

    /** The wait with so many visitors ahead, where one is admitted in so many seconds. */
    private static double wait(int present, double every, OtherLines.Other... others) {
        return new OtherLines(80, 0, List.of(others)).wait(new Ahead(present, 0, 0),
                ahead -> Optional.of(new Wait(every * (ahead.present() + 1), 0, 1))).orElseThrow().seconds();
    }

    @Test
    void aLineWaitsForRareAdmissionsAsIfItWereAloneWhileNobodyElseWaits() {
        assertThat(wait(0, 3_600, NOBODY, NOBODY)).isEqualTo(3_600);
        assertThat(wait(2, 3_600, NOBODY)).isEqualTo(3 * 3_600);
    }

    @Test
    void linesTakeTurnsWhereAdmissionsAreRarerThanAMinute() {
        assertThat(wait(1, 3_600, TEN, TEN)).isEqualTo(2 * 3 * 3_600);
    }

    @Test
    void aLineAdmitsSomebodyEachMinuteWhereAdmissionsAreFrequent() {
        OtherLines.Other crowd = new OtherLines.Other(99, 0, 100_000, 0);
        assertThat(new OtherLines(1, 0, List.of(crowd)).wait(new Ahead(2, 0, 0),
                ahead -> Optional.of(new Wait(ahead.present() + 1, 0, 1))).orElseThrow().seconds()).isEqualTo(180);
    }
}
