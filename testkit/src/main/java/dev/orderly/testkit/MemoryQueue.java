package dev.orderly.testkit;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.Limit;
import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueView;
import dev.orderly.job.limit.GroupRates;
import dev.orderly.job.settings.KeySettings;
import dev.orderly.job.store.JobStore.SetResult;
import dev.orderly.job.store.KeyCounts;
import dev.orderly.job.store.KeyView;
import dev.orderly.job.store.QueueSnapshot;
import dev.orderly.time.StoredTime;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A queue: its jobs by state, its delayed jobs, and the order of its waiting jobs. */
final class MemoryQueue {
    final QueueName name;
    final MemoryJobOrder order;
    /** The jobs with a key; null on a FIFO queue. */
    final @Nullable MemoryKeyedJobs keyed;
    /** The starts of groups; of a standard queue never used. */
    final GroupRates rates = new GroupRates();
    private final LongSupplier now;
    /** Delayed jobs, the earliest due first. */
    final TreeSet<MemoryJob> delayed = new TreeSet<>(MemoryJob.BY_DUE);
    boolean paused;
    /** What operators have set for keys or groups, by name. */
    private final Map<String, KeySettings> settings = new TreeMap<>();
    /** Whether its groups stop at a dead letter. */
    boolean halts;
    /** The node whose declaration that is; null if none of this process has declared it. */
    @Nullable
    NodeId haltsDeclarer;
    private boolean used;
    /** Whether it was forgotten, and holds ended jobs at most since. */
    private boolean forgotten;
    private final Map<JobState, TreeMap<JobId, MemoryJob>> byState = new EnumMap<>(JobState.class);

    /** @param now by the store's clock, in Unix milliseconds */
    MemoryQueue(QueueName name, LongSupplier now) {
        this.name = name;
        this.now = now;
        order = name.isFifo()
                ? new MemoryJobOrder.Fifo(job -> restOf(job) == 0)
                : new MemoryJobOrder.Standard();
        keyed = name.isFifo() ? null : new MemoryKeyedJobs(now);
        for (JobState state : JobState.values()) {
            byState.put(state, new TreeMap<>());
        }
    }

    /** The queue without its jobs. */
    MemoryQueue emptied() {
        MemoryQueue fresh = new MemoryQueue(name, now);
        if (fresh.keyed != null && keyed != null) {
            fresh.keyed.turns.restore(keyed.turns, now.getAsLong());
        }
        fresh.rates.restore(rates);
        settings.forEach(fresh::set);
        fresh.paused = paused;
        fresh.halts = halts;
        fresh.used = used;
        fresh.forgotten = forgotten;
        return fresh;
    }

    /** As {@link dev.orderly.job.store.JobStore#set}. */
    SetResult set(String key, KeySettings expected, KeySettings next) {
        KeySettings before = settings.getOrDefault(key, KeySettings.NONE);
        if (!before.equals(expected)) {
            return SetResult.CHANGED_MEANWHILE;
        }
        if (before.isEmpty() && !next.isEmpty() && settings.size() >= KeySettings.MOST) {
            return SetResult.TOO_MANY;
        }
        used |= !next.isEmpty();
        forgotten &= next.isEmpty();
        set(key, next);
        return SetResult.SET;
    }

    private void set(String key, KeySettings next) {
        if (next.isEmpty()) {
            settings.remove(key);
        } else {
            settings.put(key, next);
        }
        if (keyed == null) {
            order.pause(key, next.paused());
        } else {
            keyed.turns.settings(key, next, now.getAsLong());
        }
    }

    /** As {@link dev.orderly.job.store.JobViews#keys}. */
    List<KeyView> keys(@Nullable String only, int limit) {
        return keyed != null
                ? keyed.views(only, limit)
                : Stream.concat(settings.keySet().stream(), rates.names().stream()).distinct()
                        .filter(group -> only == null || group.equals(only)).map(this::group)
                        .filter(KeyView::isInUse).sorted(KeyView.BY_WAIT).limit(limit).toList();
    }

    /** Milliseconds until the rate of another group lets a job start; null if there is none to wait for. */
    @Nullable
    Long nextToken() {
        return order instanceof MemoryJobOrder.Fifo fifo
                ? fifo.ready().map(this::restOf).filter(millis -> millis > 0).min(Comparator.naturalOrder())
                        .orElse(null)
                : null;
    }

    /** Milliseconds until the rate of its group lets a job start. */
    private long restOf(MemoryJob job) {
        long moment = now.getAsLong();
        return rates.next(Objects.requireNonNull(job.pushed.group()), job.pushed.terms().cost(), moment) - moment;
    }

    /** Puts another limit of each key or group in force; null for none. */
    void limitKeys(@Nullable Limit each) {
        if (keyed == null) {
            rates.limit(each);
        } else {
            keyed.turns.limit(each, now.getAsLong());
        }
    }

    KeyCounts counts() {
        return keyed != null
                ? keyed.turns.counts(name)
                : new KeyCounts(name, 0, resting(),
                        (int) settings.values().stream().filter(KeySettings::paused).count());
    }

