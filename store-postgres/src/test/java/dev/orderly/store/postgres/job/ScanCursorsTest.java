package dev.orderly.store.postgres.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.Priority;
import dev.orderly.job.store.JobSequence;
import dev.orderly.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Where a claim begins to look. */
class ScanCursorsTest {
    private static final int QUEUE = 1;

    private final ManualTime time = new ManualTime();
    private final Instant now = time.now();
    private final ScanCursors starts = new ScanCursors(time);
    private final long longAgo = JobSequence.startOf(now.minusSeconds(60));

    private long from() {
        return starts.jobs(QUEUE, Priority.NORMAL).from();
    }

    private void take(long last) {
        starts.took(QUEUE, Priority.NORMAL, starts.jobs(QUEUE, Priority.NORMAL), last, now);
    }

    @Test
    void whatWasTakenIsNotLookedAtAgain() {
        take(longAgo);
        assertThat(from()).isEqualTo(longAgo);
        assertThat(starts.jobs(QUEUE, Priority.HIGH).from()).isZero();
        assertThat(starts.jobs(2, Priority.NORMAL).from()).isZero();
    }

    @Test
    void theNewestNumbersAreLookedAtAgainSinceEarlierOnesMayStillCommit() {
        take(JobSequence.startOf(now));
        assertThat(from()).isBetween(JobSequence.startOf(now.minusMillis(500)),
                JobSequence.startOf(now.minusMillis(50)));
    }

    @Test
    void whatThisNodeGivesBackIsLookedAtAtOnceEvenIfAClaimThatBeganBeforeEndsAfterwards() {
        take(longAgo);
        ScanCursors.Start began = starts.jobs(QUEUE, Priority.NORMAL);
        starts.gaveBack(QUEUE, longAgo - 5);
        starts.took(QUEUE, Priority.NORMAL, began, longAgo + 5, now);
        assertThat(from()).isEqualTo(longAgo - 5);
    }

    @Test
    void onceASecondAClaimLooksFromTheVeryBeginning() {
        take(longAgo);
        time.advance(Duration.ofSeconds(1));
        assertThat(from()).isZero();
        take(longAgo);
        assertThat(from()).isEqualTo(longAgo);
    }
}
