package dev.orderly.testkit.resilience;

import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.Store;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;

/** Nodes on one store in memory with manual clocks. */
final class ManualNodes implements AutoCloseable {
    final ManualTime time = new ManualTime();
    MemoryStore store = new MemoryStore(time);
    private final List<Orderly> nodes = new ArrayList<>();

    Orderly node(String name) {
        return node(name, store);
    }

    Orderly node(String name, Store on) {
        Orderly node = Orderly.open(on, EngineOptions.defaults().withTime(time).withRandom(new Random(1))
                .withNode(new NodeId(name)).withStopGrace(Duration.ZERO));
        nodes.add(node);
        return node;
    }

    /** Runs the upkeep of another node when all nodes are overdue. */
    void declareAllDead() {
        store.jobs().upkeep(new UpkeepRequest(Duration.ofSeconds(-1), 3, Map.of(), Retention.DEFAULT, 1_000),
                time.now());
    }

    JobView view(JobId id) {
        return store.jobViews().find(id).orElseThrow();
    }

    void awaitState(JobId id, JobState state) {
        awaitTrue(() -> view(id).state() == state);
    }

    /** Waits until the condition holds; advances the clocks a little after each attempt, as real clocks would. */
    void awaitTrue(Callable<Boolean> condition) {
        await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(2)).until(() -> {
            time.advance(Duration.ofMillis(10));
            return condition.call();
        });
    }

    /** Lets time pass in steps, so that loops have a chance to run. */
    void pass(Duration span) {
        Duration step = Duration.ofMillis(250);
        for (Duration passed = Duration.ZERO; passed.compareTo(span) < 0; passed = passed.plus(step)) {
            time.advance(step);
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        nodes.forEach(node -> node.stop());
    }
}
