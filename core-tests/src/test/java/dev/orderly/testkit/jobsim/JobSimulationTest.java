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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

@Tag("slow")
class JobSimulationTest {
    private static final int FIXED_SEEDS = 20;
    private static final Logger LOG = (Logger) LoggerFactory.getLogger("dev.orderly");
    private static final Logger COVERAGE = (Logger) LoggerFactory.getLogger("coverage");

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
        Coverage coverage = new Coverage();
        new RandomRuns<Step>(JobSimulation::steps, coverage::run).hold(FIXED_SEEDS);
        assertThat(coverage.states).isNotEmpty();
    }

    @Test
    void everyPromiseHoldsWhereAnswersToWorkersElsewhereAreLost() {
        new RandomRuns<Step>(JobSimulation::pulls, new Coverage()::run).hold(FIXED_SEEDS);
    }

    @Test
    void everyPromiseHoldsWhereAQueueOfManyShortJobsIsPaused() {
        new RandomRuns<Step>(JobSimulation::pauses, new Coverage()::run).hold(FIXED_SEEDS);
    }

    /** The distinct abstract states of all runs, told after each thousand: a longer run pays until few are new. */
    private static final class Coverage {
        private static final int TOLD = 1_000;
        private final Set<Long> states = new HashSet<>();
        private int runs;
        private int before;

        @Nullable
        Throwable run(List<Step> steps) {
            try {
                states.addAll(JobSimulation.run(steps).states());
            } catch (BrokenJobPromise e) {
                return e;
            }
            if (++runs % TOLD == 0) {
                COVERAGE.info("{} histories have met {} states, the last thousand {} new ones", runs, states.size(),
                        states.size() - before);
                before = states.size();
            }
            return null;
        }
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
