package dev.orderly.job.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobAttempt.End;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobRun;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JobAttemptTest {
    @Test
    void ofAnyNumberOfAttemptsTheNewestAreKeptAndFailuresLongerThanOthers() {
        List<JobAttempt> kept = List.of(attempt(1, End.FAILED, new JobFailure("first", "the whole stack")));
        for (int number = 2; number <= 100; number++) {
            kept = AttemptSnapshot.appended(kept, attempt(number, End.SNOOZED, null));
            assertThat(kept).hasSizeLessThanOrEqualTo(JobAttempt.KEPT_MAX);
        }
        assertThat(kept.getFirst().number()).isEqualTo(1);
        assertThat(kept.stream().skip(1).map(JobAttempt::number))
                .isEqualTo(IntStream.rangeClosed(82, 100).boxed().toList());
    }

    @Test
    void ofManyFailuresOnlyTheNewestKeepTheirDetail() {
        List<JobAttempt> kept = List.of();
        for (int number = 1; number <= 100; number++) {
            kept = AttemptSnapshot.appended(kept,
                    attempt(number, End.FAILED, new JobFailure("bank", "x".repeat(8_000))));
        }
        assertThat(kept).hasSize(JobAttempt.KEPT_MAX).last().extracting(JobAttempt::number).isEqualTo(100);
        int characters = kept.stream().mapToInt(each -> each.failure() == null ? 0 : each.failure().detail().length())
                .sum();
        assertThat(characters).isLessThanOrEqualTo(JobAttempt.DETAILS_MAX * JobAttempt.DETAIL_MAX);
    }

    private static JobAttempt attempt(int number, End end, @Nullable JobFailure failure) {
        return new AttemptSnapshot(number, JobRun.UNKNOWN, Instant.EPOCH, end, null, failure);
    }
}
