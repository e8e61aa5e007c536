package dev.orderly.bench.contender;

import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.Settlement;
import dev.orderly.testkit.ForwardingJobs;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.LongAdder;

/** Counts the endings that a store accepts, and can store each in a transaction of its own, as the peers do. */
final class EndingCounter extends ForwardingJobs {
    /** Settlements at once, of the ten connections of a store. */
    private static final int AT_ONCE = 8;

    private final boolean oneByOne;
    private final LongAdder taken = new LongAdder();
    private final ThreadFactory threads = Thread.ofVirtual().factory();

    EndingCounter(JobStore store, boolean oneByOne) {
        super(store);
        this.oneByOne = oneByOne;
    }

    /** Waits until {@code jobs} endings were accepted since the creation. */
    void await(long jobs) throws InterruptedException {
        Time time = Time.system();
        for (long deadline = time.deadline(Duration.ofMinutes(1)); taken.sum() < jobs;) {
            if (time.reached(deadline)) {
                throw new IllegalStateException("Of " + jobs + " jobs the ends of " + taken.sum() + " are stored");
            }
            Thread.currentThread().join(Duration.ofMillis(1));
        }
    }

    @Override
    public List<SettleResult> settle(List<Settlement> settlements, Instant now) {
        List<SettleResult> results = oneByOne ? each(settlements, now) : jobs.settle(settlements, now);
        taken.add(results.stream().filter(SettleResult.ACCEPTED::equals).count());
        return results;
    }

    private List<SettleResult> each(List<Settlement> settlements, Instant now) {
        List<Future<SettleResult>> all;
        try (ExecutorService settlers = Executors.newFixedThreadPool(AT_ONCE, threads)) {
            all = settlements.stream().map(one -> settlers.submit(() -> jobs.settle(List.of(one), now).getFirst()))
                    .toList();
        }
        // A failed settlement fails its group commit here, and with it the run: the benchmark's store must work.
        return all.stream().map(Future::resultNow).toList();
    }
}
