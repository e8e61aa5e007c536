package dev.orderly.job.limit;

import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.DeclaredLimits;
import dev.orderly.job.store.DeclaredLimits.Changes;
import dev.orderly.job.store.DeclaredLimits.Stored;
import dev.orderly.job.store.LimitView;
import dev.orderly.job.store.Rest;
import dev.orderly.job.store.StartWindow;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a store that one process owns, with the tokens that were taken. It counts no running jobs: the store
 * knows them by queue. One thread at a time changes it; {@link #views} may be read on any.
 */
public final class LimitTable {
    private final ConcurrentMap<LimitName, Entry> limits = new ConcurrentHashMap<>();
    private final ConcurrentMap<QueueName, Stored<Optional<LimitName>>> queues = new ConcurrentHashMap<>();
    private final ConcurrentMap<QueueName, Stored<Optional<LimitName>>> keys = new ConcurrentHashMap<>();

    /**
     * @param declarer the node whose declaration counts; null if no node of this process has declared it
     * @param rest the last rest; null for none
     */
    private record Entry(Limit limit, @Nullable NodeId declarer, StartWindow window, @Nullable Rest rest) {}

    /** A limit as it is stored. */
    public record Row(LimitName name, Limit limit, StartWindow window) {}

    /** Adds a stored limit. */
    public void restore(Row row) {
        limits.put(row.name, new Entry(row.limit, null, row.window, null));
    }

    /** Lets a limit rest; a rest that ends later counts on. Nothing if there is no such limit. */
    public void rest(LimitName name, Rest rest) {
        limits.computeIfPresent(name, (_, entry) -> new Entry(entry.limit, entry.declarer, entry.window,
                Rest.later(entry.rest, rest)));
    }

    /** Adds the stored limit of a queue, or of each of its keys, as its name says. */
    public void restore(QueueName queue, LimitName limit) {
        (limit.isOfKeys() ? keys : queues).put(queue, new Stored<>(Optional.of(limit), null));
    }

    /** The stored form of a limit. */
    public Row row(LimitName name) {
        Entry entry = entry(name);
        return new Row(name, entry.limit, entry.window);
    }

    /** The stored form of a limit with declared bounds; tokens that were taken count on. */
    public Row changed(LimitName name, Limit limit) {
        Entry before = limits.get(name);
        return new Row(name, limit, before == null ? StartWindow.EMPTY : before.window);
    }

    /** The durable part of another table: what a process finds after the death of the one before. */
    public void restore(LimitTable before) {
        before.limits.forEach((name, entry) -> {
            restore(before.row(name));
            if (entry.rest != null) {
                rest(name, entry.rest);
            }
        });
        before.queues.forEach((queue, use) -> use.value().ifPresent(name -> restore(queue, name)));
        before.keys.forEach((queue, use) -> use.value().ifPresent(name -> restore(queue, name)));
    }

    /** The limit of a queue. */
    public Optional<LimitName> of(QueueName queue) {
        Stored<Optional<LimitName>> use = queues.get(queue);
        return use == null ? Optional.empty() : use.value();
    }

    /** The slots of the limit of a queue; 0 without a bound on them. */
    public int slots(QueueName queue) {
        return of(queue).map(name -> entry(name).limit.concurrency()).orElse(0);
    }

    /** The limit that each key of a queue has; null for none. */
    public @Nullable Limit ofKeys(QueueName queue) {
        Stored<Optional<LimitName>> use = keys.get(queue);
        LimitName name = use == null ? null : use.value().orElse(null);
        return name == null ? null : entry(name).limit;
    }

    /** The declarations that replace what is stored. Changes nothing. */
    public Changes changes(DeclaredLimits declared, Predicate<NodeId> alive) {
        return declared.replacing(name -> {
            Entry entry = limits.get(name);
            return entry == null ? null : new Stored<>(entry.limit, entry.declarer);
        }, queues::get, keys::get, alive);
    }

    /** Puts declarations in force. Tokens that were taken count on. */
    public void apply(Changes changes) {
        changes.limits().forEach((name, declared) -> limits.compute(name, (_, before) -> before == null
                ? new Entry(declared.value(), declared.node(), StartWindow.EMPTY, null)
                : new Entry(declared.value(), declared.node(), before.window, before.rest)));
        changes.queues()
                .forEach((queue, declared) -> queues.put(queue, new Stored<>(declared.value(), declared.node())));
        changes.keys().forEach((queue, declared) -> keys.put(queue, new Stored<>(declared.value(), declared.node())));
    }

    /** Ends the limits of a queue that is forgotten. */
    public void forget(QueueName queue) {
        queues.remove(queue);
        keys.remove(queue);
    }

    /**
     * What the limit of a queue lets start now.
     *
     * @param running number of jobs of a queue that run, leased jobs among them
     * @param now by the store's clock, in Unix milliseconds
     */
    public StartAllowance room(QueueName queue, ToIntFunction<QueueName> running, long now) {
        LimitName name = of(queue).orElse(null);
        if (name == null) {
            return StartAllowance.unlimited();
        }
        Entry entry = entry(name);
        Limit limit = entry.limit;
        int used = limit.starts() == 0 ? 0 : entry.window.used(limit, now);
        int free = limit.concurrency() == 0 ? Integer.MAX_VALUE - 1 : limit.concurrency() - running(name, running);
        return StartAllowance.of(Rest.present(entry.rest, now) != null ? 0 : free,
                limit.starts() == 0 ? Long.MAX_VALUE : limit.starts() - (long) used, used);
    }

    private int running(LimitName name, ToIntFunction<QueueName> running) {
        return queuesOf(name).stream().mapToInt(running).sum();
    }

    private SortedSet<QueueName> queuesOf(LimitName name) {
        SortedSet<QueueName> found = new TreeSet<>();
        (name.isOfKeys() ? keys : queues).forEach((queue, use) -> {
            if (use.value().isPresent() && use.value().get().equals(name)) {
                found.add(queue);
            }
        });
        return found;
    }

    /**
     * Takes as many tokens as claimed jobs of a queue cost; returns the limit if its tokens have changed,
     * which have to be durable before the jobs start.
     */
    public Optional<LimitName> took(QueueName queue, int cost, long now) {
        Optional<LimitName> name = cost == 0 ? Optional.empty() : of(queue);
        return name.filter(limit -> entry(limit).limit.starts() > 0).map(limit -> {
            Entry entry = entry(limit);
            limits.put(limit, new Entry(entry.limit, entry.declarer,
                    entry.window.take(entry.limit, cost, now), entry.rest));
            return limit;
        });
    }

    /** The limits that some queue has, by name. */
    public List<LimitView> views(ToIntFunction<QueueName> running, long now) {
        return limits.entrySet().stream().sorted(Map.Entry.comparingByKey())
                .map(each -> LimitView.of(each.getKey(), each.getValue().limit, queuesOf(each.getKey()),
                        running(each.getKey(), running), each.getValue().window, each.getValue().rest, now))
                .filter(view -> !view.queues().isEmpty()).toList();
    }

    private Entry entry(LimitName name) {
        return Objects.requireNonNull(limits.get(name), () -> "Limit " + name + " of a queue is not stored");
    }
}
