package dev.orderly.bench.postgres;

import dev.orderly.job.EngineOptions;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobEngine;
import dev.orderly.job.Queue;
import dev.orderly.job.QueueOptions;
import dev.orderly.store.postgres.PostgresStore;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/** The whole engine: rules, encoding, batching, virtual threads, permits, fencing; handlers do nothing. */
final class EngineRuns implements AutoCloseable {
    private static final int BULK = 5_000;
    private static final long PATIENCE_SECONDS = 300;

    private final Time time = Time.system();
    private final Jobs jobs = new Jobs();
    private final JobEngine engine;
    private final QueueOptions options;

    EngineRuns(PostgresStore postgres, int concurrency) {
        engine = new JobEngine(postgres.jobs(), postgres.jobViews(),
                EngineOptions.defaults().withStopGrace(Duration.ofSeconds(1)));
        options = QueueOptions.STANDARD.withConcurrency(concurrency).withMaxPending(100_000_000);
    }

    /** Callers that push one job each and wait for it. */
    double push(int callers, Duration window) throws InterruptedException {
        Queue<String> queue = queue();
        LongAdder pushed = new LongAdder();
        return load(callers, window, pushed, () -> {
            queue.push(jobs.text());
            pushed.increment();
        });
    }

    /** So many jobs are there before the first is claimed. */
    double drain(int total) throws InterruptedException {
        Queue<String> queue = queue();
        for (int pushed = 0; pushed < total; pushed += BULK) {
            queue.pushAll(texts(BULK));
        }
        CountDownLatch left = new CountDownLatch(total);
        engine.handle(queue, (_, _) -> left.countDown());
        return drained(left, total);
    }

    /** The same over groups, pushed round robin. */
    double drain(int groups, int each) throws InterruptedException {
        FifoQueue<String> queue = engine.fifo(Jobs.FIFO.value(), String.class, options);
        int next = 0;
        for (int pushed = 0; pushed < groups * each; pushed += BULK) {
            int first = next;
            List<String> texts = texts(BULK);
            java.util.Map<String, Integer> place = new java.util.HashMap<>();
            for (String text : texts) {
                place.put(text, first + place.size());
            }
            queue.pushAll(texts, text -> "group " + place.getOrDefault(text, 0) % groups);
            next += BULK;
        }
        CountDownLatch left = new CountDownLatch(groups * each);
        engine.handle(queue, (_, _) -> left.countDown());
        return drained(left, groups * each);
    }

    /** Push and run at the same time, 100 jobs a call, with at most 4,000 jobs between push and handler. */
    double steady(int callers, int together, Duration window) throws InterruptedException {
        Queue<String> queue = queue();
        LongAdder done = new LongAdder();
        Semaphore room = new Semaphore(4_000);
        engine.handle(queue, (_, _) -> {
            done.increment();
            room.release();
        });
        engine.start();
        return load(callers, window, done, () -> {
            room.acquire(together);
            queue.pushAll(texts(together));
        });
    }

    /** Nanoseconds from the call of push to the start of the handler, nothing else going on; sorted. */
    long[] idleLatency(int pushes, Duration pause) throws InterruptedException {
        BlockingQueue<Long> latencies = new ArrayBlockingQueue<>(pushes);
        Queue<Long> queue = engine.queue("latency", Long.class, options);
        engine.handle(queue, (pushed, _) -> latencies.put(time.nanos() - pushed));
        engine.start();
        for (int n = 0; n < pushes; n++) {
            queue.push(time.nanos());
            Thread.currentThread().join(pause);
        }
        List<Long> all = new ArrayList<>();
        while (all.size() < pushes) {
            Long one = latencies.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (one == null) {
                throw new IllegalStateException("Of " + pushes + " jobs " + all.size() + " ran");
            }
            all.add(one);
        }
        return all.stream().skip(pushes / 5).mapToLong(Long::longValue).sorted().toArray();
    }

    @Override
    public void close() {
        engine.stop();
    }

    private double drained(CountDownLatch left, int total) throws InterruptedException {
        long start = time.nanos();
        engine.start();
        if (!left.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("Of " + total + " jobs " + left.getCount() + " did not run");
        }
        return total * 1e9 / (time.nanos() - start);
    }

    private Queue<String> queue() {
        return engine.queue(Jobs.STANDARD.value(), String.class, options);
    }

    private List<String> texts(int count) {
        List<String> texts = new ArrayList<>(count);
        for (int n = 0; n < count; n++) {
            texts.add(jobs.text());
        }
        return texts;
    }

    @FunctionalInterface
    private interface Call {
        void run() throws InterruptedException;
    }

    private double load(int callers, Duration window, LongAdder counter, Call call) throws InterruptedException {
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> threads = new ArrayList<>();
        for (int n = 0; n < callers; n++) {
            threads.add(Thread.ofVirtual().start(() -> {
                try {
                    while (!over.get()) {
                        call.run();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }));
        }
        Thread.currentThread().join(Duration.ofSeconds(2));
        long before = counter.sum();
        long start = time.nanos();
        Thread.currentThread().join(window);
        double rate = (counter.sum() - before) * 1e9 / (time.nanos() - start);
        over.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        return rate;
    }
}
