package dev.orderly.job.engine;

import dev.orderly.job.PushRefusedException;
import dev.orderly.job.PushRefusedException.Reason;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.JobViews;
import dev.orderly.job.store.NewJob;
import dev.orderly.store.StoreException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** The bound on the pending jobs of a key or group, {@link dev.orderly.job.QueueOptions#keyMaxPending}, at the push. */
final class KeyCapacity {
    private final DeclaredQueues queues;
    private final JobViews views;

    KeyCapacity(DeclaredQueues queues, JobViews views) {
        this.queues = queues;
        this.views = views;
    }

    /** Refuses jobs whose keys or groups have as many pending jobs as they may; counts them otherwise. */
    void check(List<NewJob> jobs) {
        Map<QueueName, List<NewJob>> bounded = jobs.stream().filter(job -> job.keyOrGroup() != null
                && Objects.requireNonNull(queues.get(job.queue())).options().keyMaxPending().isPresent())
                .collect(Collectors.groupingBy(NewJob::queue));
        if (bounded.isEmpty()) {
            return;
        }
        Map<QueueName, Map<String, Long>> pending = new HashMap<>();
        bounded.forEach((name, own) -> pending.put(name, pending(Objects.requireNonNull(queues.get(name)), own)));
        for (int n = 0; n < jobs.size(); n++) {
            Map<String, Long> ofQueue = pending.get(jobs.get(n).queue());
            if (ofQueue != null && jobs.get(n).keyOrGroup() != null) {
                check(jobs.get(n), Objects.requireNonNull(queues.get(jobs.get(n).queue())), ofQueue, n + 1,
                        jobs.size());
            }
        }
        bounded.forEach((name, own) -> own.forEach(job -> Objects.requireNonNull(queues.get(name)).pendingOfKeys
                .pushed(Objects.requireNonNull(job.keyOrGroup()))));
    }

    private static void check(NewJob job, DeclaredQueue queue, Map<String, Long> pending, int place, int of) {
        String key = Objects.requireNonNull(job.keyOrGroup());
        long before = pending.getOrDefault(key, 0L);
        int max = queue.options().keyMaxPending().orElse(Integer.MAX_VALUE);
        if (before >= max) {
            PushRefusedException full = new PushRefusedException(Reason.QUEUE_FULL,
                    (queue.name.isFifo() ? "Group " : "Key ") + key + " of queue " + queue.name + " holds " + before
                            + " of at most " + max + " pending jobs: try again later, or raise the max-pending of"
                            + " per-key; others go on",
                    Pusher.retryAfter(queue, 1));
            throw of == 1 ? full : full.at(place, of);
        }
        pending.put(key, before + 1);
    }

    private Map<String, Long> pending(DeclaredQueue queue, List<NewJob> jobs) {
        int max = queue.options().keyMaxPending().orElse(Integer.MAX_VALUE);
        try {
            return queue.pendingOfKeys.of(
                    jobs.stream().map(job -> Objects.requireNonNull(job.keyOrGroup())).collect(Collectors.toSet()),
                    keys -> views.pending(queue.name, keys, max));
        } catch (StoreException e) {
            return new HashMap<>(); // the push itself reports that the store is unavailable
        }
    }
}
