package dev.orderly.job.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.job.JobId;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JobIdRangeTest {
    @Test
    void everyBeginningOfAnIdIsARangeWithTheId() {
        Random random = new Random(5);
        for (int n = 0; n < 500; n++) {
            JobId id = JobId.of(random.nextLong() >>> 1, random.nextLong());
            for (int length = 1; length <= 36; length++) {
                JobIdRange range = JobIdRange.startingWith(id.toString().substring(0, length));
                assertThat(range.first()).isLessThanOrEqualTo(id.sequence());
                assertThat(range.last()).isGreaterThanOrEqualTo(id.sequence());
                assertThat(range.contains(id)).isTrue();
                assertThat(range.isSingle()).isEqualTo(length == 36);
            }
        }
    }

    @Test
    void aTextThatBeginsNoIdIsRefused() {
        for (String text : List.of("", "x", "01990000-0000-4", "01990000_",
                "01990000-0000-7000-8000-0000000000000")) {
            assertThatThrownBy(() -> JobIdRange.startingWith(text)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
