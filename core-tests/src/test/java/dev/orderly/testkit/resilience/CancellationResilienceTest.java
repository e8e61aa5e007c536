package dev.orderly.testkit.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.job.JobId;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.testkit.MemoryStore;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Cancellation actions of handlers that fail, or do not end. */
class CancellationResilienceTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final CountDownLatch over = new CountDownLatch(1);
    private final Set<String> interrupted = ConcurrentHashMap.newKeySet();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();
    private final Orderly orderly = Orderly.open(new MemoryStore(),
            EngineOptions.defaults().withStopGrace(Duration.ZERO));
    private final StandardQueue<String> queue = orderly.queue("slow", String.class,
            o -> o.withTimeout(Duration.ofMillis(500)));

    @AfterEach
    void end() {
        over.countDown();
        orderly.close();
    }

    private void handle(Runnable atTheEnd) {
        orderly.handle(queue, (name, job) -> {
            job.signal().onRaise(atTheEnd);
            job.signal().onRaise(closed::incrementAndGet);
            running.incrementAndGet();
            try {
                over.await();
            } catch (InterruptedException e) {
                interrupted.add(name);
                throw e;
            }
        });
        orderly.start();
    }

    @Test
    void anActionThatThrowsPreventsNeitherTheInterruptNorOtherActions() {
        handle(() -> {
            throw new IllegalStateException("of an action");
        });
        queue.push("one");
        queue.push("two");
        await().atMost(LONG).until(() -> interrupted.equals(Set.of("one", "two")) && closed.get() >= 2);
    }

    @Test
    void anActionThatHangsDelaysNoCancellation() {
        handle(() -> {
            try {
                over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        JobId one = queue.push("one");
        await().atMost(LONG).until(() -> running.get() == 1);
        Thread.ofVirtual().start(() -> orderly.jobs().cancel(one));
        await().atMost(LONG).until(() -> interrupted.contains("one"));
        queue.push("two");
        await().atMost(LONG).until(() -> interrupted.contains("two"));
        assertThat(over.getCount()).isOne();
    }
}
