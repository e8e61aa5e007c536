package dev.orderly.store.postgres.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.Priority;
import dev.orderly.job.store.JobSequence;
import dev.orderly.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Lower bounds of the scans of claims. */
class ScanCursorsTest {
    private static final int QUEUE = 1;

    private final ManualTime time = new ManualTime();
    private final Instant now = time.now();
    private final ScanCursors cursors = new ScanCursors(time);
    private final long longAgo = JobSequence.startOf(now.minusSeconds(60));

    private long from() {
        return cursors.jobs(QUEUE, Priority.NORMAL).from();
    }

    private void take(long last) {
        cursors.took(QUEUE, Priority.NORMAL, cursors.jobs(QUEUE, Priority.NORMAL), last, now);
    }

    @Test
    void takenJobsAreNotScannedAgain() {
        take(longAgo);
        assertThat(from()).isEqualTo(longAgo);
        assertThat(cursors.jobs(QUEUE, Priority.HIGH).from()).isZero();
        assertThat(cursors.jobs(2, Priority.NORMAL).from()).isZero();
    }

    @Test
    void theNewestNumbersAreScannedAgainSinceEarlierPushesMayStillCommit() {
        take(JobSequence.startOf(now));
        assertThat(from()).isBetween(JobSequence.startOf(now.minusMillis(500)),
                JobSequence.startOf(now.minusMillis(50)));
    }

    @Test
    void aJobGivenBackDuringAClaimIsScannedAtOnce() {
        take(longAgo);
        ScanCursors.Start began = cursors.jobs(QUEUE, Priority.NORMAL);
        cursors.gaveBack(QUEUE, longAgo - 5);
        cursors.took(QUEUE, Priority.NORMAL, began, longAgo + 5, now);
        assertThat(from()).isEqualTo(longAgo - 5);
    }

    @Test
    void onceASecondAClaimScansFromTheBeginning() {
        take(longAgo);
        time.advance(Duration.ofSeconds(1));
        assertThat(from()).isZero();
        take(longAgo);
        assertThat(from()).isEqualTo(longAgo);
    }
}
