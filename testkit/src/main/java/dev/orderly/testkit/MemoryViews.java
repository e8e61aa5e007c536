package dev.orderly.testkit;

import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobEvent;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobStep;
import dev.orderly.job.JobView;
import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueView;
import dev.orderly.job.store.JobViews;
import dev.orderly.job.store.KeyCounts;
import dev.orderly.job.store.KeyView;
import dev.orderly.job.store.LimitView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The views port over a {@link MemoryTable}; sees every earlier change. */
final class MemoryViews implements JobViews {
    private final MemoryTable table;

    MemoryViews(MemoryTable table) {
        this.table = table;
    }

    @Override
    public Optional<JobView> find(JobId id) {
        return table.locked(() -> Optional.ofNullable(table.find(id)).map(job -> job.view(table.time)));
    }

    @Override
    public List<JobAttempt> attempts(JobId id) {
        return table.locked(() -> {
            MemoryJob job = table.find(id);
            return job == null ? List.<JobAttempt>of() : job.attempts(table.time);
        });
    }

    @Override
    public List<JobStep> steps(JobId id) {
        return table.locked(() -> {
            MemoryJob job = table.find(id);
            return job == null ? List.<JobStep>of() : job.steps(table.time);
        });
    }

    @Override
    public List<JobEvent> events(JobId id) {
        return table.locked(() -> {
            MemoryJob job = table.find(id);
            return job == null ? List.<JobEvent>of() : job.events.list(table.time);
        });
    }

    @Override
    public List<JobView> list(QueueName queue, JobState state, @Nullable JobId after, int limit) {
        return table.locked(() -> table.queue(queue).list(state, after, limit, table.time));
    }

    @Override
    public int ahead(JobId id, int limit) {
        return table.locked(() -> {
            MemoryJob job = table.find(id);
            return job == null || job.state != JobState.WAITING ? 0 : table.queue(job.pushed.queue()).ahead(job, limit);
        });
    }

    @Override
    public Optional<JobId> blocker(JobId id) {
        return table.locked(() -> {
            MemoryJob job = table.find(id);
            return job == null || job.state != JobState.WAITING
                    ? Optional.empty()
                    : table.queue(job.pushed.queue()).blocker(job);
        });
    }

    @Override
    public Set<NodeId> workers(QueueName queue) {
        return table.locked(() -> table.nodes.values().stream()
                .filter(node -> !node.dead && node.works.contains(queue)).map(node -> node.id)
                .collect(Collectors.toSet()));
    }

    @Override
    public List<LimitView> limits() {
        return table.locked(() -> table.limits.views(table::running, table.leaseNow().toEpochMilli()));
    }

    @Override
    public List<KeyView> keys(QueueName queue, @Nullable String key, int limit) {
        return table.locked(() -> table.queue(queue).keys(key, limit));
    }

    @Override
    public List<KeyCounts> keyCounts() {
        return table.locked(() -> table.queues().stream().map(MemoryQueue::counts).filter(each -> !each.isEmpty())
                .toList());
    }

    @Override
    public Map<String, Integer> pending(QueueName queue, Set<String> keys, int limit) {
        return table.locked(() -> table.queue(queue).notRunning()
                .flatMap(job -> Stream.ofNullable(job.pushed.keyOrGroup())).filter(keys::contains)
                .collect(Collectors.toMap(Function.identity(), _ -> 1, (one, other) -> Math.min(limit, one + other))));
    }

    @Override
    public List<QueueView> queues() {
        return table.locked(
                () -> table.queues().stream().filter(MemoryQueue::isKnown).map(queue -> queue.view(table.time))
                        .toList());
    }
}
