package dev.orderly.bench.contender;

import dev.orderly.bench.measure.Database;
import dev.orderly.bench.measure.Figure;
import dev.orderly.bench.measure.Latencies;
import dev.orderly.bench.measure.Pace;
import dev.orderly.bench.measure.UsageMeter;
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
public final class ContenderRuns {
    /** Jobs of a bulk push. */
    public static final int BULK = 1_000;

    /** Jobs of one bulk push in the steady run. */
    private static final int TOGETHER = 100;
    private static final int CALLERS = 8;
    private static final int OUTSTANDING = 4_000;
    private static final long PATIENCE_SECONDS = 300;

    private final BenchJobs jobs = new BenchJobs();
    private final Database database;
    private final Pace pace;

    public ContenderRuns(Database database, Pace pace) {
        this.database = database;
        this.pace = pace;
    }

    /** Callers that push one job each and wait for it. The latencies of a lone caller's pushes are measured, too. */
    Figure push(Contender contender, int callers) throws Exception {
        Time time = Time.system();
        LongAdder pushed = new LongAdder();
        List<Long> nanos = new ArrayList<>();
        Figure figure = load(callers, pushed, () -> {
            long start = time.nanos();
            contender.push(jobs.text());
            if (callers == 1) {
                nanos.add(time.nanos() - start);
            }
            pushed.increment();
        });
        // The calls of the warm-up are left out: those of the window are the last.
        int measured = (int) Math.min(nanos.size(), figure.perSecond() * pace.window().toMillis() / 1e3);
        return figure.with(Latencies.of(nanos.subList(nanos.size() - measured, nanos.size())).millis());
    }

    /** Callers that push 1,000 jobs each and wait for them. */
    Figure bulk(Contender contender, int callers) throws Exception {
        LongAdder pushed = new LongAdder();
        return load(callers, pushed, () -> {
            contender.pushAll(jobs.texts(BULK));
            pushed.add(BULK);
        });
    }

    /** Drains {@code total} jobs that were pushed before the first is claimed. */
    public Figure drain(Contender contender, int total, boolean analysed) throws InterruptedException, SQLException,
            IOException {
        fill(contender, total);
        if (analysed) {
            database.analyse();
        }
        CountDownLatch left = new CountDownLatch(total);
        UsageMeter meter = new UsageMeter(database);
        contender.start(_ -> left.countDown());
        await(left);
        contender.awaitEnds(total);
        return meter.of(total);
    }

    /** The rate at which jobs run out of more than can run in the window. */
    Figure deep(Contender contender, int total) throws Exception {
        fill(contender, total);
        LongAdder done = new LongAdder();
        contender.start(_ -> done.increment());
        return load(0, done, () -> {});
    }

    /** Push many a call and run at the same time. */
    Figure steady(Contender contender) throws Exception {
        return steady(contender, CALLERS, TOGETHER, () -> contender.pushAll(jobs.texts(TOGETHER)));
    }

    /** One caller that pushes one job at a time, while jobs run. */
    Figure loneSteady(Contender contender) throws Exception {
        return steady(contender, 1, 1, () -> contender.push(jobs.text()));
    }

    private Figure steady(Contender contender, int callers, int together, Call push) throws Exception {
        LongAdder done = new LongAdder();
        Semaphore room = new Semaphore(OUTSTANDING);
        contender.start(_ -> {
            done.increment();
            room.release();
        });
        Figure figure = load(callers, done, () -> {
            if (room.tryAcquire(together, 100, TimeUnit.MILLISECONDS)) {
                push.run();
            }
        });
        // Some contenders log hundreds of failures when they are closed with jobs left.
        if (!room.tryAcquire(OUTSTANDING, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("The last jobs did not run in " + PATIENCE_SECONDS + " s");
        }
        return figure;
    }

    /** Latency from the call of push to the start of the handler, without other load. */
    Figure idle(Contender contender, int pushes) throws InterruptedException, IOException {
        Time time = Time.system();
        BlockingQueue<Long> latencies = new ArrayBlockingQueue<>(pushes);
        contender.start(pushed -> latencies.add(time.nanos() - Latencies.stamp(pushed)));
        UsageMeter meter = new UsageMeter(database);
        for (int n = 0; n < pushes; n++) {
            contender.push(Latencies.stamped(time.nanos()));
            Thread.currentThread().join(pace.pause());
        }
        Latencies all = Latencies.of(latencies, pushes);
        return meter.of(pushes).with(all.millis());
    }

    private void fill(Contender contender, int total) {
        for (int pushed = 0; pushed < total; pushed += BULK) {
            contender.pushAll(jobs.texts(BULK));
        }
    }

    /** Waits until all jobs ran. */
    public static void await(CountDownLatch left) throws InterruptedException {
        if (!left.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException(left.getCount() + " jobs did not run in " + PATIENCE_SECONDS + " s");
        }
    }

    @FunctionalInterface
    private interface Call {
        void run() throws InterruptedException;
    }

    /** The window begins when the first job has come through and the warm-up has passed. */
    private Figure load(int callers, LongAdder counter, Call call) throws InterruptedException,
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
            while (counter.sum() == 0 && !time.reached(deadline)) {
                Thread.currentThread().join(Duration.ofMillis(10));
            }
            Thread.currentThread().join(pace.warmUp());
            long before = counter.sum();
            UsageMeter meter = new UsageMeter(database);
            Thread.currentThread().join(pace.window());
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
