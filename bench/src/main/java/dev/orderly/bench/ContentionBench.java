package dev.orderly.bench;

import dev.orderly.Orderly;
import dev.orderly.bench.edge.JoinBench;
import dev.orderly.bench.report.MarkdownTable;
import dev.orderly.flow.GroupCommitter;
import dev.orderly.flow.OriginTraffic;
import dev.orderly.flow.RunningMean;
import dev.orderly.job.StandardQueue;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.store.sqlite.SqliteStore;
import dev.orderly.time.Time;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/**
 * What threads share: the rate of each shared structure with 1, 2 and many threads, the waits for locks on the paths of
 * jobs and of waiting visitors, and a simulation of 64 cores that write the cache lines of a path.
 */
final class ContentionBench {
    /** Nanoseconds in which a cache line moves between cores of two sockets: assumed, two cores do not show it. */
    private static final int MOVE = 100;

    private final PrintStream out;
    private final Path folder;
    private final int rounds;
    private final int seconds;
    private final int threads;

    /** @param threads of the last column, and of the load */
    ContentionBench(PrintStream out, Path folder, int rounds, int seconds, int threads) {
        this.out = out;
        this.folder = folder;
        this.rounds = rounds;
        this.seconds = seconds;
        this.threads = threads;
    }

    /** An operation of one thread. */
    @FunctionalInterface
    private interface Operation {
        void run() throws Exception;
    }

    void run() throws Exception {
        structures();
        waits("jobs, each pushed, claimed, run and settled", this::jobs);
        waits("requests of waiting visitors", this::polls);
        simulated();
    }

    private void structures() throws Exception {
        Map<String, IntFunction<Operation>> all = new LinkedHashMap<>();
        AtomicLong one = new AtomicLong();
        all.put("one counter", _ -> one::incrementAndGet);
        Semaphore semaphore = new Semaphore(10_000);
        all.put("one Semaphore, take and give", _ -> () -> {
            semaphore.acquire();
            semaphore.release();
        });
        AtomicIntegerArray buckets = new AtomicIntegerArray(128);
        all.put("an array of counters, 8 in use", thread -> () -> buckets.incrementAndGet(40 + thread % 8));
        OriginTraffic traffic = new OriginTraffic();
        all.put("OriginTraffic, 8 latencies", thread -> () -> traffic.record(Duration.ofMillis(1 + thread % 8), false));
        RunningMean mean = new RunningMean();
        all.put("RunningMean", _ -> () -> mean.took(Duration.ofMillis(1)));
        GroupCommitter<Integer, Integer> committer = new GroupCommitter<>("bench", Time.system(),
                new GroupCommitter.Bounds<>(1_024, 16_384, _ -> 1), batch -> batch);
        all.put("GroupCommitter, call", _ -> () -> committer.call(1));

        Map<String, List<List<Double>>> rates = new LinkedHashMap<>();
        List<Integer> counts = List.of(1, 2, threads);
        for (int round = 0; round < rounds; round++) {
            for (var entry : all.entrySet()) {
                for (int n = 0; n < counts.size(); n++) {
                    double rate = load(counts.get(n), Duration.ofMillis(300L * seconds), entry.getValue());
                    rates.computeIfAbsent(entry.getKey(), _ -> List.of(new ArrayList<>(), new ArrayList<>(),
                            new ArrayList<>())).get(n).add(rate);
                }
            }
        }
        committer.close(Duration.ofSeconds(1));
        MarkdownTable table = new MarkdownTable(List.of("operations a second, all threads together", "1 thread",
                "2 threads", threads + " threads", threads + " to 1"));
        rates.forEach((name, of) -> {
            double[] median = of.stream()
                    .mapToDouble(each -> each.stream().sorted().skip(each.size() / 2).findFirst().orElseThrow())
                    .toArray();
            table.row(List.of(name, MarkdownTable.rate(median[0]), MarkdownTable.rate(median[1]),
                    MarkdownTable.rate(median[2]), MarkdownTable.ratio(median[2] / median[0])));
        });
        table.print(out);
    }

