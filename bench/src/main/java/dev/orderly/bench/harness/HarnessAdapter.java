package dev.orderly.bench.harness;

import dev.orderly.Orderly;
import dev.orderly.flow.BackgroundLoop;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.engine.QueueStatus;
import dev.orderly.store.StoreException;
import dev.orderly.store.postgres.PostgresOptions;
import dev.orderly.store.postgres.PostgresStore;
import dev.orderly.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A replica under the harness: pushes jobs at the rate of its control file, runs them, and prints what it counts as
 * lines of JSON, until SIGTERM. The environment has its settings, by the names of the harness.
 */
final class HarnessAdapter {
    private static final Duration TICK = Duration.ofMillis(25);
    private static final Duration AFTER_FAILURE = Duration.ofMillis(200);
    private static final int PUSHED_AT_ONCE = 128;
    private static final int DIGITS = 13;

    private final Map<String, String> settings;
    private final Time time = Time.system();
    private final Orderly orderly;
    private final StandardQueue<String> queue;
    private final String filling;
    private final Duration work;
    private final Duration every;
    private final RecentLatencies pushed = new RecentLatencies(time);
    private final RecentLatencies started = new RecentLatencies(time);
    private final RecentLatencies ended = new RecentLatencies(time);
    private final AtomicLong pushes = new AtomicLong();
    private final AtomicLong ends = new AtomicLong();
    private long pushesBefore;
    private long endsBefore;
    private long credited = time.nanos();
    private double credit;
    private volatile double rate;

    private HarnessAdapter(Map<String, String> settings) {
        this.settings = settings;
        if (!setting("PRODUCER_MODE").equals("fixed")) {
            throw new IllegalArgumentException("PRODUCER_MODE is " + setting("PRODUCER_MODE") + ": use fixed");
        }
        orderly = Orderly.open(PostgresStore.open(PostgresOptions.at(setting("DATABASE_URL"))),
                EngineOptions.defaults().withStopGrace(Duration.ofSeconds(5)));
        queue = orderly.queue("bench", String.class, options -> options.withConcurrency(number("WORKER_COUNT")));
        filling = "x".repeat(Math.max(0, number("JOB_PAYLOAD_BYTES") - DIGITS));
        work = Duration.ofMillis(number("JOB_WORK_MS"));
        every = Duration.ofSeconds(number("SAMPLE_EVERY_S"));
    }

    public static void main(String[] arguments) throws InterruptedException {
        HarnessAdapter adapter = new HarnessAdapter(System.getenv());
        Runtime.getRuntime().addShutdownHook(new Thread(adapter.orderly::close));
        adapter.start();
        new CountDownLatch(1).await();
    }

    private String setting(String name) {
        String value = settings.get(name);
        if (value == null) {
            throw new IllegalArgumentException(name + " is not set: start this by the harness");
        }
        return value;
    }

    private int number(String name) {
        return Integer.parseInt(setting(name));
    }

    private void start() {
        orderly.handle(queue, (payload, _) -> run(payload));
        orderly.start();
        print("""
                {"kind":"descriptor","system":"orderly","event_tables":["orderly_store.job","orderly_store.ended",\
                "orderly_store.tally"],"extensions":[],"db_name":"orderly_bench"}""");
        new BackgroundLoop("producer", time, this::push).start();
        new BackgroundLoop("sampler", time, this::sample).start();
    }

    private void run(String payload) {
        long pushedAt = Long.parseLong(payload, 0, DIGITS, 10);
        started.add(time.wall().toEpochMilli() - pushedAt);
        long deadline = time.deadline(work);
        while (!time.reached(deadline)) {
            time.park(deadline);
        }
        ended.add(time.wall().toEpochMilli() - pushedAt);
        ends.incrementAndGet();
    }

    /** Pushes what the time since the last round has credited; what was not answered is not counted. */
    private Duration push() {
        long now = time.nanos();
        credit = Math.min(credit + rate() * (now - credited) / 1e9, PUSHED_AT_ONCE);
        credited = now;
        int jobs = (int) credit;
        if (jobs == 0) {
            return TICK;
        }
        credit -= jobs;
        String payload = String.format(Locale.ROOT, "%0" + DIGITS + "d", time.wall().toEpochMilli()) + filling;
        try {
            queue.pushAll(Collections.nCopies(jobs, payload));
        } catch (StoreException _) {
            return AFTER_FAILURE;
        }
        pushed.add((time.nanos() - now) / 1_000_000);
        pushes.addAndGet(jobs);
        return TICK;
    }

    private double rate() {
        try {
            String text = Files.readString(Path.of(setting("PRODUCER_RATE_CONTROL_FILE"))).strip();
            if (!text.isEmpty()) { // else it is just being written
                rate = Double.parseDouble(text);
            }
            return rate;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Duration sample() {
        percentiles("producer", pushed);
        percentiles("subscriber", started);
        percentiles("claim", started);
        percentiles("end_to_end", ended);
        long nowPushed = pushes.get();
        long nowEnded = ends.get();
        measured("enqueue_rate", (nowPushed - pushesBefore) / (double) every.toSeconds(), every);
        measured("completion_rate", (nowEnded - endsBefore) / (double) every.toSeconds(), every);
        pushesBefore = nowPushed;
        endsBefore = nowEnded;
        if (setting("BENCH_INSTANCE_ID").equals("0")) { // of all replicas
            measured("producer_target_rate", rate(), Duration.ZERO);
            try {
                orderly.jobs().queues().stream().map(QueueStatus::view)
                        .filter(view -> view.queue().equals(queue.name()))
                        .forEach(view -> measured("queue_depth", (double) view.waiting(), Duration.ZERO));
            } catch (StoreException _) {
                // the harness expects no value while the server is away
            }
        }
        long millis = time.wall().toEpochMilli();
        return Duration.ofMillis(every.toMillis() - millis % every.toMillis());
    }

    private void percentiles(String name, RecentLatencies latencies) {
        List<Long> millis = latencies.sorted();
        for (int percent : List.of(50, 95, 99)) {
            double value = millis.isEmpty() ? 0 : millis.get((millis.size() - 1) * percent / 100);
            measured(name + "_p" + percent + "_ms", value, RecentLatencies.WINDOW);
        }
    }

    private void measured(String metric, double value, Duration window) {
        print(String.format(Locale.ROOT, """
                {"t":"%s","system":"orderly","kind":"adapter","subject_kind":"adapter","subject":"","instance_id":%s,\
                "metric":"%s","value":%s,"window_s":%d}""", time.wall(), setting("BENCH_INSTANCE_ID"), metric, value,
                window.toSeconds()));
    }

    private static void print(String line) {
        System.out.println(line);
    }
}