    /** The number of groups that wait for the rate of each group. */
    private int resting() {
        return order instanceof MemoryJobOrder.Fifo fifo
                ? (int) fifo.ready().filter(job -> restOf(job) > 0).count()
                : 0;
    }

    private KeyView group(String name) {
        Predicate<MemoryJob> own = job -> name.equals(job.pushed.group());
        int running = Math.toIntExact(in(JobState.RUNNING).values().stream().filter(own).count());
        return KeyView.of(name, rates.limit(), settings.getOrDefault(name, KeySettings.NONE), running,
                rates.window(name), null, now.getAsLong()).waitingSince(
                        in(JobState.WAITING).values().stream().filter(own)
                                .map(job -> job.id.pushedAt()).min(Comparator.naturalOrder()).orElse(null));
    }

    void pause(boolean value) {
        used |= value;
        forgotten &= !value;
        paused = value;
    }

    void halt(boolean value) {
        used |= value;
        forgotten = false;
        halts = value;
    }

    /** Makes the queue known, since it has a limit. */
    void limit() {
        used = true;
        forgotten = false;
    }

    void enter(MemoryJob job) {
        used = true;
        forgotten &= job.state.isEnd();
        in(job.state).put(job.id, job);
        if (job.state == JobState.DELAYED) {
            delayed.add(job);
        }
        if (keyed != null && job.pushed.terms().key() != null) {
            keyed.enter(job);
        } else {
            order.enter(job);
        }
    }

    void leave(MemoryJob job) {
        in(job.state).remove(job.id);
        if (job.state == JobState.DELAYED) {
            delayed.remove(job);
        }
        if (keyed != null && job.pushed.terms().key() != null) {
            keyed.leave(job);
        } else {
            order.leave(job);
        }
    }

    NavigableMap<JobId, MemoryJob> in(JobState state) {
        return Objects.requireNonNull(byState.get(state));
    }

    /** The jobs that are unsettled and do not run. */
    Stream<MemoryJob> notRunning() {
        return Stream.of(JobState.WAITING, JobState.DELAYED).flatMap(state -> in(state).values().stream());
    }

    /** The newest job of a unique key of which an attempt has yet to start; null for none. */
    @Nullable
    MemoryJob newest(DedupeKey unique, Instant now) {
        return notRunning().filter(job -> unique.equals(job.pushed.unique()) && !job.isExpired(now))
                .max(Comparator.comparing(job -> job.id)).orElse(null);
    }

    List<JobView> list(JobState state, @Nullable JobId after, int limit, StoredTime time) {
        boolean newestFirst = state == JobState.DONE || state == JobState.CANCELLED;
        NavigableMap<JobId, MemoryJob> sorted = newestFirst ? in(state).descendingMap() : in(state);
        NavigableMap<JobId, MemoryJob> rest = after == null ? sorted : sorted.tailMap(after, false);
        return rest.values().stream().limit(limit).map(job -> job.view(time)).toList();
    }

    int ahead(MemoryJob job, int limit) {
        Stream<MemoryJob> before = name.isFifo()
                ? Stream.of(JobState.WAITING, JobState.DELAYED, JobState.RUNNING)
                        .flatMap(state -> in(state).headMap(job.id, false).values().stream())
                        .filter(other -> Objects.equals(other.pushed.group(), job.pushed.group()))
                : in(JobState.WAITING).values().stream().filter(other -> Objects
                        .equals(other.pushed.terms().key(), job.pushed.terms().key())).filter(other -> {
                            int higher = job.pushed.priority().compareTo(other.pushed.priority());
                            return higher > 0 || (higher == 0 && other.id.compareTo(job.id) < 0);
                        });
        return Math.toIntExact(before.limit(limit).count());
    }

    Optional<JobId> blocker(MemoryJob job) {
        if (!name.isFifo()) {
            return Optional.empty();
        }
        Stream<MemoryJob> halting = in(JobState.DEAD).values().stream().filter(dead -> dead.halts);
        Stream<MemoryJob> before = Stream.of(JobState.WAITING, JobState.DELAYED, JobState.RUNNING)
                .flatMap(state -> in(state).headMap(job.id, false).values().stream())
                .sorted(Comparator.comparing(other -> other.id));
        return Stream.concat(halting, before)
                .filter(other -> Objects.equals(other.pushed.group(), job.pushed.group())).findFirst()
                .map(other -> other.id);
    }

    void forget() {
        forgotten = true;
        List.copyOf(settings.keySet()).forEach(key -> set(key, KeySettings.NONE));
        paused = false;
        halts = false;
        haltsDeclarer = null;
    }

    boolean isKnown() {
        return used && !forgotten;
    }

    QueueView view(StoredTime time) {
        NavigableMap<JobId, MemoryJob> waiting = in(JobState.WAITING);
        Instant oldest = waiting.isEmpty() ? null : time.clockTime(waiting.firstKey().pushedAt());
        return new QueueSnapshot(name, paused, waiting.size(), in(JobState.DELAYED).size(), in(JobState.RUNNING).size(),
                in(JobState.RUNNING).values().stream().filter(job -> job.leasedUntil != null).count(),
                in(JobState.DEAD).size(), in(JobState.DONE).size() + (long) in(JobState.CANCELLED).size(),
                order.halted(), oldest);
    }
}
