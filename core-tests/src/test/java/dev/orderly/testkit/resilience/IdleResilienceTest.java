package dev.orderly.testkit.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nodes without any work that can be done. */
class IdleResilienceTest {
    private static final int QUEUES = 100;
    private static final Duration WHILE = Duration.ofSeconds(3);
    /** A claim at least each second, more often at first; heartbeats, upkeep, and the calls of a start. */
    private static final int CALLS_MOST = 40;
    private static final int CALLS_LEAST = (int) WHILE.toSeconds() - 1;

    private final ManualTime time = new ManualTime();
    private final InterceptedStore store = new InterceptedStore(new MemoryStore(time));
    private final Orderly orderly = Orderly.open(store,
            EngineOptions.defaults().withTime(time).withStopGrace(Duration.ZERO));

    @AfterEach
    void close() {
        orderly.close();
    }

    private int callsMeanwhile() {
        StandardQueue<String> queue = orderly.queue("q", String.class);
        orderly.handle(queue, (_, _) -> {});
        for (int n = 1; n < QUEUES; n++) {
            orderly.handle(orderly.queue("q" + n, String.class), (_, _) -> {});
        }
        orderly.start();
        await().until(() -> store.calls("claim") > 0);
        int before = store.calls();
        long end = time.deadline(WHILE);
        await().pollInterval(Duration.ofMillis(1)).atMost(Duration.ofSeconds(30)).until(() -> {
            time.advance(Duration.ofMillis(10));
            return time.reached(end);
        });
        return store.calls() - before;
    }

    @Test
    void anIdleNodeWithManyQueuesPollsItsStoreAboutOnceASecond() {
        assertThat(callsMeanwhile()).isBetween(CALLS_LEAST, CALLS_MOST);
    }

    @Test
    void dueJobsThatCannotBeClaimedAreNotPolledMoreOften() {
        // The due job is behind a pause, or behind a row that another transaction locks.
        store.around("claim", (arguments, work) -> new ClaimedJobs(((ClaimedJobs) work.get()).jobs(),
                ((Instant) arguments[1]).minusSeconds(1), Set.of()));
        assertThat(callsMeanwhile()).isBetween(CALLS_LEAST, CALLS_MOST);
    }

    @Test
    void pushesIntoAPausedQueueCauseNoClaimsUntilItIsResumed() {
        StandardQueue<String> queue = orderly.queue("q", String.class);
        AtomicInteger ran = new AtomicInteger();
        orderly.handle(queue, (_, _) -> ran.incrementAndGet());
        orderly.jobs().pause(queue.name(), true);
        orderly.start();
        await().until(() -> store.calls("claim") > 0);
        int before = store.calls("claim");
        int pushes = 10 * CALLS_MOST;
        AtomicInteger pushed = new AtomicInteger();
        await().pollInterval(Duration.ofMillis(2)).atMost(Duration.ofSeconds(60)).until(() -> {
            queue.push("m");
            time.advance(Duration.ofMillis(2));
            return pushed.incrementAndGet() == pushes;
        });
        assertThat(store.calls("claim") - before).isLessThan(CALLS_MOST);
        orderly.jobs().pause(queue.name(), false);
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            time.advance(Duration.ofMillis(10));
            return ran.get() == pushes;
        });
    }
}
