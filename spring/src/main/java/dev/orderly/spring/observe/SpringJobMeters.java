package dev.orderly.spring.observe;

import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobObserver;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.Settlement;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The meters of this process's jobs, by the names that the server has: {@code orderly.jobs.pushed},
 * {@code .pushed.equal}, {@code .settled}, {@code .wait} and {@code .run}. Thread-safe.
 */
public final class SpringJobMeters implements JobObserver {
    private static final String QUEUE = "queue";

    private final MeterRegistry registry;
    private final ConcurrentMap<Key, Counter> counters = new ConcurrentHashMap<>();
    private final ConcurrentMap<Key, Timer> timers = new ConcurrentHashMap<>();

    /** A meter of a queue. */
    private record Key(String meter, QueueName queue, String value) {}

    public SpringJobMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void pushed(QueueName queue, PushResult result) {
        count("orderly.jobs.pushed", queue, "result", switch (result) {
            case PushResult.Accepted _ -> "accepted";
            case PushResult.Duplicate _ -> "duplicate";
            case PushResult.Replaced _ -> "replaced";
            case PushResult.DedupeReused _,PushResult.DebounceReused _,PushResult.KeyReused _ -> "refused";
        });
    }

    @Override
    public void foundEqual(QueueName queue) {
        counters.computeIfAbsent(new Key("orderly.jobs.pushed.equal", queue, ""), key -> Counter.builder(key.meter)
                .tag(QUEUE, queue.value()).register(registry)).increment();
    }

    @Override
    public void claimed(ClaimedJob job, Duration age) {
        if (job.attempt().number() == 1) {
            timer("orderly.jobs.wait", job.queue()).record(age);
        }
    }

    @Override
    public void ran(QueueName queue, Duration run) {
        timer("orderly.jobs.run", queue).record(run);
    }

    @Override
    public void settled(Settlement settlement, SettleResult result) {
        if (result == SettleResult.ACCEPTED) {
            count("orderly.jobs.settled", settlement.attempt().queue(), "outcome", switch (settlement.outcome()) {
                case AttemptOutcome.Done _ -> "done";
                case AttemptOutcome.Retry _ -> "retry";
                case AttemptOutcome.Snooze _ -> "snooze";
                case AttemptOutcome.Awaiting _ -> "awaiting";
                case AttemptOutcome.Throttle _ -> "throttled";
                case AttemptOutcome.Leased _ -> "leased";
                case AttemptOutcome.GiveBack _ -> "given_back";
                case AttemptOutcome.Unread _ -> "unreadable";
                case AttemptOutcome.Dead _ -> "dead";
                case AttemptOutcome.Cancelled _ -> "cancelled";
            });
        }
    }

    private void count(String meter, QueueName queue, String label, String value) {
        counters.computeIfAbsent(new Key(meter, queue, value), _ -> Counter.builder(meter)
                .tag(QUEUE, queue.value()).tag(label, value).register(registry)).increment();
    }

    private Timer timer(String meter, QueueName queue) {
        return timers.computeIfAbsent(new Key(meter, queue, ""), _ -> Timer.builder(meter)
                .tag(QUEUE, queue.value()).register(registry));
    }
}
