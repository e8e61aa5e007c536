package dev.orderly.bench.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.testkit.MemoryStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A short crowd over HTTP at three gates in turn. What it was told is measured only, since the machine may be busy. */
class HttpCrowdTest {
    @Test
    void nobodyIsOvertakenAndNoLimitPassedAtThreeGatesInTurn() throws Exception {
        try (MemoryStore store = new MemoryStore()) {
            CrowdPlan plan = new CrowdPlan(3, 60, 0.3, 0.3, 20, Duration.ofSeconds(1), Duration.ofSeconds(1), 0);
            CrowdOutcome outcome = HttpCrowd.play(plan, List.of(store, store, store), 7);
            assertThat(outcome.entered()).as("%s", outcome).isGreaterThan(10);
            assertThat(outcome.most()).as("%s", outcome).isBetween(1, 20);
            assertThat(outcome.overtaken()).as("%s", outcome).isZero();
        }
    }
}
