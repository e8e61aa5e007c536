package dev.orderly.history.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.QueueName;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class HistoryRecorderTest {
    @Test
    void queuesBeyondTheBoundHaveNoHistoryAndTheFirstGoOn() {
        HistoryRecorder recorder = new HistoryRecorder();
        for (int number = 0; number < 2 * HistoryRecorder.SUBJECTS_MAX; number++) {
            recorder.ran(new QueueName("queue-" + number), Duration.ofSeconds(1));
        }
        assertThat(recorder.cut(Instant.EPOCH)).hasSize(HistoryRecorder.SUBJECTS_MAX);
        recorder.ran(new QueueName("queue-0"), Duration.ofSeconds(1));
        recorder.ran(new QueueName("queue-" + HistoryRecorder.SUBJECTS_MAX), Duration.ofSeconds(1));
        assertThat(recorder.cut(Instant.EPOCH)).hasSize(1);
    }
}
