package dev.orderly.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StripedPermitsTest {
    private static final int THREADS = 16;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 1_000, 100_000})
    void eachPermitIsTakenOnceAndThenAllAreRefused(int bound) throws Exception {
        StripedPermits permits = new StripedPermits(bound);
        AtomicInteger taken = new AtomicInteger();
        onThreads(_ -> {
            while (permits.take()) {
                taken.incrementAndGet();
            }
        });
        assertThat(taken).hasValue(bound);
        assertThat(permits.held()).isEqualTo(bound);
    }

    @Test
    void aPermitThatOneThreadGivesBackIsFoundByAnother() throws Exception {
        StripedPermits permits = new StripedPermits(5_000);
        IntStream.range(0, 5_000).forEach(_ -> assertThat(permits.take()).isTrue());
        onThreads(_ -> IntStream.range(0, 5_000 / THREADS).forEach(_ -> permits.give()));
        int free = 5_000 / THREADS * THREADS;
        assertThat(permits.held()).isEqualTo(5_000 - free);
        IntStream.range(0, free).forEach(_ -> assertThat(permits.take()).isTrue());
        assertThat(permits.take()).isFalse();
    }

    @Test
    void aThreadWithinTheBoundIsNeverRefusedBesideOthers() throws Exception {
        StripedPermits permits = new StripedPermits(2 * THREADS);
        AtomicInteger refused = new AtomicInteger();
        onThreads(_ -> {
            for (int i = 0; i < 20_000; i++) {
                refused.addAndGet(permits.take() ? 0 : 1);
                refused.addAndGet(permits.take() ? 0 : 1);
                permits.give();
                permits.give();
            }
        });
        assertThat(refused).hasValue(0);
        assertThat(permits.held()).isZero();
    }

    private static void onThreads(IntConsumer work) throws InterruptedException {
        CountDownLatch begin = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int n = 0; n < THREADS; n++) {
            int number = n;
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    begin.await();
                    work.accept(number);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }));
        }
        begin.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
