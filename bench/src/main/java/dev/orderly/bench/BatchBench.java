package dev.orderly.bench;

import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.bench.measure.Database;
import dev.orderly.bench.measure.Figure;
import dev.orderly.bench.measure.Latencies;
import dev.orderly.bench.report.MarkdownTable;
import dev.orderly.job.Batch;
import dev.orderly.job.StandardQueue;
import dev.orderly.store.sqlite.SqliteStore;
import dev.orderly.time.Time;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Members of a batch beside jobs of none, on SQLite and PostgreSQL: a backlog that was pushed before is worked off by
 * 32 handlers that do nothing, until the last end is durable; of the batch, until its callback has run.
 */
final class BatchBench {
    private static final int HANDLERS = 32;
    private static final int AT_ONCE = 10_000;
    private static final int BATCHES = 200;

    private final PrintStream out;
    private final Path folder;
    private final int rounds;
    private final int jobs;
    private final AtomicInteger files = new AtomicInteger();

    /** @param jobs of one run */
    BatchBench(PrintStream out, Path folder, int rounds, int jobs) {
        this.out = out;
        this.folder = folder;
        this.rounds = rounds;
        this.jobs = jobs;
    }

    /** Opens a store that is empty. */
    @FunctionalInterface
    private interface Fresh {
        Store open() throws Exception;
    }

    void run() throws Exception {
        run("SQLite", () -> SqliteStore.at(folder.resolve("batch" + files.incrementAndGet() + ".db")));
        try (Database database = Database.start(folder)) {
            run("PostgreSQL", database::fresh);
        }
    }

    private void run(String name, Fresh store) throws Exception {
        List<Double> plain = new ArrayList<>();
        List<Double> members = new ArrayList<>();
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            double without = rate(store, false);
            double with = rate(store, true);
            plain.add(without);
            members.add(with);
            ratios.add(with / without);
        }
        Collections.sort(plain);
        Collections.sort(members);
        Collections.sort(ratios);
        MarkdownTable table = new MarkdownTable(List.of(name + ", run", "jobs a second", "to jobs of no batch"));
        table.row(List.of("jobs of no batch", MarkdownTable.rate(median(plain), plain.getFirst(), plain.getLast()),
                MarkdownTable.ratio(1)));
        table.row(List.of("members of one batch",
                MarkdownTable.rate(median(members), members.getFirst(), members.getLast()),
                MarkdownTable.ratio(median(ratios))));
        table.print(out);
        Figure.Millis waits = untilTheCallback(store).millis();
        out.printf(Locale.ROOT, "%s, from the end of a batch's last handler to the begin of its callback's:"
                + " p50 %.0f ms, p99 %.0f ms, longest %.0f ms of %d%n%n", name, waits.median(), waits.p99(),
                waits.most(),
                BATCHES);
    }

    /** From the end of the handler of the last member to the begin of that of the callback, batch after batch. */
    private static Latencies untilTheCallback(Fresh store) throws Exception {
        Time time = Time.system();
        try (Orderly orderly = Orderly.open(store.open())) {
            StandardQueue<String> members = orderly.queue("members", String.class);
            StandardQueue<String> last = orderly.queue("last", String.class);
            AtomicLong ended = new AtomicLong();
            BlockingQueue<Long> waits = new LinkedBlockingQueue<>();
            List<Long> all = new ArrayList<>();
            orderly.handle(members, (_, _) -> ended.set(time.nanos()));
            orderly.handle(last, (_, _) -> waits.add(time.nanos() - ended.get()));
            orderly.start();
            for (int n = 0; n < BATCHES; n++) {
                Batch batch = orderly.batch("batch-" + n).then(last, "all");
                members.in(batch).push("body");
                batch.close();
                all.add(Objects.requireNonNull(waits.poll(1, TimeUnit.MINUTES), "No callback came"));
            }
            return Latencies.of(all);
        }
    }

    private static double median(List<Double> sorted) {
        return sorted.get(sorted.size() / 2);
    }

    /** Jobs a second from the start of the node to the last durable end, or to the callback. */
    private double rate(Fresh store, boolean inBatch) throws Exception {
        Time time = Time.system();
        try (Orderly orderly = Orderly.open(store.open())) {
            StandardQueue<String> queue = orderly.queue("measured", String.class,
                    options -> options.withConcurrency(HANDLERS).withMaxPending(100_000_000));
            StandardQueue<String> last = orderly.queue("last", String.class);
            CountDownLatch over = new CountDownLatch(1);
            orderly.handle(queue, (_, _) -> {});
            orderly.handle(last, (_, _) -> over.countDown());
            Batch batch = orderly.batch("all").then(last, "all");
            List<String> some = Collections.nCopies(Math.min(AT_ONCE, jobs), "body");
            for (int pushed = 0; pushed < jobs; pushed += some.size()) {
                var _ = inBatch ? queue.in(batch).pushAll(some) : queue.pushAll(some);
            }
            if (inBatch) {
                batch.close();
            }
            long began = time.nanos();
            orderly.start();
            if (inBatch && !over.await(10, TimeUnit.MINUTES)) {
                throw new IllegalStateException("No callback came: " + batch.view());
            }
            while (!inBatch && orderly.jobs().queues().stream().mapToLong(all -> all.view().waiting()
                    + all.view().running()).sum() > 0) {
                time.park(time.deadline(Duration.ofMillis(20)));
            }
            return jobs / ((time.nanos() - began) / 1e9);
        }
    }
}
