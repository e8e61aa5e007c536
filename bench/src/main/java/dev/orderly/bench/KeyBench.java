package dev.orderly.bench;

import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.bench.measure.Database;
import dev.orderly.bench.measure.Figure;
import dev.orderly.bench.measure.Latencies;
import dev.orderly.bench.measure.UsageMeter;
import dev.orderly.bench.postgres.ResultTable;
import dev.orderly.job.Limit;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.StandardQueue;
import dev.orderly.store.sqlite.SqliteStore;
import dev.orderly.time.Time;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A queue with limits and keys beside a plain queue, on SQLite and PostgreSQL: 32 callers push one job a call, and 32
 * handlers that do nothing run them. Then a quiet key beside many waiting jobs of another.
 */
final class KeyBench {
    private static final int CALLERS = 32;
    private static final int HANDLERS = 32;
    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final int QUIET = 300;
    private static final String NOISY = "noisy";

    private final PrintStream out;
    private final Path folder;
    private final int rounds;
    private final int jobs;
    private final int waiting;
    private final List<String> runs;
    private final AtomicInteger files = new AtomicInteger();

    /**
     * @param jobs of one run
     * @param waiting jobs of the noisy key; 0 leaves the quiet key out
     * @param runs {@code sqlite}, {@code postgres}; none for both
     */
    KeyBench(PrintStream out, Path folder, int rounds, int jobs, int waiting, List<String> runs) {
        this.out = out;
        this.folder = folder;
        this.rounds = rounds;
        this.jobs = jobs;
        this.waiting = waiting;
        this.runs = runs;
    }

    /** Opens a store that is empty. */
    @FunctionalInterface
    private interface Fresh {
        Store open() throws Exception;
    }

    /** A kind of queue, with the key of each job. */
    private record Kind(int keys, UnaryOperator<QueueOptions> options) {}

    void run() throws Exception {
        if (runs.isEmpty() || runs.contains("sqlite")) {
            run("SQLite", () -> SqliteStore.at(folder.resolve("keys" + files.incrementAndGet() + ".db")), null);
        }
        if (runs.isEmpty() || runs.contains("postgres")) {
            try (Database database = Database.start(folder)) {
                run("PostgreSQL", database::fresh, database);
            }
        }
    }

    /** @param database the server that the store works on; null if there is none */
    private void run(String name, Fresh store, @Nullable Database database) throws Exception {
        Map<String, Kind> kinds = new LinkedHashMap<>();
        kinds.put("a plain queue", new Kind(1, UnaryOperator.identity()));
        kinds.put("a limit that is never reached",
                new Kind(1, options -> options.withLimit(Limit.concurrency(Limit.CONCURRENCY_MAX))));
        kinds.put("one key", new Kind(1, KeyBench::keyed));
        kinds.put("100 keys", new Kind(100, KeyBench::keyed));
        kinds.put("100 keys with two slots each",
                new Kind(100, options -> keyed(options).withPerKey(Limit.concurrency(2))));
        kinds.put("10,000 keys, each with one job at a time", new Kind(10_000, KeyBench::keyed));
        ResultTable table = new ResultTable(out, name + ", push and run");
        kinds.forEach((kind, of) -> table.row(kind, () -> figure(store, database, of)));
        table.print(rounds);
        if (waiting == 0) {
            return;
        }
        Figure.Millis quiet = quiet(store);
        out.printf(Locale.ROOT, "%nA quiet key beside %,d waiting jobs of another, push to start: p50 %.1f ms,"
                + " p99 %.1f ms%n", waiting, quiet.median(), quiet.p99());
    }

    private static QueueOptions keyed(QueueOptions options) {
        return options.withKey("params.key");
    }

    private static StandardQueue<String> queue(Orderly orderly, UnaryOperator<QueueOptions> options) {
        return orderly.queue("measured", String.class, before -> options.apply(before.withConcurrency(HANDLERS)
                .withMaxPending(100_000_000)));
    }

    /** From the first push to the start of the last job. */
    private Figure figure(Fresh store, @Nullable Database database, Kind kind) throws Exception {
        try (Orderly orderly = Orderly.open(store.open())) {
            StandardQueue<String> queue = queue(orderly, kind.options);
            CountDownLatch left = new CountDownLatch(jobs);
            orderly.handle(queue, (_, _) -> left.countDown());
            orderly.start();
            AtomicInteger next = new AtomicInteger();
            String payload = Latencies.stamped(0);
            UsageMeter usage = new UsageMeter(database);
            List<Thread> callers = IntStream.range(0, CALLERS).mapToObj(_ -> Thread.ofVirtual().start(() -> {
                for (int n = next.getAndIncrement(); n < jobs; n = next.getAndIncrement()) {
                    queue.params(Map.of("key", "key " + n % kind.keys)).push(payload);
                }
            })).toList();
            for (Thread caller : callers) {
                caller.join();
            }
            if (!left.await(5, TimeUnit.MINUTES)) {
                throw new IllegalStateException("Of " + jobs + " jobs " + left.getCount() + " did not run");
            }
            return usage.of(jobs);
        }
    }

    /** From push to start, of a key that has nothing else, while many jobs of another wait for its one slot. */
    private Figure.Millis quiet(Fresh store) throws Exception {
        Time time = Time.system();
        CountDownLatch end = new CountDownLatch(1);
        BlockingQueue<Long> latencies = new ArrayBlockingQueue<>(QUIET);
        try (Orderly orderly = Orderly.open(store.open())) {
            StandardQueue<String> queue = queue(orderly, options -> keyed(options).withPerKey(Limit.concurrency(1)));
            orderly.handle(queue, (payload, job) -> {
                if (NOISY.equals(job.params().get("key"))) {
                    end.await();
                } else {
                    latencies.add(time.nanos() - Latencies.stamp(payload));
                }
            });
            List<String> some = Collections.nCopies(10_000, Latencies.stamped(0));
            for (int pushed = 0; pushed < waiting; pushed += some.size()) {
                queue.params(Map.of("key", NOISY)).pushAll(some);
            }
            orderly.start();
            for (int n = 0; n < QUIET; n++) {
                Thread.currentThread().join(PAUSE);
                queue.params(Map.of("key", "quiet " + n % 10)).push(Latencies.stamped(time.nanos()));
            }
            Figure.Millis all = Latencies.of(latencies, QUIET).millis();
            end.countDown();
            return all;
        } finally {
            end.countDown();
        }
    }
}
