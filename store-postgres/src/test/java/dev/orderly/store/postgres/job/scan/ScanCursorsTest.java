package dev.orderly.store.postgres.job.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.Priority;
import dev.orderly.job.store.JobSequence;
import dev.orderly.testkit.ManualTime;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Lower bounds of the scans of claims. */
class ScanCursorsTest {
    private static final int QUEUE = 1;

    private final Instant now = new ManualTime().now();
    private final ScanCursors cursors = new ScanCursors();
    private final long longAgo = JobSequence.startOf(now.minusSeconds(60));

    private long from() {
        return cursors.jobs(QUEUE, Priority.NORMAL);
    }

    private void take(long last) {
        cursors.took(QUEUE, Priority.NORMAL, from(), last, now);
    }

    @Test
    void takenJobsAreNotScannedAgain() {
        take(longAgo);
        assertThat(from()).isEqualTo(longAgo);
        assertThat(cursors.jobs(QUEUE, Priority.HIGH)).isZero();
        assertThat(cursors.jobs(2, Priority.NORMAL)).isZero();
    }

    @Test
    void theNewestNumbersAreScannedAgainSinceEarlierPushesMayStillCommit() {
        take(JobSequence.startOf(now));
        assertThat(from()).isBetween(JobSequence.startOf(now.minusMillis(500)),
                JobSequence.startOf(now.minusMillis(50)));
    }

    @Test
    void anEmptyScanIsNotRepeatedButForTheLastSecondsAndNumbersThatWereNotDrawn() {
        cursors.foundNone(QUEUE, Priority.NORMAL, 0, JobSequence.startOf(now), now);
        assertThat(from()).isEqualTo(JobSequence.startOf(now.minusSeconds(1)));
        cursors.foundNone(QUEUE, Priority.NORMAL, from(), longAgo, now.plusSeconds(60));
        assertThat(from()).as("a cursor never goes back by an empty scan")
                .isEqualTo(JobSequence.startOf(now.minusSeconds(1)));
        cursors.foundNone(QUEUE, Priority.HIGH, 0, longAgo, now);
        assertThat(cursors.jobs(QUEUE, Priority.HIGH)).isEqualTo(longAgo);
    }

    @Test
    void aJobThatIsReadyBelowTheCursorIsLookedUpUntilAClaimHasSeenIt() {
        take(longAgo);
        cursors.ready(QUEUE, longAgo - 5);
        assertThat(cursors.below(QUEUE, 10, Set.of())).containsExactly(longAgo - 5);
        assertThat(cursors.hasBelow(2)).isFalse();
        assertThat(from()).isEqualTo(longAgo);
        cursors.looked(QUEUE, List.of(longAgo - 5));
        assertThat(cursors.hasBelow(QUEUE)).isFalse();
    }

    @Test
    void moreJobsBelowTheCursorThanAreKeptMoveTheCursorBackAlsoDuringAClaim() {
        take(longAgo);
        long began = from();
        for (int n = 0; n <= ScanCursors.BELOW_MAX; n++) {
            cursors.ready(QUEUE, longAgo - 20_000 + n);
        }
        cursors.took(QUEUE, Priority.NORMAL, began, longAgo + 5, now);
        assertThat(from()).isEqualTo(longAgo - 20_000);
        assertThat(cursors.hasBelow(QUEUE)).isFalse();
    }

    @Test
    void dueJobsAreScannedFromTheFirstThatIsDelayed() {
        cursors.foundDue(QUEUE, 0, now.minusSeconds(5), now);
        assertThat(cursors.due(QUEUE)).isEqualTo(now.minusSeconds(5).toEpochMilli());
        cursors.foundDue(QUEUE, cursors.due(QUEUE), null, now);
        assertThat(cursors.due(QUEUE)).isEqualTo(now.minusSeconds(1).toEpochMilli());
        cursors.delayed(QUEUE, now.minusSeconds(3));
        assertThat(cursors.due(QUEUE)).isEqualTo(now.minusSeconds(3).toEpochMilli());
    }
}
