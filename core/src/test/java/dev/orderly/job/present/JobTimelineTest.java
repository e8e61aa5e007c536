package dev.orderly.job.present;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobAttempt.End;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.JobRun;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptSnapshot;
import dev.orderly.job.store.JobSequence;
import dev.orderly.job.store.JobSnapshot;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JobTimelineTest {
    private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    private static Instant at(long seconds) {
        return START.plusSeconds(seconds);
    }

    private static JobView job(JobState state, int attempt, @Nullable Instant due, @Nullable Instant ended,
            @Nullable JobRun run) {
        return new JobSnapshot(JobId.of(JobSequence.startOf(START), 7), new QueueName("mails"), null, Priority.NORMAL,
                state,
                attempt, 0, due, ended, null, Map.of(), Payload.text("x"), null, null, null, null, null, null, run,
                null);
    }

    private static JobAttempt failed(int number, @Nullable Instant from, Instant to, @Nullable Instant next) {
        return new AttemptSnapshot(number, new JobRun(null, from), to, End.FAILED, next, new JobFailure("no", ""));
    }

    private static List<String> course(JobView job, List<JobAttempt> kept) {
        return JobTimeline.of(job, AttemptSnapshot.of(job, kept)).stream().map(span -> span.activity().text() + " "
                + seconds(span.from()) + "-" + seconds(span.to())).toList();
    }

    private static String seconds(@Nullable Instant moment) {
        return moment == null ? "" : Long.toString(moment.getEpochSecond() - START.getEpochSecond());
    }

    @Test
    void waitsDelaysAndRunsFollowEachOther() {
        List<JobAttempt> kept = List.of(failed(1, at(2), at(5), at(10)), failed(2, at(13), at(14), null));
        JobView done = job(JobState.DONE, 3, null, at(20), new JobRun(null, at(16)));
        assertThat(course(done, kept)).containsExactly("waiting 0-2", "running 2-5", "delayed 5-10", "waiting 10-13",
                "running 13-14", "waiting 14-16", "running 16-20");
    }

    @Test
    void theLastSpanOfAJobThatGoesOnIsOpen() {
        List<JobAttempt> kept = List.of(failed(1, at(2), at(5), at(10)));
        assertThat(course(job(JobState.WAITING, 0, null, null, null), List.of())).containsExactly("waiting 0-");
        assertThat(course(job(JobState.DELAYED, 1, at(10), null, null), kept)).endsWith("running 2-5", "delayed 5-10");
        assertThat(course(job(JobState.RUNNING, 2, null, null, new JobRun(null, at(11))), kept))
                .endsWith("delayed 5-10", "waiting 10-11", "running 11-");
    }

    @Test
    void aJobThatRanBeforeItsDelayWasOverWasRunNow() {
        List<JobAttempt> kept = List.of(failed(1, at(2), at(5), at(100)));
        assertThat(course(job(JobState.RUNNING, 2, null, null, new JobRun(null, at(8))), kept))
                .endsWith("running 2-5", "delayed 5-8", "running 8-");
    }

    @Test
    void timesThatAreNotKeptAreUnknown() {
        assertThat(course(job(JobState.DEAD, 5, null, at(9), null),
                List.of(failed(4, at(6), at(7), null), failed(5, null, at(9), null))))
                .containsExactly("unknown 0-6", "running 6-7", "unknown 7-9");
    }

    @Test
    void aJobThatWasCancelledBeforeItRanOnlyWaited() {
        assertThat(course(job(JobState.CANCELLED, 0, null, at(4), null), List.of())).containsExactly("waiting 0-4");
    }
}
