package dev.orderly.bench;

import dev.orderly.Orderly;
import dev.orderly.bench.edge.JoinBench;
import dev.orderly.bench.measure.Figure;
import dev.orderly.bench.measure.Latencies;
import dev.orderly.bench.measure.Pace;
import dev.orderly.bench.measure.UsageMeter;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.StandardQueue;
import dev.orderly.store.sqlite.SqliteStore;
import dev.orderly.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * The workloads, each run as a whole on an empty folder. Payloads are 200 bytes and unique, so that deduplication by
 * content does its work and finds no duplicate.
 */
final class Workloads {
    static final int GROUPS = 10_000;

    private static final int PAYLOAD = 200;
    private static final int HANDLERS = 256;
    /** Jobs between push and handler: enough to keep both ends busy, too few for a backlog. */
    private static final int OUTSTANDING = 2_048;
    private static final QueueOptions OPTIONS = QueueOptions.STANDARD.withConcurrency(HANDLERS)
            .withMaxPending(100_000_000);

    private final Path folder;
    private final Pace pace;
    private final AtomicLong unique = new AtomicLong();

    Workloads(Path folder, Pace pace) {
        this.folder = folder;
        this.pace = pace;
    }

    Figure logPush(int producers) throws IOException, InterruptedException {
        LongAdder done = new LongAdder();
        try (BareLog log = new BareLog(fresh())) {
            return CallerLoad.run(producers, pace, done, (_, _) -> {
                log.append(payload());
                done.increment();
            });
        }
    }

    /** Visitors who each take a place. */
    Figure joins(int callers) throws IOException, InterruptedException {
        LongAdder done = new LongAdder();
        try (JoinBench joins = new JoinBench(fresh())) {
            return CallerLoad.run(callers, pace, done, (_, _) -> {
                joins.join();
                done.increment();
            });
        }
    }

    /** A job is two durable records, its push and its ending; the claim between them is a queue in memory. */
    Figure logLife(int callers) throws IOException, InterruptedException {
        LongAdder done = new LongAdder();
        BlockingQueue<byte[]> waiting = new ArrayBlockingQueue<>(2 * callers);
        try (BareLog log = new BareLog(fresh())) {
            return CallerLoad.run(callers, pace, done, (_, _) -> {
                byte[] job = payload();
                log.append(job);
                waiting.put(job);
                waiting.take();
                log.append(Arrays.copyOf(job, 16));
                done.increment();
            });
        }
    }

    Figure push(int producers) throws InterruptedException, IOException {
        LongAdder done = new LongAdder();
        try (Orderly orderly = open()) {
            StandardQueue<byte[]> queue = orderly.queue("bench", byte[].class, _ -> OPTIONS);
            return CallerLoad.run(producers, pace, done, (_, _) -> {
                queue.push(payload());
                done.increment();
            });
        }
    }

    /** Push, claim, run an empty handler, settle, with {@code pending} further jobs behind the measured jobs. */
    Figure life(int producers, int pending) throws InterruptedException, IOException {
        try (Orderly orderly = open()) {
            StandardQueue<byte[]> queue = orderly.queue("bench", byte[].class, _ -> OPTIONS);
            for (int i = 0; i < pending; i += 10_000) {
                queue.pushAll(payloads(10_000));
            }
            LongAdder done = new LongAdder();
            Semaphore room = new Semaphore(OUTSTANDING);
            orderly.handle(queue, (_, _) -> {
                done.increment();
                room.release();
            });
            orderly.start();
            return CallerLoad.run(producers, pace, done, (_, _) -> {
                room.acquire();
                queue.push(payload());
            });
        }
    }

