package dev.orderly.bench.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.testkit.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CrowdBookTest {
    private static final CrowdBook.Told TOLD = new CrowdBook.Told(Duration.ofSeconds(5).toNanos(),
            Duration.ofSeconds(8).toNanos(), Duration.ofSeconds(6).toNanos());

    private final ManualTime time = new ManualTime();
    private final CrowdBook book = new CrowdBook(time, 2);

    private long after(int seconds) {
        time.advance(Duration.ofSeconds(seconds));
        return time.nanos();
    }

    @Test
    void aVisitorWhoIsRefusedAfterAHigherPlaceEnteredIsOvertaken() {
        book.waits();
        book.waits();
        CrowdBook.Asked before = new CrowdBook.Asked(after(1), after(0));
        book.enters(8, after(1), TOLD);
        book.refused(7, before, Duration.ofSeconds(2), after(1));
        book.refused(9, before, Duration.ofSeconds(2), after(0));
        assertThat(book.outcome().overtaken()).isOne();
    }

    @Test
    void aVisitorWhoWasAbsentMeanwhileIsNotOvertaken() {
        book.waits();
        CrowdBook.Asked before = new CrowdBook.Asked(after(1), after(0));
        book.enters(8, after(2), TOLD);
        book.refused(7, before, Duration.ofSeconds(2), after(2));
        assertThat(book.outcome().overtaken()).isZero();
    }

    @Test
    void waitsAreComparedWithTheFirstRangeAndTheUseOfTheCapacityWithTheTimeInWhichVisitorsWaited() {
        for (int n = 0; n < 4; n++) {
            book.waits();
        }
        book.enters(1, after(0), TOLD);
        book.enters(2, after(0), new CrowdBook.Told(TOLD.low(), TOLD.high(), Duration.ofSeconds(10).toNanos()));
        after(1);
        book.leaves();
        after(1);
        book.enters(3, after(0), new CrowdBook.Told(TOLD.low(), TOLD.high(), Duration.ofSeconds(3).toNanos()));
        book.enters(4, after(0), new CrowdBook.Told(-1, -1, 0));
        CrowdOutcome outcome = book.outcome();
        assertThat(outcome.inside()).isBetween(0.33, 0.34);
        assertThat(outcome.longer()).isBetween(0.33, 0.34);
        assertThat(outcome.less()).isBetween(0.33, 0.34);
        assertThat(outcome.used()).isBetween(0.74, 0.76);
        assertThat(outcome.most()).isEqualTo(3);
    }
}
