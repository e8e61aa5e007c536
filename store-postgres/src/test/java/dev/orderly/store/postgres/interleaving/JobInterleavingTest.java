package dev.orderly.store.postgres.interleaving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.store.StoreException;
import dev.orderly.store.postgres.PostgresOptions;
import dev.orderly.store.postgres.Server;
import dev.orderly.store.postgres.interleaving.PausePoints.Defect;
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
        new RandomRuns<Step>(Step::random, steps -> failure(steps, List.of())).hold(2);
    }

    @Test
    void noOrderOfStatementsLosesAnEventOrKeepsWhatAnAttemptThatIsOverAdds() {
        new RandomRuns<Step>(Step::ofEvents, steps -> failure(steps, List.of())).hold(2);
    }

    @Test
    void noOrderOfStatementsTakesACallbackFromABatchOrPushesItTwiceOrTooEarly() {
        new RandomRuns<Step>(Step::ofBatches, steps -> failure(steps, List.of())).hold(2);
    }

    @ParameterizedTest
    @EnumSource
    void aLockThatIsNotTakenIsFound(LostLock lost) {
        assertThat(new RandomRuns<Step>(Step::random, steps -> failure(steps, List.of(lost.defect())))
                .failure(SEEDS_OF_A_LOST_LOCK)).isNotNull();
    }

    /** Runs steps in an empty schema; null if all promises hold. */
    private static @Nullable Throwable failure(List<Step> steps, List<Defect> defects) {
        if (steps.isEmpty()) {
            return null;
        }
        ManualTime time = new ManualTime();
        PostgresOptions options = Server.fresh();
        List<Server.Opened> stores = new ArrayList<>();
        try (Connection control = DriverManager.getConnection(options.url())) {
            IntStream.range(0, Step.NODES).forEach(_ -> stores.add(Server.open(options, time)));
            NodeCalls nodes = new NodeCalls(new Cluster(stores, time));
            new PausePoints(Objects.requireNonNull(options.schema())).add(control, defects);
            StatementScheduler scheduler = new StatementScheduler(control, Objects.requireNonNull(options.schema()),
                    new Random(steps.getFirst().seed()));
            try {
                scheduler.run(IntStream.range(0, Step.NODES).mapToObj(node -> calls(steps, node, nodes)).toList());
                nodes.drain();
                return null;
            } catch (AssertionError | StoreException e) {
                return new AssertionError(e.getMessage() + "\n  " + nodes.ledger(), e);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        } finally {
            stores.forEach(Server.Opened::close);
        }
    }

    private static List<Runnable> calls(List<Step> steps, int node, NodeCalls nodes) {
        List<Runnable> calls = new ArrayList<>();
        steps.stream().filter(step -> step.node() == node).forEach(step -> calls.add(() -> nodes.call(step)));
        return calls;
    }
}
