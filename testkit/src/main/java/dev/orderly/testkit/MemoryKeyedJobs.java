package dev.orderly.testkit;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.limit.KeyTurns;
import dev.orderly.job.store.KeyView;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The waiting and running jobs with a key of a queue, by key: each key by priority, then by push order. */
final class MemoryKeyedJobs {
    final KeyTurns turns = new KeyTurns();
    private final LongSupplier now;
    private final Map<String, TreeSet<MemoryJob>> waiting = new HashMap<>();

    /** @param now by the store's clock, in Unix milliseconds */
    MemoryKeyedJobs(LongSupplier now) {
        this.now = now;
    }

    private static String key(MemoryJob job) {
        return Objects.requireNonNull(job.pushed.terms().key());
    }

    void enter(MemoryJob job) {
        if (job.state == JobState.WAITING) {
            waiting.computeIfAbsent(key(job), _ -> new TreeSet<>(Comparator
                    .<MemoryJob, Integer>comparing(each -> each.pushed.priority().number())
                    .thenComparing(each -> each.id))).add(job);
            turns.waits(key(job), true, now.getAsLong());
        } else if (job.state == JobState.RUNNING) {
            turns.runs(key(job), true, now.getAsLong());
        }
    }

    void leave(MemoryJob job) {
        if (job.state == JobState.WAITING) {
            Set<MemoryJob> jobs = Objects.requireNonNull(waiting.get(key(job)));
            jobs.remove(job);
            if (jobs.isEmpty()) {
                waiting.remove(key(job));
            }
            turns.waits(key(job), !jobs.isEmpty(), now.getAsLong());
        } else if (job.state == JobState.RUNNING) {
            turns.runs(key(job), false, now.getAsLong());
        }
    }

    /** The next job of a key that is not passed over; null for none. */
    @Nullable
    MemoryJob first(String key, Set<JobId> passedOver) {
        return of(key).stream().filter(job -> !passedOver.contains(job.id))
                .findFirst().orElse(null);
    }

    private Set<MemoryJob> of(String key) {
        Set<MemoryJob> jobs = waiting.get(key);
        return jobs == null ? Set.of() : jobs;
    }

    /** As {@link dev.orderly.job.store.JobViews#keys}. */
    List<KeyView> views(@Nullable String only, int limit) {
        return turns.names().stream().filter(key -> only == null || key.equals(only)).sorted()
                .flatMap(key -> Stream.ofNullable(turns.view(key, now.getAsLong())))
                .map(view -> view.waitingSince(of(view.key()).stream()
                        .map(job -> job.id.pushedAt()).min(Comparator.naturalOrder()).orElse(null)))
                .sorted(KeyView.BY_WAIT).limit(limit).toList();
    }
}
