package dev.orderly.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.resilience.LogLines;
import dev.orderly.time.Time;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WarmUpTest {
    /** Warnings and addresses in the log that the operator did not configure send the operator astray. */
    @Test
    void theRequestsOfAStartLeaveNoLineInTheLog() {
        try (LogLines lines = LogLines.of("dev.orderly.http"); Orderly orderly = Orderly.open(new MemoryStore())) {
            WarmUp warmUp = new WarmUp(orderly.engines().jobs(), 1, null, Duration.ofSeconds(15), Time.system());
            warmUp.start();
            await().until(() -> warmUp.answered() > 0);
            warmUp.close();
            assertThat(lines.with("")).isEmpty();
        }
    }
}
