package dev.orderly.testkit.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.flow.FatalErrors;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.testkit.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Memory errors, and classes that cannot be loaded, in the middle of a node's work. */
class ErrorsResilienceTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final List<String> fatal = new CopyOnWriteArrayList<>();
    private final AtomicInteger failing = new AtomicInteger();
    private volatile Error error = new OutOfMemoryError("of the test");
    private final InterceptedStore store = new InterceptedStore(new MemoryStore());
    private final Orderly orderly = Orderly.open(store, EngineOptions.defaults().withStopGrace(Duration.ZERO));

    @BeforeEach
    void hear() {
        store.around("claim", (_, work) -> {
            ClaimedJobs claims = (ClaimedJobs) work.get();
            if (!claims.jobs().isEmpty() && failing.getAndDecrement() > 0) {
                throw error; // after the store has handed out the jobs
            }
            return claims;
        });
        FatalErrors.onFatal((where, thrown) -> fatal.add(where + ": " + thrown.getMessage()));
    }

    @AfterEach
    void end() {
        orderly.close();
        FatalErrors.onFatal((_, _) -> {});
    }

    private JobId done() {
        StandardQueue<String> queue = orderly.queue("mail", String.class);
        JobId job = queue.push("a"); // before the start, so that it is claimed and not handed off
        orderly.handle(queue, (_, _) -> {});
        orderly.start();
        await().atMost(LONG).until(() -> orderly.jobs().find(job).orElseThrow().state() == JobState.DONE);
        return job;
    }

    @Test
    void anErrorInAClaimIsReportedEndsNoLoopAndLosesNoJob() {
        failing.set(1);
        JobId job = done();
        assertThat(orderly.jobs().find(job).orElseThrow().failures()).isZero();
        assertThat(fatal).containsExactly("the claim loop: of the test");
    }

    @Test
    void anErrorThatIsNotFatalIsSurvived() {
        error = new NoClassDefFoundError("Missing");
        failing.set(1);
        done();
        assertThat(fatal).isEmpty();
    }

    @Test
    void anOutOfMemoryErrorOfAHandlerIsReportedAndCountsAsAFailure() {
        StandardQueue<String> queue = orderly.queue("mail", String.class);
        orderly.handle(queue, (_, _) -> {
            throw new OutOfMemoryError("in a handler");
        });
        orderly.start();
        JobId job = queue.push("a");
        await().atMost(LONG).until(() -> orderly.jobs().find(job).orElseThrow().failures() == 1);
        assertThat(fatal).containsExactly("a handler of queue mail: in a handler");
    }
}
