package dev.orderly.job.engine;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.job.JobId;
import dev.orderly.job.OnDead;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.Declared;
import dev.orderly.job.store.DeclaredLimits;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.UpkeepReport;
import dev.orderly.job.store.JobViews;
import dev.orderly.job.store.NodeTimes;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.job.store.UpkeepRequest.LeaseRules;
import dev.orderly.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Periodic upkeep of the store: gives back the jobs of dead nodes and prunes ended jobs. */
final class UpkeepLoop {
    private static final Logger LOG = LoggerFactory.getLogger(UpkeepLoop.class);
    private static final Duration PAUSE_WHILE_MORE = Duration.ofMillis(50);
    /** Crashes of a job that ran alone, after which it is a dead letter. */
    static final int CRASH_LIMIT = 3;
    private static final int LIMIT = 10_000;
    private static final int NAMED_MAX = 10;

    private final JobStore store;
    private final JobViews views;
    private final EngineOptions options;
    private final DeclaredQueues queues;
    private final UnreadableJobs passedOver;
    /** What this node has declared to the store. */
    private final Map<QueueName, OnDead> declared = new ConcurrentHashMap<>();
    private final LimitDeclarations limits;
    private final long leasesFrom;
    final BackgroundLoop loop;

    UpkeepLoop(JobStore store, JobViews views, EngineOptions options, DeclaredQueues queues,
            UnreadableJobs passedOver) {
        this.store = store;
        this.views = views;
        this.leasesFrom = options.time().deadline(NodeTimes.LEASE_GRACE);
        this.options = options;
        this.queues = queues;
        this.passedOver = passedOver;
        this.limits = new LimitDeclarations(views, options, queues);
        this.loop = new BackgroundLoop("upkeep", options.time(), this::tick);
        queues.onLimitsChanged(loop::ring);
    }

    private Duration tick() {
        try {
            return round() ? PAUSE_WHILE_MORE : NodeTimes.UPKEEP;
        } catch (StoreException e) {
            LOG.warn("Upkeep failed, trying again: {}", e.getMessage());
            return NodeTimes.UPKEEP;
        }
    }

    /** Runs one round, and returns whether another should follow soon. */
    boolean round() {
        Map<QueueName, Declared<OnDead>> onDead = queues.all().stream().collect(Collectors.toMap(queue -> queue.name,
                queue -> onDead(queue.name, queue.name.isFifo() ? queue.options().onDead() : OnDead.CONTINUE)));
        DeclaredLimits declaredLimits = limits.declared();
        UpkeepReport report = store.upkeep(new UpkeepRequest(NodeTimes.DEAD_AFTER, CRASH_LIMIT, onDead, options.keep(),
                LIMIT, leases(), declaredLimits), options.time().now());
        limits.accepted(declaredLimits);
        onDead.forEach((queue, rule) -> declared.put(queue, rule.value()));
        if (report.repaired() > 0) {
            LOG.error("The state of {} groups contradicted their jobs and was corrected: please report this, with what"
                    + " was done to the database", report.repaired());
        }
        if (!report.givenBack().isEmpty()) {
            LOG.warn("{} jobs of dead nodes are waiting again: {}", report.givenBack().size(),
                    some(report.givenBack()));
        }
        if (!report.cancelled().isEmpty()) {
            LOG.info("{} jobs of dead nodes ended as cancelled, as was requested: {}", report.cancelled().size(),
                    some(report.cancelled()));
        }
        if (!report.expired().isEmpty()) {
            LOG.info("{} jobs ended as expired, since none of their attempts had started in time: {}",
                    report.expired().size(), some(report.expired()));
        }
        if (!report.givenBack().isEmpty() || !report.cancelled().isEmpty()
                || !report.expired().isEmpty()) { // their groups go on
            queues.all().forEach(queues::hint);
        }
        if (!report.timedOut().isEmpty()) {
            LOG.warn("{} leased jobs timed out without a report of their workers: {}", report.timedOut().size(),
                    some(report.timedOut()));
        }
        if (queues.all().stream().anyMatch(queue -> queue.isPulled() || queue.leased.get() > 0)) {
            queues.counted(views.queues());
            queues.all().stream().filter(DeclaredQueue::isPulled).forEach(queues::hint);
        }
        if (!report.poisoned().isEmpty()) {
            LOG.error("{} jobs became dead letters: nodes died {} times while each ran alone: {}",
                    report.poisoned().size(), CRASH_LIMIT, some(report.poisoned()));
        }
        passedOver.look().forEach(queues::hint);
        return report.more();
    }

    private Declared<OnDead> onDead(QueueName queue, OnDead value) {
        return new Declared<>(value, options.node(), declared.get(queue) != value);
    }

    private LeaseRules leases() {
        return new LeaseRules(options.time().reached(leasesFrom), queues.all().stream()
                .collect(Collectors.toMap(queue -> queue.name, queue -> queue.options().retry())));
    }

    private static List<JobId> some(List<JobId> ids) {
        return ids.subList(0, Math.min(NAMED_MAX, ids.size()));
    }
}
