package dev.orderly.store.postgres.interleaving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.store.StoreException;
import dev.orderly.store.postgres.PostgresOptions;
import dev.orderly.store.postgres.Server;
import dev.orderly.store.postgres.interleaving.PausePoints.Defect;
import dev.orderly.store.postgres.interleaving.StatementScheduler.Schedule;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.contract.input.RandomRuns;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Promises about jobs in any order of the statements of several nodes. A seed gives the calls and the order; {@value
 * RandomRuns#SEEDS} asks for more of them.
 */
class JobInterleavingTest {
    /** The first few show it. */
    private static final int SEEDS_OF_A_LOST_LOCK = 20;

    @Test
    void noOrderOfStatementsBreaksAPromise() {
        new RandomRuns<Step>(Step::random, steps -> failure(steps, null)).hold(2);
    }

    @Test
    void noOrderOfStatementsLosesAnEventOrKeepsWhatAnAttemptThatIsOverAdds() {
        new RandomRuns<Step>(Step::ofEvents, steps -> failure(steps, null)).hold(1);
    }

    @Test
    void noOrderOfStatementsTakesACallbackFromABatchOrPushesItTwiceOrTooEarly() {
        new RandomRuns<Step>(Step::ofBatches, steps -> failure(steps, null)).hold(1);
    }

    @ParameterizedTest
    @EnumSource
    void noPointOfACallIsBadForOthers(Meeting meeting) {
        assertThat(failure(meeting, null)).isNull();
    }

    @ParameterizedTest
    @EnumSource
    void aLockThatIsNotTakenIsFound(LostLock lost) {
        assertThat(lost.meeting == null
                ? new RandomRuns<Step>(Step::random, steps -> failure(steps, lost.defect)).failure(SEEDS_OF_A_LOST_LOCK)
                : failure(lost.meeting, lost.defect)).isNotNull();
    }

    private static @Nullable Throwable failure(List<Step> steps, @Nullable Defect defect) {
        return steps.isEmpty()
                ? null
                : inSchema(defect, trial -> trial.failure(List.of(), steps,
                        Schedule.drawn(new Random(steps.getFirst().seed()))));
    }

    /** Lets others meet a call in its first point, its second, and so on. */
    private static @Nullable Throwable failure(Meeting meeting, @Nullable Defect defect) {
        List<Step> steps = Stream.concat(Stream.of(meeting.call), meeting.others.stream()).toList();
        return inSchema(defect, trial -> {
            Throwable failure = null;
            for (int point = 0; failure == null && point <= trial.turns; point++) {
                failure = trial.failure(meeting.before, steps, Schedule.preempted(point));
            }
            return failure;
        });
    }

    private static @Nullable Throwable inSchema(@Nullable Defect defect, Runs runs) {
        ManualTime time = new ManualTime();
        PostgresOptions options = Server.fresh();
        String schema = Objects.requireNonNull(options.schema());
        List<Server.Opened> stores = new ArrayList<>();
        try (PausingDriver driver = new PausingDriver(schema, defect);
                Connection control = DriverManager.getConnection(options.url())) {
            IntStream.range(0, Step.NODES).forEach(_ -> stores.add(Server.open(options, time)));
            Trial trial = new Trial(control, schema, new Cluster(stores, time));
            new PausePoints(schema).add(control, defect);
            driver.pause();
            Throwable failure = runs.failure(trial);
            if (failure == null && defect != null && defect.function() == null && !driver.isUsed()) {
                throw new IllegalStateException("No statement has the text of " + defect);
            }
            return failure;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        } finally {
            stores.forEach(Server.Opened::close);
        }
    }

    @FunctionalInterface
    private interface Runs {
        @Nullable
        Throwable failure(Trial trial) throws SQLException;
    }

    /** Runs in one schema, one after the other. */
    private static final class Trial {
        private final Connection control;
        private final String schema;
        private final Cluster cluster;
        /** How often the first node went on in the last run. */
        private int turns;

        Trial(Connection control, String schema, Cluster cluster) {
            this.control = control;
            this.schema = schema;
            this.cluster = cluster;
        }

        /**
         * Null if all promises hold.
         *
         * @param before one after the other, before the others
         */
        @Nullable
        Throwable failure(List<Step> before, List<Step> steps, Schedule schedule) throws SQLException {
            NodeCalls nodes = new NodeCalls(cluster);
            before.forEach(nodes::call);
            StatementScheduler scheduler = new StatementScheduler(control, schema, schedule);
            try {
                scheduler.run(IntStream.range(0, Step.NODES).mapToObj(node -> calls(steps, node, nodes)).toList());
                nodes.drain();
                return null;
            } catch (AssertionError | StoreException e) {
                return new AssertionError(e.getMessage() + "\n  " + nodes.ledger(), e);
            } finally {
                turns = scheduler.turnsOfTheFirst();
            }
        }

        private static List<Runnable> calls(List<Step> steps, int node, NodeCalls nodes) {
            return steps.stream().filter(step -> step.node() == node).<Runnable>map(step -> () -> nodes.call(step))
                    .toList();
        }
    }
}
