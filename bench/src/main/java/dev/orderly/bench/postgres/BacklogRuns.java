package dev.orderly.bench.postgres;

import dev.orderly.bench.contender.BenchJobs;
import dev.orderly.bench.contender.ContenderRuns;
import dev.orderly.bench.contender.OrderlyJobs;
import dev.orderly.bench.measure.Database;
import dev.orderly.bench.measure.Figure;
import dev.orderly.bench.measure.Latencies;
import dev.orderly.bench.measure.UsageMeter;
import dev.orderly.job.QueueName;
import dev.orderly.store.postgres.PostgresStore;
import dev.orderly.testkit.server.ChildProcess;
import dev.orderly.time.Time;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/** Orderly's engine beside more pending jobs than are measured. */
final class BacklogRuns {
    private static final int TOTAL = 50_000;
    private static final Duration PAUSE = Duration.ofMillis(60);

    private final BenchJobs jobs = new BenchJobs();
    private final Database database;
    private final int pending;

    BacklogRuns(Database database, int pending) {
        this.database = database;
        this.pending = pending;
    }

    /** 50,000 jobs beside a backlog. Jobs of lower priority that run until the 50,000 are done count as well. */
    Figure drain(PendingLoad backlog, boolean analysed) throws Exception {
        try (OrderlyJobs ours = new OrderlyJobs(database.fresh())) {
            backlog.fill(ours, pending, jobs);
            push(ours);
            if (analysed) {
                database.analyse();
            }
            CountDownLatch left = new CountDownLatch(TOTAL);
            LongAdder ran = new LongAdder();
            UsageMeter meter = new UsageMeter(database);
            ours.start(payload -> {
                ran.increment();
                PendingLoad.but(_ -> left.countDown()).accept(payload);
            });
            ContenderRuns.await(left);
            long all = ran.sum();
            ours.awaitEnds(all);
            return meter.of(all);
        }
    }

    /**
     * Pushes 50,000 jobs while the queue is paused, and drains them, again and again for {@code span}, while another
     * session's snapshot keeps dead rows from being removed. The rate is the median of the last third of the rounds.
     */
    Figure held(boolean held, Duration span) throws Exception {
        Time time = Time.system();
        try (OrderlyJobs ours = new OrderlyJobs(database.fresh()); Connection session = database.hold()) {
            if (!held) {
                session.rollback();
            }
            AtomicReference<CountDownLatch> left = new AtomicReference<>(new CountDownLatch(0));
            QueueName queue = ours.queue().name();
            ours.client().pause(queue, true);
            ours.start(_ -> left.get().countDown());
            List<Figure> rounds = new ArrayList<>();
            for (long deadline = time.deadline(span); rounds.isEmpty() || !time.reached(deadline);) {
                push(ours);
                left.set(new CountDownLatch(TOTAL));
                UsageMeter meter = new UsageMeter(database);
                ours.client().pause(queue, false);
                ContenderRuns.await(left.get());
                ours.awaitEnds((rounds.size() + 1L) * TOTAL);
                rounds.add(meter.of(TOTAL));
                ours.client().pause(queue, true);
            }
            List<Figure> last = new ArrayList<>(rounds.subList(rounds.size() * 2 / 3, rounds.size()));
            Collections.sort(last, Figure.BY_RATE);
            return last.get(last.size() / 2);
        }
    }

    /** Latency from the call of push in another process to the start of the handler in this one. */
    Figure.Millis fromElsewhere(PendingLoad backlog, int pushes) throws Exception {
        Time time = Time.system();
        try (PostgresStore store = database.fresh(); OrderlyJobs ours = new OrderlyJobs(store)) {
            backlog.fill(ours, pending, jobs);
            BlockingQueue<Long> latencies = new ArrayBlockingQueue<>(pushes);
            ours.start(PendingLoad.but(pushed -> latencies.add(time.nanos() - Latencies.stamp(pushed))));
            List<String> command = ChildProcess.java(List.of("-Xmx256m"), PushingNode.class.getName(), database.url(),
                    Integer.toString(pushes), Long.toString(PAUSE.toMillis()));
            try (ChildProcess pusher = ChildProcess.start(command, builder -> builder.inheritIO())) {
                Figure.Millis all = Latencies.of(latencies, pushes).millis();
                pusher.join(Duration.ofSeconds(10));
                return all;
            }
        }
    }

    private void push(OrderlyJobs ours) {
        for (int pushed = 0; pushed < TOTAL; pushed += ContenderRuns.BULK) {
            ours.pushAll(jobs.texts(ContenderRuns.BULK));
        }
    }
}
