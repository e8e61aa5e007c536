package dev.orderly.bench.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.testkit.MemoryStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A few visitors over HTTP in real time, so that the program works. What a visitor was told depends on the machine
 * here; what holds on every machine, {@code AnnouncedWaitsResilienceTest} in {@code http} asserts on a clock that
 * waits.
 */
class HttpCrowdTest {
    @Test
    void everyVisitorWhoStaysEntersWithinTheCapacity() throws Exception {
        try (MemoryStore store = new MemoryStore()) {
            CrowdPlan plan = new CrowdPlan(2, 12, 0.25, 0.3, 4, Duration.ofMillis(200), Duration.ofMillis(200), 0);
            CrowdOutcome outcome = HttpCrowd.play(plan, List.of(store, store), 7);
            assertThat(outcome.entered()).as("%s", outcome).isBetween(1, plan.visitors());
            assertThat(outcome.most()).as("%s", outcome).isBetween(1, plan.capacity());
        }
    }
}
