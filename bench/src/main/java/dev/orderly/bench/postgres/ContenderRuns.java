package dev.orderly.bench.postgres;

import dev.orderly.time.Time;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/** The workloads of every contender. Payloads have 200 bytes; handlers do nothing. */
final class ContenderRuns {
    static final int BULK = 1_000;
    /** Jobs of one bulk push in the steady run. */
    private static final int TOGETHER = 100;
    private static final int CALLERS = 8;
    private static final int OUTSTANDING = 4_000;
    private static final Duration WARM_UP = Duration.ofSeconds(2);
    private static final long PATIENCE_SECONDS = 300;

    private final BenchJobs jobs = new BenchJobs();
    private final Database database;
    private final Duration window;

    ContenderRuns(Database database, Duration window) {
        this.database = database;
        this.window = window;
    }

    /** Callers that push one job each and wait for it. */
    Figure push(Contender contender, int callers) throws Exception {
        LongAdder pushed = new LongAdder();
        return load(callers, pushed, pushed, () -> {
            contender.push(jobs.text());
            pushed.increment();
        });
    }

    /** Callers that push 1,000 jobs each and wait for them. */
    Figure bulk(Contender contender, int callers) throws Exception {
        LongAdder pushed = new LongAdder();
        return load(callers, pushed, pushed, () -> {
            contender.pushAll(jobs.texts(BULK));
            pushed.add(BULK);
        });
    }

    /** Drains {@code total} jobs that were pushed before the first is claimed. */
    Figure drain(Contender contender, int total, boolean analysed) throws InterruptedException, SQLException,
            IOException {
        for (int pushed = 0; pushed < total; pushed += BULK) {
            contender.pushAll(jobs.texts(BULK));
        }
        if (analysed) {
            database.analyse();
        }
        CountDownLatch left = new CountDownLatch(total);
        CpuMeter meter = new CpuMeter(database);
        contender.start(_ -> left.countDown());
        await(left);
        contender.awaitEnds(total);
        return meter.of(total);
    }

    /** Push and run at the same time. */
    Figure steady(Contender contender) throws Exception {
        LongAdder done = new LongAdder();
        Semaphore room = new Semaphore(OUTSTANDING);
        contender.start(_ -> {
            done.increment();
            room.release();
        });
        Figure figure = load(CALLERS, done, done, () -> {
            if (room.tryAcquire(TOGETHER, 100, TimeUnit.MILLISECONDS)) {
                contender.pushAll(jobs.texts(TOGETHER));
            }
        });
        // Some contenders log hundreds of failures when they are closed with jobs left.
        if (!room.tryAcquire(OUTSTANDING, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("The last jobs did not run in " + PATIENCE_SECONDS + " s");
        }
        return figure;
    }

    /** Latency from the call of push to the start of the handler, without other load. */
    Latencies idle(Contender contender, int pushes, Duration pause) throws InterruptedException {
        Time time = Time.system();
        BlockingQueue<Long> latencies = new ArrayBlockingQueue<>(pushes);
        contender.start(pushed -> latencies.add(time.nanos() - Latencies.stamp(pushed)));
        for (int n = 0; n < pushes; n++) {
            contender.push(Latencies.stamped(time.nanos()));
            Thread.currentThread().join(pause);
        }
        return Latencies.of(latencies, pushes);
    }

    static void await(CountDownLatch left) throws InterruptedException {
        if (!left.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException(left.getCount() + " jobs did not run in " + PATIENCE_SECONDS + " s");
        }
    }

    @FunctionalInterface
    private interface Call {
        void run() throws InterruptedException;
    }

    /** The window begins when the first job has come through and two seconds have passed. */
    private Figure load(int callers, LongAdder first, LongAdder counter, Call call) throws InterruptedException,
            ExecutionException, IOException {
        AtomicBoolean over = new AtomicBoolean();
        Time time = Time.system();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int n = 0; n < callers; n++) {
                all.add(threads.submit(() -> {
                    while (!over.get()) {
                        call.run();
                    }
                    return null;
                }));
            }
            long deadline = time.deadline(Duration.ofSeconds(30));
            while (first.sum() == 0 && !time.reached(deadline)) {
                Thread.currentThread().join(Duration.ofMillis(10));
            }
            Thread.currentThread().join(WARM_UP);
            long before = counter.sum();
            CpuMeter meter = new CpuMeter(database);
            Thread.currentThread().join(window);
            Figure figure = meter.of(counter.sum() - before);
            over.set(true);
            for (Future<?> one : all) {
                one.get();
            }
            return figure;
        } finally {
            over.set(true);
        }
    }
}
