package dev.orderly.bench.postgres;

import dev.orderly.bench.contender.BenchJobs;
import dev.orderly.bench.contender.OrderlyJobs;
import dev.orderly.bench.measure.Database;
import dev.orderly.bench.measure.Figure;
import dev.orderly.bench.measure.Latencies;
import dev.orderly.bench.report.MarkdownTable;
import dev.orderly.time.Time;
import java.io.PrintStream;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Lone pushes into a queue that is kept almost empty while jobs pass through it at a given rate, first without and then
 * beside another session's snapshot.
 */
final class PacedRuns {
    /** Jobs of one call of the load. */
    private static final int BULK = 100;
    private static final int PUSHERS = 4;
    private static final Duration PROBE = Duration.ofMillis(20);
    private static final Duration WARM_UP = Duration.ofSeconds(60);
    private static final Duration WINDOW = Duration.ofSeconds(60);

    private final Database database;
    private final BenchJobs jobs = new BenchJobs();
    private final Time time = Time.system();
    private final List<Future<?>> loads = new ArrayList<>();
    private final LongAdder pushed = new LongAdder();
    private final Queue<Long> pushes = new ConcurrentLinkedQueue<>();
    private final Queue<Long> starts = new ConcurrentLinkedQueue<>();
    private final MarkdownTable table = new MarkdownTable(List.of("lone pushes beside a paced load", "jobs a second",
            "push p50 / p99 ms", "push to start p50 / p99 ms"));

    PacedRuns(Database database) {
        this.database = database;
    }

    /** Prints a row of a minute without a snapshot, and one for the last minute of {@code held} with one. */
    void print(PrintStream out, int rate, Duration held) throws Exception {
        try (OrderlyJobs ours = new OrderlyJobs(database.fresh());
                ScheduledExecutorService load = Executors.newScheduledThreadPool(PUSHERS + 1)) {
            ours.start(PendingLoad.but(payload -> starts.add(time.nanos() - Latencies.stamp(payload))));
            long period = TimeUnit.SECONDS.toNanos((long) PUSHERS * BULK) / rate;
            for (int pusher = 0; pusher < PUSHERS; pusher++) {
                loads.add(load.scheduleAtFixedRate(() -> fill(ours), pusher * period / PUSHERS, period,
                        TimeUnit.NANOSECONDS));
            }
            loads.add(load.scheduleAtFixedRate(() -> probe(ours), 0, PROBE.toNanos(), TimeUnit.NANOSECONDS));
            Thread.currentThread().join(WARM_UP);
            row("no other session");
            try (Connection _ = database.hold()) {
                Duration before = held.minus(WINDOW);
                Thread.currentThread().join(before.isPositive() ? before : Duration.ZERO);
                row("another session's snapshot, held for " + held.toSeconds() + " s");
            }
            load.shutdownNow();
        }
        table.print(out);
    }

    private void fill(OrderlyJobs ours) {
        ours.pushAll(jobs.texts(BULK).stream().map(text -> PendingLoad.MARK + text).toList());
        pushed.add(BULK);
    }

    private void probe(OrderlyJobs ours) {
        long called = time.nanos();
        ours.push(Latencies.stamped(called));
        pushes.add(time.nanos() - called);
    }

    private void row(String name) throws Exception {
        pushes.clear();
        starts.clear();
        long before = pushed.sum();
        long from = time.nanos();
        Thread.currentThread().join(WINDOW);
        double seconds = (time.nanos() - from) / 1e9;
        for (Future<?> each : loads) {
            if (each.isDone()) {
                each.get(); // throws why it ended
            }
        }
        table.row(List.of(name, MarkdownTable.rate((pushed.sum() - before) / seconds), millis(pushes), millis(starts)));
    }

    private static String millis(Queue<Long> nanos) {
        Figure.Millis millis = Latencies.of(List.copyOf(nanos)).millis();
        return String.format(Locale.ROOT, "%.2f / %.2f", millis.median(), millis.p99());
    }
}
