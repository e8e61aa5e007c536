package dev.orderly.testkit.jobsim;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.orderly.job.Limit;
import dev.orderly.testkit.contract.input.RandomRuns;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

@Tag("slow")
class JobSimulationTest {
    private static final int FIXED_SEEDS = 20;
    private static final Logger LOG = (Logger) LoggerFactory.getLogger("dev.orderly");

    @BeforeAll
    static void silence() {
        LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void speak() {
        LOG.setLevel(null);
    }

    @Test
    void everyPromiseHoldsWhateverMeets() {
        Set<Long> states = new HashSet<>();
        new RandomRuns<Step>(JobSimulation::steps, steps -> {
            try {
                states.addAll(JobSimulation.run(steps).states());
                return null;
            } catch (BrokenJobPromise e) {
                return e;
            }
        }).hold(FIXED_SEEDS);
        assertThat(states).isNotEmpty();
    }

    @Test
    void aNodeThatDrainsWhileJobsWaitForALimitRests() {
        long seed = LongStream.range(1, 1_000).filter(each -> {
            Limit limit = SimulatedQueues.random(each).limit("mails");
            return limit != null && limit.concurrency() == 1;
        }).findFirst().orElseThrow();
        JobSimulation.run(List.of(
                new Step(seed, 10_000, 0,
                        new Step.Action.Push(100, 3, "mails", "g0", 15_000, "", Step.Once.NOTHING, 0)),
                new Step(seed, 12_000, 0, new Step.Action.Drain(true))));
    }

    @Test
    void theSameSeedIsTheSameHistory() {
        for (long seed = 1; seed <= 3; seed++) {
            assertThat(JobSimulation.run(JobSimulation.steps(seed)).trace())
                    .isEqualTo(JobSimulation.run(JobSimulation.steps(seed)).trace());
        }
    }
}
