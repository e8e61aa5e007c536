package dev.orderly.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Orderly;
import dev.orderly.http.edge.ForwardedForCheck;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.weather.LogLines;
import dev.orderly.time.Time;
import org.junit.jupiter.api.Test;

class WarmUpTest {
    /** A warning that the operator's proxy is not trusted, where there is none, sends the operator astray. */
    @Test
    void theRequestsOfAStartWarnOfNothing() {
        try (LogLines lines = LogLines.of(ForwardedForCheck.class.getName());
                Orderly orderly = Orderly.open(new MemoryStore())) {
            WarmUp warmUp = new WarmUp(orderly.jobs(), 1, Time.system());
            warmUp.start();
            warmUp.close();
            assertThat(lines.with("X-Forwarded-For")).isEmpty();
        }
    }
}
