package dev.orderly.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.time.Time;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CachedThreadsTest {
    private final CountDownLatch over = new CountDownLatch(1);

    @AfterEach
    void end() {
        over.countDown();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void noTaskWaitsBehindAnother() {
        CachedThreads threads = new CachedThreads("test", Time.system());
        Random random = new Random(7);
        for (int round = 0; round < 200; round++) {
            int busy = random.nextInt(6);
            CountDownLatch begun = new CountDownLatch(busy);
            CountDownLatch mayEnd = new CountDownLatch(1);
            CountDownLatch done = new CountDownLatch(random.nextInt(20));
            for (int n = 0; n < busy; n++) {
                threads.execute(() -> {
                    begun.countDown();
                    await(mayEnd);
                });
            }
            IntStream.range(0, (int) done.getCount()).forEach(_ -> threads.execute(done::countDown));
            await(begun);
            await(done);
            mayEnd.countDown();
        }
    }

    @Test
    void threadsAreReusedAndNeverTheCallers() {
        CachedThreads threads = new CachedThreads("test", Time.system());
        Set<Thread> seen = ConcurrentHashMap.newKeySet();
        for (int n = 0; n < 1_000; n++) {
            CountDownLatch done = new CountDownLatch(1);
            threads.execute(() -> {
                seen.add(Thread.currentThread());
                done.countDown();
            });
            await(done);
        }
        assertThat(seen).hasSizeLessThan(20).doesNotContain(Thread.currentThread());
        assertThat(seen).allSatisfy(thread -> assertThat(thread.isDaemon() && !thread.isVirtual()).isTrue());
    }

    @Test
    void tasksBeyondTheMaximumRunOnVirtualThreads() {
        CachedThreads threads = new CachedThreads("test", 2, Time.system());
        List<Boolean> virtual = IntStream.range(0, 4).mapToObj(_ -> {
            CountDownLatch begun = new CountDownLatch(1);
            boolean[] is = {false};
            threads.execute(() -> {
                is[0] = Thread.currentThread().isVirtual();
                begun.countDown();
                await(over);
            });
            await(begun);
            return is[0];
        }).toList();
        assertThat(virtual).containsExactly(false, false, true, true);
    }

    @Test
    void tasksRunEvenIfNoThreadCanBeStarted() {
        AtomicInteger asked = new AtomicInteger();
        CachedThreads threads = new CachedThreads("test", 10, Time.system(), task -> {
            if (asked.incrementAndGet() <= 3) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return Thread.ofPlatform().daemon().unstarted(task);
        });
        CountDownLatch done = new CountDownLatch(5);
        IntStream.range(0, 5).forEach(_ -> threads.execute(done::countDown));
        await(done);
    }

    @Test
    void exceptionsAndInterruptsOfATaskReachNoOtherTask() {
        CachedThreads threads = new CachedThreads("test", Time.system());
        CountDownLatch done = new CountDownLatch(100);
        AtomicInteger interrupted = new AtomicInteger();
        IntStream.range(0, 100).forEach(n -> threads.execute(() -> {
            if (Thread.currentThread().isInterrupted()) {
                interrupted.incrementAndGet();
            }
            done.countDown();
            Thread.currentThread().interrupt();
            if (n % 10 == 0) {
                throw new StackOverflowError("of task " + n);
            }
        }));
        await(done);
        assertThat(interrupted).hasValue(0);
    }
}
