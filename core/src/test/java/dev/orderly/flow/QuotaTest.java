package dev.orderly.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.flow.Quota.Taken;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class QuotaTest {
    private static final int THREADS = 4;

    @Test
    void aHolderBeyondItsShareIsRefusedAndOthersAreServed() {
        Quota<String> quota = new Quota<>(new Quota.Limit(3, 2));
        assertThat(List.of(quota.take("a"), quota.take("a"), quota.take("a"), quota.take("b"), quota.take("c")))
                .containsExactly(Taken.TAKEN, Taken.TAKEN, Taken.HOLDER_FULL, Taken.TAKEN, Taken.ALL_HELD);
        assertThat(quota.look("a")).isEqualTo(Taken.ALL_HELD);

        assertThat(quota.give("a")).isOne();
        assertThat(quota.look("a")).isEqualTo(Taken.TAKEN);
        assertThat(quota.give("a")).isZero();
        assertThat(quota.held("a")).isZero();
        assertThat(quota.held()).isOne();
    }

    @Test
    void aShareOfZeroServesNobody() {
        Quota<String> quota = new Quota<>(new Quota.Limit(3, 0));
        assertThat(quota.take("a")).isEqualTo(Taken.HOLDER_FULL);
        assertThat(quota.held()).isZero();
    }

    @Test
    void boundsHoldExactlyWhileManyThreadsTakeAndGive() throws Exception {
        Quota<Integer> quota = new Quota<>(new Quota.Limit(3, 2));
        AtomicInteger all = new AtomicInteger();
        List<AtomicInteger> each = List.of(new AtomicInteger(), new AtomicInteger());
        AtomicInteger exceeded = new AtomicInteger();
        AtomicInteger taken = new AtomicInteger();
        inParallel(thread -> () -> {
            for (int i = 0; i < 20_000; i++) {
                int holder = (thread + i) % each.size();
                if (quota.take(holder) == Taken.TAKEN) {
                    taken.incrementAndGet();
                    if (all.incrementAndGet() > 3 || each.get(holder).incrementAndGet() > 2) {
                        exceeded.incrementAndGet();
                    }
                    each.get(holder).decrementAndGet();
                    all.decrementAndGet();
                    quota.give(holder);
                }
            }
            return null;
        });
        assertThat(exceeded).hasValue(0);
        assertThat(taken.get()).isPositive();
        assertThat(quota.held()).isZero();
        assertThat(quota.held(0) + quota.held(1)).isZero();
    }

    /** A refused take of another thread must not make a take fail for which there is room. */
    @Test
    void aRefusedTakeCostsNoOtherItsPlace() throws Exception {
        Quota<String> quota = new Quota<>(new Quota.Limit(10, 1));
        quota.take("greedy");
        AtomicInteger refused = new AtomicInteger();
        inParallel(thread -> () -> {
            String holder = thread == 0 ? "honest" : "greedy";
            for (int i = 0; i < 20_000; i++) {
                boolean served = quota.take(holder) == Taken.TAKEN;
                if (thread == 0 && !served) {
                    refused.incrementAndGet();
                } else if (thread == 0) {
                    quota.give(holder);
                }
            }
            return null;
        });
        assertThat(refused).hasValue(0);
        assertThat(quota.held("greedy")).isOne();
        assertThat(quota.held()).isOne();
    }

    private interface Part {
        Callable<Void> of(int thread);
    }

    private static void inParallel(Part part) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<Void>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                running.add(threads.submit(part.of(i)));
            }
            for (Future<Void> each : running) {
                each.get();
            }
        }
    }
}
