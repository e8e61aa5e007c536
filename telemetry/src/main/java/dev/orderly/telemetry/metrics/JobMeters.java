package dev.orderly.telemetry.metrics;

import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobObserver;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.JobStore.UpkeepReport;
import dev.orderly.job.store.Settlement;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Records the jobs of this node. */
final class JobMeters implements JobObserver {
    private final Meters meters;
    private final BoundedNames names;
    private final Map<QueueName, OfQueue> queues = new ConcurrentHashMap<>();
    private final Counter crashed;
    private final Counter poisoned;
    private final Counter leasesEnded;
    private final Counter mended;
    private final Counter blocked;

    JobMeters(Meters meters, BoundedNames names) {
        this.meters = meters;
        this.names = names;
        this.crashed = meters.counter(MetricCatalogue.CRASHED);
        this.poisoned = meters.counter(MetricCatalogue.POISONED);
        this.leasesEnded = meters.counter(MetricCatalogue.LEASES_ENDED);
        this.mended = meters.counter(MetricCatalogue.MENDED);
        this.blocked = meters.counter(MetricCatalogue.LOCKED);
    }

    /** The meters of one queue, or of all queues beyond the bound. */
    private final class OfQueue {
        final Counter accepted;
        final Counter duplicate;
        final Counter replaced;
        final Counter refused;
        final Counter claimed;
        final Counter done;
        final Counter late;
        final Timer wait;
        final Timer run;
        private final String name;

        OfQueue(String name) {
            this.name = name;
            this.accepted = meters.counter(MetricCatalogue.PUSHED, name, "accepted");
            this.duplicate = meters.counter(MetricCatalogue.PUSHED, name, "duplicate");
            this.replaced = meters.counter(MetricCatalogue.PUSHED, name, "replaced");
            this.refused = meters.counter(MetricCatalogue.PUSHED, name, "refused");
            this.claimed = meters.counter(MetricCatalogue.CLAIMED, name);
            this.done = settled("done");
            this.late = meters.counter(MetricCatalogue.LATE, name);
            this.wait = meters.timer(MetricCatalogue.WAIT, name);
            this.run = meters.timer(MetricCatalogue.RUN, name);
        }

        Counter settled(String outcome) {
            return meters.counter(MetricCatalogue.SETTLED, name, outcome);
        }
    }

    private OfQueue of(QueueName queue) {
        OfQueue known = queues.get(queue);
        return known == null ? made(queue) : known;
    }

    /** A queue beyond the bound is not remembered: names of any number may come from the store. */
    private OfQueue made(QueueName queue) {
        String name = names.of(queue.value());
        return name.equals(queue.value())
                ? queues.computeIfAbsent(queue, _ -> new OfQueue(name))
                : queues.computeIfAbsent(new QueueName(BoundedNames.OTHER), _ -> new OfQueue(name));
    }

    @Override
    public void pushed(QueueName queue, PushResult result) {
        OfQueue of = of(queue);
        (switch (result) {
            case PushResult.Accepted _ -> of.accepted;
            case PushResult.Duplicate _ -> of.duplicate;
            case PushResult.Replaced _ -> of.replaced;
            case PushResult.DedupeReused _,PushResult.DebounceReused _,PushResult.KeyReused _ -> of.refused;
        }).increment();
    }

    @Override
    public void foundEqual(QueueName queue) {
        meters.counter(MetricCatalogue.EQUAL, of(queue).name).increment();
    }

    @Override
    public void claimed(ClaimedJob job, Duration age) {
        OfQueue of = of(job.queue());
        of.claimed.increment();
        if (job.attempt().number() == 1) {
            of.wait.record(age);
        }
    }

    @Override
    public void ran(QueueName queue, Duration run) {
        of(queue).run.record(run);
    }

    @Override
    public void settled(Settlement settlement, SettleResult result) {
        OfQueue of = of(settlement.attempt().queue());
        switch (result) {
            case ACCEPTED -> outcome(of, settlement.outcome()).increment();
            case LEASE_LOST -> of.late.increment();
            case BLOCKED -> blocked.increment();
            case CANCELLED -> {
                // the job is settled by a later report
            }
        }
    }

    private static Counter outcome(OfQueue of, AttemptOutcome outcome) {
        return switch (outcome) {
            case AttemptOutcome.Done _ -> of.done;
            case AttemptOutcome.Retry _ -> of.settled("retry");
            case AttemptOutcome.Snooze _ -> of.settled("snooze");
            case AttemptOutcome.Awaiting _ -> of.settled("awaiting");
            case AttemptOutcome.Throttle _ -> of.settled("throttled");
            case AttemptOutcome.Leased _ -> of.settled("leased");
            case AttemptOutcome.GiveBack _ -> of.settled("given_back");
            case AttemptOutcome.Unread _ -> of.settled("unreadable");
            case AttemptOutcome.Dead _ -> of.settled("dead");
            case AttemptOutcome.Cancelled _ -> of.settled("cancelled");
        };
    }

    @Override
    public void upkept(UpkeepReport report) {
        crashed.increment(report.givenBack().size());
        poisoned.increment(report.poisoned().size());
        leasesEnded.increment(report.timedOut().size());
        mended.increment(report.repaired());
    }
}
