package dev.orderly.http.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.http.Node;
import dev.orderly.job.StandardQueue;
import dev.orderly.testkit.resilience.Computation;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handlers compute on every core while hundreds of others wait for something. */
@Timeout(120)
class ComputingHandlersResilienceTest {
    private static final int HANDLERS = 600;
    private static final Duration LONG = Duration.ofSeconds(20);

    private final Node node = new Node();
    private final Computation computation = new Computation(Runtime.getRuntime().availableProcessors());
    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger begun = new AtomicInteger();

    @AfterEach
    void end() {
        end.countDown();
        computation.close();
        node.close();
    }

    private void handle(String what) throws InterruptedException {
        begun.incrementAndGet();
        if (what.equals("computes")) {
            computation.run();
        } else {
            assertThat(end.await(2, TimeUnit.MINUTES)).isTrue();
        }
    }

    @Test
    void requestsAreAnsweredWhileTheLastOfSixHundredHandlersCompute() throws Exception {
        StandardQueue<String> heavy = node.orderly.queue("heavy", String.class,
                o -> o.withConcurrency(HANDLERS));
        node.orderly.handle(heavy, (what, _) -> handle(what));
        node.orderly.start();
        int waiting = HANDLERS - computation.count();
        heavy.pushAll(Collections.nCopies(waiting, "waits"));
        await().atMost(LONG).until(() -> begun.get() == waiting); // and have taken the threads that come first
        heavy.pushAll(Collections.nCopies(computation.count(), "computes"));
        await().atMost(LONG).until(computation::hasBegun);
        for (int request = 0; request < 5; request++) {
            assertThat(node.get("/queues").status()).isEqualTo(200);
        }
        assertThat(begun).hasValue(HANDLERS);
    }
}
