package dev.orderly.testkit.engine;

import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.NodeId;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.job.store.UpkeepRequest.Retention;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;

/** Base of tests of the engine: a store in memory, a manual clock, and an instance that is closed afterwards. */
abstract class EngineTest {
    static final Duration GRACE = Duration.ofSeconds(25);

    final ManualTime time = new ManualTime();
    final MemoryStore store = new MemoryStore(time);
    final Orderly orderly = node("node-a");

    /** Another node on the same store. */
    final Orderly node(String name) {
        return Orderly.open(store, options(name));
    }

    final EngineOptions options(String name) {
        return EngineOptions.defaults().withTime(time).withRandom(new Random(1)).withNode(new NodeId(name))
                .withStopGrace(Duration.ZERO);
    }

    @AfterEach
    void close() {
        orderly.close();
    }

    /** Declares all nodes dead, as the upkeep of another node does with silent nodes. */
    final void declareAllDead() {
        store.jobs().upkeep(new UpkeepRequest(Duration.ofSeconds(-1), 3, Map.of(), Retention.DEFAULT, 1_000),
                time.now());
    }

    /** Begins to stop a node; returns when the stop waits for work that goes on, and no further job starts. */
    final Thread beginStop(Orderly node) {
        Thread stopping = Thread.ofVirtual().start(node::stop);
        await().until(() -> stopping.getState() == Thread.State.WAITING
                || stopping.getState() == Thread.State.TIMED_WAITING);
        return stopping;
    }

    final JobView view(JobId id) {
        return orderly.jobs().find(id).orElseThrow();
    }

    final JobFailure failure(JobId id) {
        return Objects.requireNonNull(view(id).failure());
    }

    final void awaitState(JobId id, JobState state) {
        awaitTrue(() -> view(id).state() == state);
    }

    /** Waits until the condition holds, and advances the clocks a little before each check. */
    final void awaitTrue(Callable<Boolean> condition) {
        awaitTrue(Duration.ofMillis(10), condition);
    }

    /** Waits until the condition holds, and advances the clocks by a step before each check. */
    final void awaitTrue(Duration step, Callable<Boolean> condition) {
        await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(2)).until(() -> {
            time.advance(step);
            return condition.call();
        });
    }
}
