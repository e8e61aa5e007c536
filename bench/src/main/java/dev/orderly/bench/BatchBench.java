package dev.orderly.bench;

import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.bench.measure.Database;
import dev.orderly.bench.measure.Figure;
import dev.orderly.bench.measure.Latencies;
import dev.orderly.bench.report.MarkdownTable;
import dev.orderly.job.Batch;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.store.JobObserver;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.Settlement;
import dev.orderly.store.StoreObserver;
import dev.orderly.store.sqlite.SqliteStore;
import dev.orderly.time.Time;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.DoubleFunction;

/**
 * Members of a batch beside jobs of none, on SQLite and PostgreSQL: a backlog that was pushed before is worked off by
 * 32 handlers that do nothing, until the last end is durable; of the batch, that of its callback. Then the time from
 * the last end to the callback, of batches one after another and all at once.
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

    /** A store of a kind. */
    private interface Fresh {
        /** Opens one that is empty. */
        Store open() throws Exception;

        /** Brings its tables to the state that they reach by themselves when nothing happens. */
        void settle() throws Exception;
    }

    void run() throws Exception {
        run("SQLite", new Fresh() {
            @Override
            public Store open() {
                return SqliteStore.at(folder.resolve("batch" + files.incrementAndGet() + ".db"));
            }

            @Override
            public void settle() {
                // nothing is left to be done in a file
            }
        });
        try (Database database = Database.start(folder)) {
            run("PostgreSQL", new Fresh() {
                @Override
                public Store open() throws Exception {
                    return database.fresh();
                }

                @Override
                public void settle() throws Exception {
                    database.analyse();
                }
            });
        }
    }

    private void run(String name, Fresh store) throws Exception {
        if (rounds > 0) {
            rates(name, store);
        }
        waits(name + ", batch after batch", store, 1);
        waits(name + ", " + BATCHES + " batches at once", store, BATCHES);
    }

    /** Runs of both kinds in turns, each kind first in every other round, after a shorter one of each that warms. */
    private void rates(String name, Fresh store) throws Exception {
        rate(store, true, jobs / 5);
        rate(store, false, jobs / 5);
        List<Double> plain = new ArrayList<>();
        List<Double> members = new ArrayList<>();
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            boolean membersFirst = round % 2 == 1;
            double first = rate(store, membersFirst, jobs);
            double second = rate(store, !membersFirst, jobs);
            plain.add(membersFirst ? second : first);
            members.add(membersFirst ? first : second);
            ratios.add(members.getLast() / plain.getLast());
        }
        MarkdownTable table = new MarkdownTable(List.of(name + ", run", "jobs a second", "to jobs of no batch"));
        table.row(List.of("jobs of no batch", spread(plain, MarkdownTable::rate), MarkdownTable.ratio(1)));
        table.row(List.of("members of one batch", spread(members, MarkdownTable::rate),
                spread(ratios, MarkdownTable::ratio)));
        table.print(out);
    }

    private static String spread(List<Double> values, DoubleFunction<String> text) {
        List<Double> sorted = values.stream().sorted().toList();
        return text.apply(sorted.get(sorted.size() / 2)) + " (" + text.apply(sorted.getFirst()) + " to "
                + text.apply(sorted.getLast()) + ")";
    }

    /** From the end of the handler of a batch's last member to the begin of that of its callback. */
    private void waits(String name, Fresh store, int atOnce) throws Exception {
        Time time = Time.system();
        try (Orderly orderly = Orderly.open(store.open())) {
            StandardQueue<Integer> members = orderly.queue("members", Integer.class,
                    options -> options.withConcurrency(BATCHES));
            StandardQueue<Integer> last = orderly.queue("last", Integer.class);
            AtomicLongArray ended = new AtomicLongArray(BATCHES);
            BlockingQueue<Long> waits = new LinkedBlockingQueue<>();
            List<Long> all = new ArrayList<>();
            Phaser together = new Phaser(atOnce);
            orderly.handle(members, (number, _) -> {
                together.arriveAndAwaitAdvance();
                ended.set(number, time.nanos());
            });
            orderly.handle(last, (number, _) -> waits.add(time.nanos() - ended.get(number)));
            orderly.start();
            for (int n = 0; n < BATCHES; n += atOnce) {
                List<Batch> batches = new ArrayList<>();
                for (int number = n; number < n + atOnce; number++) {
                    batches.add(orderly.batch("batch-" + number).then(last, number));
                    members.in(batches.getLast()).push(number);
                    batches.getLast().close();
                }
                for (int number = n; number < n + atOnce; number++) {
                    all.add(Objects.requireNonNull(waits.poll(1, TimeUnit.MINUTES), "No callback came"));
                }
            }
            Figure.Millis millis = Latencies.of(all).millis();
            out.printf(Locale.ROOT, "%n%s, from the end of the last handler to the begin of the callback's:"
                    + " p50 %.0f ms, p99 %.0f ms, longest %.0f ms of %d%n", name, millis.median(), millis.p99(),
                    millis.most(), BATCHES);
        }
    }

    /** Jobs a second from the start of the node to the last durable end, or that of the callback. */
    private double rate(Fresh store, boolean inBatch, int number) throws Exception {
        Time time = Time.system();
        CountDownLatch left = new CountDownLatch(inBatch ? number + 1 : number);
        JobObserver ends = new JobObserver() {
            @Override
            public void settled(Settlement settlement, JobStore.SettleResult result) {
                if (result == JobStore.SettleResult.ACCEPTED) {
                    left.countDown();
                }
            }
        };
        try (Orderly orderly = Orderly.open(Store.observed(store.open(), StoreObserver.NONE, ends))) {
            StandardQueue<String> queue = orderly.queue("measured", String.class,
                    each -> each.withConcurrency(HANDLERS).withMaxPending(100_000_000));
            StandardQueue<String> last = orderly.queue("last", String.class);
            orderly.handle(queue, (_, _) -> {});
            orderly.handle(last, (_, _) -> {});
            Batch batch = orderly.batch("all").then(last, "all");
            for (int pushed = 0; pushed < number; pushed += AT_ONCE) {
                List<String> some = Collections.nCopies(Math.min(AT_ONCE, number - pushed), "body");
                var _ = inBatch ? queue.in(batch).pushAll(some) : queue.pushAll(some);
            }
            if (inBatch) {
                batch.close();
            }
            store.settle();
            long began = time.nanos();
            orderly.start();
            if (!left.await(20, TimeUnit.MINUTES)) {
                throw new IllegalStateException(left.getCount() + " of " + number + " jobs have not ended");
            }
            return number / ((time.nanos() - began) / 1e9);
        }
    }
}