    /** Operations a second of platform threads, each with the operation of its number. */
    private static double load(int threads, Duration window, IntFunction<Operation> operations) throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        long began = Time.system().nanos();
        long done = 0;
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<Long>> callers = IntStream.range(0, threads)
                    .mapToObj(n -> pool.submit(() -> loop(operations.apply(n), stop))).toList();
            Thread.currentThread().join(window);
            stop.set(true);
            for (Future<Long> caller : callers) {
                done += caller.get();
            }
        }
        return done / ((Time.system().nanos() - began) / 1e9);
    }

    private static long loop(Operation operation, AtomicBoolean stop) throws Exception {
        long done = 0;
        while (!stop.get()) {
            operation.run();
            done++;
        }
        return done;
    }

    private long jobs() throws Exception {
        LongAdder done = new LongAdder();
        try (Orderly orderly = Orderly
                .open(SqliteStore.at(Files.createTempDirectory(folder, "jobs").resolve("jobs.db")))) {
            StandardQueue<String> queue = orderly.queue("bench", String.class,
                    options -> options.withConcurrency(threads).withMaxPending(100_000_000));
            orderly.handle(queue, (_, _) -> done.increment());
            orderly.start();
            load(threads, Duration.ofSeconds(seconds), _ -> () -> queue.push("body"));
            return done.sum();
        }
    }

    private long polls() throws Exception {
        try (JoinBench joins = new JoinBench(Files.createTempDirectory(folder, "polls").resolve("polls.db"))) {
            List<ShownTokens> tickets = Stream.generate(joins::ticket).limit(threads).toList();
            return (long) (seconds * load(threads, Duration.ofSeconds(seconds),
                    thread -> () -> joins.poll(tickets.get(thread))));
        }
    }

    /** Waits for locks by the class of ours that locks, of platform threads. */
    private void waits(String name, Callable<Long> path) throws Exception {
        Path file = folder.resolve("waits.jfr");
        Map<String, Integer> waits = new TreeMap<>();
        var _ = path.call(); // a thread waits for a class that another one loads
        long operations;
        try (Recording recording = new Recording()) {
            recording.enable("jdk.ThreadPark").withThreshold(Duration.ZERO).withStackTrace();
            recording.enable("jdk.JavaMonitorEnter").withThreshold(Duration.ZERO).withStackTrace();
            recording.start();
            operations = path.call();
            recording.stop();
            recording.dump(file);
        }
        try (RecordingFile events = new RecordingFile(file)) {
            while (events.hasMoreEvents()) {
                RecordedEvent event = events.readEvent();
                if (isOfLock(event)) {
                    waits.merge(locker(event), 1, Integer::sum);
                }
            }
        }
        Files.delete(file);
        MarkdownTable table = new MarkdownTable(List.of("waits for a lock, " + threads + " threads, " + operations
                + " " + name, "in all", "per 1,000"));
        waits.forEach((locker, number) -> table.row(List.of(locker, Integer.toString(number),
                String.format(Locale.ROOT, "%.2f", 1_000.0 * number / Math.max(1, operations)))));
        table.print(out);
    }

    private static boolean isOfLock(RecordedEvent event) {
        return event.getEventType().getName().equals("jdk.JavaMonitorEnter")
                || (event.getClass("parkedClass") != null && event.getClass("parkedClass").getName().endsWith("Sync"));
    }

    private static String locker(RecordedEvent event) {
        return event.getStackTrace() == null
                ? "unknown"
                : event.getStackTrace().getFrames().stream().map(RecordedFrame::getMethod)
                        .filter(method -> method.getType().getName().startsWith("dev.orderly."))
                        .map(method -> method.getType().getName().replaceAll(".*\\.", "") + "." + method.getName())
                        .findFirst().orElse("outside of Orderly");
    }

    private void simulated() {
        MarkdownTable table = new MarkdownTable(List.of("simulated, of as many times one core", "work in ns",
                "writes of each shared line", "16 cores", "64 cores", "256 cores"));
        simulate(table, "waiting visitor: answers under way, their mean, bytes", 12_800, 2, 1, 1);
        simulate(table, "proxied: requests, the pool, latencies, bytes", 22_000, 2, 2, 1, 1);
        table.print(out);
    }

    private static void simulate(MarkdownTable table, String path, int work, int... writes) {
        table.row(List.of(path, Integer.toString(work), Arrays.toString(writes), efficiency(16, work, writes),
                efficiency(64, work, writes), efficiency(256, work, writes)));
    }

    /** Cores that work, then write each line in turn; a line serves one core at a time, and moves for each write. */
    private static String efficiency(int cores, int work, int... writes) {
        long[] free = new long[writes.length];
        long[] done = new long[writes.length + 1];
        PriorityQueue<long[]> ready = new PriorityQueue<>(Comparator.comparingLong(next -> next[0]));
        IntStream.range(0, cores).forEach(core -> ready.add(new long[]{(long) core * work / cores, 0}));
        for (long[] next = ready.remove(); next[0] < 1_000L * work; next = ready.remove()) {
            int step = (int) next[1];
            done[step]++;
            if (step == writes.length) {
                ready.add(new long[]{next[0] + work, 0});
            } else {
                free[step] = Math.max(next[0], free[step]) + (long) writes[step] * MOVE;
                ready.add(new long[]{free[step], step + 1});
            }
        }
        return MarkdownTable.ratio(done[writes.length] / (1_000.0 * cores));
    }
}
