package dev.orderly.bench.contender;

import dev.orderly.bench.measure.Database;
import dev.orderly.bench.measure.Figure;
import dev.orderly.bench.measure.UsageMeter;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.Job;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * FIFO: groups pushed round robin, so that a bulk call holds several jobs of each of few groups; the order is checked.
 */
public final class GroupRuns {
    private static final int BULK = 5_000;
    private static final String BLOCKED = "blocked";
    private static final String FILLING = "x".repeat(180);

    private final Database database;
    private final int groups;
    private final int each;

    /** @param each jobs of a group */
    public GroupRuns(Database database, int groups, int each) {
        this.database = database;
        this.groups = groups;
        this.each = each;
    }

    /** Jobs a second at which all groups are pushed. */
    Figure push(OrderlyJobs ours) throws IOException {
        FifoQueue<String> queue = ours.fifo();
        UsageMeter meter = new UsageMeter(database);
        push(queue, 0);
        return meter.of((long) groups * each);
    }

    /** Jobs a second until all groups are empty, beside {@code blocked} jobs behind a head that waits. */
    public Figure drain(OrderlyJobs ours, int blocked, boolean analysed) throws InterruptedException, SQLException,
            IOException {
        FifoQueue<String> queue = ours.fifo();
        push(queue, blocked);
        if (analysed) {
            database.analyse();
        }
        CountDownLatch left = new CountDownLatch(groups * each);
        AtomicIntegerArray last = new AtomicIntegerArray(groups);
        LongAdder disordered = new LongAdder();
        ours.worker().handle(queue, (payload, job) -> run(payload, job, last, disordered, left));
        UsageMeter meter = new UsageMeter(database);
        ours.worker().start();
        ContenderRuns.await(left);
        ours.awaitEnds((long) groups * each);
        Figure figure = meter.of((long) groups * each);
        if (disordered.sum() > 0) {
            throw new IllegalStateException(disordered.sum() + " jobs ran out of the order of their group");
        }
        return figure;
    }

    private void push(FifoQueue<String> queue, int blocked) {
        for (int from = 0; from < blocked; from += BULK) {
            queue.pushAll(numbered(from, Math.min(blocked, from + BULK), 1), _ -> BLOCKED);
        }
        for (int from = 0; from < groups * each; from += BULK) {
            queue.pushAll(numbered(from, Math.min(groups * each, from + BULK), groups),
                    payload -> "group " + group(payload));
        }
    }

    private static void run(String payload, Job<?> job, AtomicIntegerArray last, LongAdder disordered,
            CountDownLatch left) {
        if (job.groupId().orElseThrow().equals(BLOCKED)) {
            job.snooze(Duration.ofHours(1));
            return;
        }
        int number = Integer.parseInt(payload, 8, 16, 10);
        if (!last.compareAndSet(group(payload), number - 1, number)) {
            disordered.increment();
        }
        left.countDown();
    }

    /** Payloads with their group and, from 1, their number in it. */
    private static List<String> numbered(int from, int to, int groups) {
        List<String> payloads = new ArrayList<>(to - from);
        for (int n = from; n < to; n++) {
            payloads.add("%08d%08d%s".formatted(n % groups, n / groups + 1, FILLING));
        }
        return payloads;
    }

    private static int group(String payload) {
        return Integer.parseInt(payload, 0, 8, 10);
    }
}
