package dev.orderly.store.sqlite.table;

import dev.orderly.store.sqlite.table.JobTable.Lane;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The waiting jobs with keys that the index {@code keyed} does not have yet: those behind the last merge of
 * {@link LaneIndex}. Keys are pushed in any order, so that an index entry for each job would write a page at its push
 * and another at its end. The writer changes it; {@link #pending} may be read on any thread.
 */
public final class RecentKeyedJobs {
    private final Map<KeyClass, SequenceList> jobs = new HashMap<>();
    private final ConcurrentMap<QueueKey, Integer> counts = new ConcurrentHashMap<>();
    private volatile long merged;

    /** The jobs of a key that have one number of {@link dev.orderly.store.sql.ClassNumber}. */
    private record KeyClass(Lane lane, String key) {}

    private record QueueKey(int queue, String key) {}

    /** How many recent jobs of a key wait, or run, and the number behind which jobs are recent. */
    public record Pending(int jobs, long merged) {}

    void add(Lane lane, String key, long seq) {
        SequenceList list = jobs.computeIfAbsent(new KeyClass(lane, key), _ -> new SequenceList());
        int before = list.size();
        list.add(seq);
        if (list.size() > before) {
            counts.merge(new QueueKey(lane.queue(), key), 1, Integer::sum);
        }
    }

    void remove(Lane lane, String key, long seq) {
        KeyClass of = new KeyClass(lane, key);
        SequenceList list = jobs.get(of);
        if (list == null) {
            return;
        }
        int before = list.size();
        list.remove(seq);
        if (list.size() < before) {
            counts.computeIfPresent(new QueueKey(lane.queue(), key), (_, count) -> count == 1 ? null : count - 1);
        }
        if (list.size() == 0) {
            jobs.remove(of);
        }
    }

    /** A merge up to a number has ended. */
    void merged(long through) {
        jobs.clear();
        counts.clear();
        merged = through;
    }

    /** The jobs of a key; null for none. */
    @Nullable
    SequenceList of(Lane lane, String key) {
        return jobs.get(new KeyClass(lane, key));
    }

    /** The keys of a queue that have jobs. */
    List<String> names(int queue) {
        List<String> names = new ArrayList<>();
        counts.keySet().forEach(each -> {
            if (each.queue == queue) {
                names.add(each.key);
            }
        });
        return names;
    }

    /** The count of a key; it is that of one moment only if {@code merged} has not changed since. */
    public Pending pending(int queue, String key) {
        long before = merged;
        return new Pending(counts.getOrDefault(new QueueKey(queue, key), 0), before);
    }
}
