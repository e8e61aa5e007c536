package dev.orderly.bench.postgres;

import dev.orderly.bench.contender.BenchJobs;
import dev.orderly.bench.measure.Database;
import dev.orderly.bench.measure.Figure;
import dev.orderly.bench.measure.UsageMeter;
import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.Settlement;
import dev.orderly.store.postgres.PostgresStore;
import dev.orderly.time.Time;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** The port alone: one loop that claims, and settles the previous claim meanwhile. */
final class PortRuns {
    private static final NodeId NODE = new NodeId("bench");
    private static final int BULK = 1_000;

    private final Time time = Time.system();
    private final BenchJobs jobs = new BenchJobs();
    private final PostgresStore postgres;
    private final Database database;

    PortRuns(PostgresStore postgres, Database database) {
        this.postgres = postgres;
        this.database = database;
        postgres.jobs().beat(NODE);
    }

    /** Pushes {@code total} jobs from {@code threads} threads, 1,000 a call; jobs a second. */
    Figure bulkPush(int total, int threads) throws Exception {
        UsageMeter meter = new UsageMeter(database);
        try (ExecutorService pushers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<? extends Future<?>> all = IntStream.range(0, threads)
                    .mapToObj(_ -> pushers.submit(() -> {
                        for (int pushed = 0; pushed < total / threads; pushed += BULK) {
                            postgres.jobs().push(jobs.standard(BULK), time.now());
                        }
                    })).toList();
            for (Future<?> one : all) {
                one.get();
            }
        }
        return meter.of(total);
    }

    void pushGroups(int groups, int each) {
        for (int round = 0; round < each; round++) {
            for (int from = 0; from < groups; from += BULK) {
                postgres.jobs().push(jobs.fifo(from, Math.min(groups, from + BULK)), time.now());
            }
        }
    }

    /** Jobs a second until {@code most} jobs are done, or none is left. */
    Figure drain(QueueName queue, int each, int most) throws Exception {
        JobStore store = postgres.jobs();
        UsageMeter meter = new UsageMeter(database);
        int done = 0;
        try (ExecutorService settler = Executors.newSingleThreadExecutor()) {
            Future<List<SettleResult>> before = null;
            while (done < most) {
                List<ClaimedJob> claimed = store
                        .claim(new ClaimRequest(NODE, List.of(new Demand(queue, each))), time.now())
                        .jobs();
                if (before != null) {
                    before.get();
                }
                if (claimed.isEmpty()) {
                    if (before == null) {
                        break;
                    }
                    before = null;
                    continue;
                }
                done += claimed.size();
                List<Settlement> endings = claimed.stream()
                        .map(job -> new Settlement(NODE, job.attempt(), new AttemptOutcome.Done(null))).toList();
                before = settler.submit(() -> store.settle(endings, time.now()));
            }
            if (before != null) {
                before.get();
            }
        }
        return meter.of(done);
    }
}
