package dev.orderly.testkit.jobsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.orderly.Store;
import dev.orderly.job.Limit;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.contract.input.RandomRuns;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
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
        hold(JobSimulation::steps);
    }

    @Test
    void everyPromiseHoldsWhereAnswersToWorkersElsewhereAreLost() {
        hold(JobSimulation::pulls);
    }

    @Test
    void everyPromiseHoldsWhereAQueueOfManyShortJobsIsPaused() {
        hold(JobSimulation::pauses);
    }

    private static void hold(LongFunction<List<Step>> steps) {
        Coverage coverage = new Coverage();
        new RandomRuns<>(steps, coverage::run).hold(FIXED_SEEDS, coverage::isFlat);
        assertThat(coverage.states).isNotEmpty();
    }

    /** The distinct abstract states of all runs, told after each thousand: a longer run pays until few are new. */
    private static final class Coverage {
        private static final int TOLD = 1_000;
        /** It is flat once a thousand histories add less than this part of all states. */
        private static final double FLAT = 0.01;
        private final Set<Long> states = new HashSet<>();
        private int runs;
        private int before;
        private boolean flat;

        boolean isFlat() {
            return flat;
        }

        @Nullable
        Throwable run(List<Step> steps) {
            try {
                states.addAll(JobSimulation.run(steps).states());
            } catch (BrokenJobPromise e) {
                return e;
            }
            if (++runs % TOLD == 0) {
                int fresh = states.size() - before;
                COVERAGE.info("{} histories have met {} states, the last thousand {} new ones", runs, states.size(),
                        fresh);
                flat = fresh < FLAT * states.size();
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

    /** Threads of processes that have died wait for ever, and hold all that they have seen. */
    @Test
    void aHistoryThatIsOverTakesNoMemory() {
        AtomicReference<WeakReference<Store>> left = new AtomicReference<>();
        JobSimulation.run(JobSimulation.steps(1), time -> {
            Store store = new MemoryStore(time);
            left.set(new WeakReference<>(store));
            return store;
        }, _ -> {});
        await().atMost(Duration.ofMinutes(1)).until(() -> {
            System.gc();
            return left.get().get() == null;
        });
    }

    @Test
    void theSameSeedIsTheSameHistory() {
        for (long seed = 1; seed <= 3; seed++) {
            assertThat(JobSimulation.run(JobSimulation.steps(seed)).trace())
                    .isEqualTo(JobSimulation.run(JobSimulation.steps(seed)).trace());
        }
    }
}
