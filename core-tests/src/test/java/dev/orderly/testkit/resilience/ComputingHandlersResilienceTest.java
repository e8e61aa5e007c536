package dev.orderly.testkit.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.job.CancellationSignal.Reason;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.NodeId;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Handlers that compute on every core. */
class ComputingHandlersResilienceTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration STEP = Duration.ofSeconds(5);
    private static final Duration BUSY = Duration.ofSeconds(45);

    private final ManualTime time = new ManualTime();
    private final MemoryStore memory = new MemoryStore();
    private final InterceptedStore store = new InterceptedStore(memory);
    private final InterceptedStore beside = new InterceptedStore(memory.beside());
    private final Orderly orderly = Orderly.open(store, options("a"));
    private final Orderly other = Orderly.open(beside, options("b"));
    private final Computation computation = Computation.onAllCores();

    private EngineOptions options(String name) {
        return EngineOptions.defaults().withTime(time).withNode(new NodeId(name)).withStopGrace(Duration.ZERO);
    }

    @AfterEach
    void end() {
        computation.close();
        other.close();
        orderly.close();
    }

    private List<JobId> compute(Orderly... nodes) {
        QueueOptions options = QueueOptions.STANDARD.withConcurrency(computation.count());
        StandardQueue<String> queue = null;
        for (Orderly node : nodes) {
            queue = node.queue("heavy", String.class, _ -> options);
            node.handle(queue, (_, _) -> computation.run());
            node.start();
        }
        List<JobId> jobs = new ArrayList<>();
        for (int n = computation.count(); n > 0 && queue != null; n--) {
            jobs.add(queue.push("n" + n));
        }
        // With still clocks: a job that finds no free thread would never begin.
        await().atMost(LONG).until(computation::hasBegun);
        return jobs;
    }

    @Test
    void nodesWhoseHandlersComputeForLongStayAliveAndRunEachJobOnce() {
        List<JobId> jobs = compute(orderly, other);
        for (Duration passed = Duration.ZERO; passed.compareTo(BUSY) < 0; passed = passed.plus(STEP)) {
            int beats = store.calls("beat");
            int others = beside.calls("beat");
            time.advance(STEP);
            await().atMost(LONG).until(() -> store.calls("beat") > beats && beside.calls("beat") > others);
        }
        computation.close();
        await().atMost(LONG).until(() -> jobs.stream().allMatch(id -> view(id).state() == JobState.DONE));
        assertThat(jobs).allSatisfy(id -> assertThat(view(id).attempt()).isEqualTo(1));
    }

    private JobView view(JobId id) {
        return orderly.jobs().find(id).orElseThrow();
    }

    @Test
    void otherJobsCanBePushedRunAndTimedOut() {
        compute(orderly);
        CompletableFuture<Optional<Reason>> signalled = new CompletableFuture<>();
        StandardQueue<String> light = orderly.queue("light", String.class,
                o -> o.withTimeout(Duration.ofSeconds(1)));
        orderly.handle(light, (text, job) -> {
            if (text.equals("hangs")) {
                job.signal().onRaise(() -> signalled.complete(job.signal().reason()));
                signalled.join();
            }
        });
        JobId quick = light.push("quick");
        light.push("hangs");
        await().atMost(LONG).until(() -> {
            time.advance(Duration.ofMillis(100));
            return view(quick).state() == JobState.DONE && signalled.isDone();
        });
        assertThat(signalled).isCompletedWithValue(Optional.of(Reason.TIMEOUT));
    }

    /** HTTP requests are handled on such threads. */
    @Test
    void virtualThreadsRun() {
        compute(orderly);
        var all = Stream.generate(() -> new CompletableFuture<Boolean>()).limit(100).toList();
        all.forEach(one -> Thread.ofVirtual().start(() -> one.complete(true)));
        await().atMost(LONG).until(() -> all.stream().allMatch(CompletableFuture::isDone));
    }
}
