package dev.orderly.web.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.job.QueueName;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BacklogTest {
    private static final QueueName QUEUE = new QueueName("checkout.fifo");
    private static final RoomBacklog BACKLOG = new RoomBacklog(QUEUE, Duration.ofMinutes(1));

    @ParameterizedTest
    @CsvSource({"0, 1", "60, 1", "75, 0.75", "90, 0.5", "120, 0", "600, 0"})
    void theShareFallsFromOneAtTheTargetToZeroAtTwiceTheTarget(long seconds, double share) {
        assertThat(BACKLOG.share(Duration.ofSeconds(seconds))).isEqualTo(share);
    }

    @Test
    void aQueueWithoutMeasurementsSlowsNoAdmission() {
        assertThat(BACKLOG.share(null)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.999S", "PT24H0.001S"})
    void aTargetOutOfItsBoundsIsRefused(Duration target) {
        assertThatThrownBy(() -> new RoomBacklog(QUEUE, target)).hasMessageContaining("use 1 s to 1 d");
    }
}