    /**
     * As {@link #life}, over {@link #GROUPS} groups, after {@code blocked} jobs were pushed behind a head that waits.
     */
    Figure fifo(int producers, int pending, int blocked) throws InterruptedException, IOException {
        try (Orderly orderly = open()) {
            FifoQueue<byte[]> queue = orderly.fifo("bench.fifo", byte[].class,
                    _ -> OPTIONS.withRetry(QueueOptions.FIFO.retry()));
            AtomicLong next = new AtomicLong();
            for (int i = 0; i < blocked; i += 10_000) {
                queue.group("blocked").pushAll(payloads(10_000));
            }
            for (int i = 0; i < pending; i += 10_000) {
                queue.pushAll(payloads(10_000), _ -> "g" + next.getAndIncrement() % GROUPS);
            }
            LongAdder done = new LongAdder();
            Semaphore room = new Semaphore(OUTSTANDING);
            orderly.handle(queue, (_, job) -> {
                if (job.groupId().orElseThrow().equals("blocked")) {
                    job.snooze(Duration.ofHours(1));
                    return;
                }
                done.increment();
                room.release();
            });
            orderly.start();
            return CallerLoad.run(producers, pace, done, (_, _) -> {
                room.acquire();
                queue.group("g" + next.getAndIncrement() % GROUPS).push(payload());
            });
        }
    }

    /** From the call of push to the start of the handler, on an otherwise idle queue. */
    Figure idle(int pushes) throws InterruptedException, IOException {
        Time time = Time.system();
        BlockingQueue<Long> latencies = new ArrayBlockingQueue<>(pushes);
        try (Orderly orderly = open()) {
            StandardQueue<Long> queue = orderly.queue("bench", Long.class, _ -> OPTIONS);
            orderly.handle(queue, (pushed, _) -> latencies.put(time.nanos() - pushed));
            orderly.start();
            return paced(pushes, latencies, () -> queue.push(time.nanos()));
        }
    }

    /** From the call of append to its return, on an otherwise idle log. */
    Figure logIdle(int appends) throws InterruptedException, IOException {
        Time time = Time.system();
        BlockingQueue<Long> latencies = new ArrayBlockingQueue<>(appends);
        try (BareLog log = new BareLog(fresh())) {
            return paced(appends, latencies, () -> {
                long start = time.nanos();
                log.append(payload());
                latencies.add(time.nanos() - start);
            });
        }
    }

    @FunctionalInterface
    private interface Call {
        void run() throws InterruptedException;
    }

    private Figure paced(int calls, BlockingQueue<Long> latencies, Call call) throws InterruptedException, IOException {
        UsageMeter meter = new UsageMeter(null);
        for (int i = 0; i < calls; i++) {
            call.run();
            Thread.currentThread().join(pace.pause());
        }
        Latencies all = Latencies.of(latencies, calls);
        return meter.of(calls).with(all.millis());
    }

    /** Bytes of live heap that {@code pending} pending jobs add. */
    long heapOfPending(int pending) throws IOException {
        try (Orderly orderly = open()) {
            StandardQueue<byte[]> queue = orderly.queue("bench", byte[].class, _ -> OPTIONS);
            queue.push(payload());
            long before = liveHeap();
            for (int i = 0; i < pending; i += 10_000) {
                queue.pushAll(payloads(10_000));
            }
            return liveHeap() - before;
        }
    }

    /** Empties a folder. */
    static void clear(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path path : files.sorted(Comparator.reverseOrder()).filter(path -> !path.equals(folder)).toList()) {
                Files.delete(path);
            }
        }
    }

    private static long liveHeap() {
        Runtime runtime = Runtime.getRuntime();
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private byte[] payload() {
        byte[] bytes = new byte[PAYLOAD];
        long number = unique.incrementAndGet();
        for (int i = 0; i < Long.BYTES; i++) {
            bytes[i] = (byte) (number >>> (8 * i));
        }
        return bytes;
    }

    private List<byte[]> payloads(int count) {
        List<byte[]> payloads = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            payloads.add(payload());
        }
        return payloads;
    }

    private Orderly open() throws IOException {
        return Orderly.open(SqliteStore.at(fresh()));
    }

    private Path fresh() throws IOException {
        return Files.createTempDirectory(folder, "run").resolve("bench.db");
    }
}
