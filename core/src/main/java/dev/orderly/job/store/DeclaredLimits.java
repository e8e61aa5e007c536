package dev.orderly.job.store;

import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The limits that a node declares for all nodes, and which of its queues has which.
 *
 * @param limits by name
 * @param queues the limit of each queue of the node, empty for none; each is one of {@code limits}
 * @param keys the limit that each key of a queue has, likewise
 */
public record DeclaredLimits(Map<LimitName, Declared<Limit>> limits,
        Map<QueueName, Declared<Optional<LimitName>>> queues, Map<QueueName, Declared<Optional<LimitName>>> keys) {
    /** Declares nothing. */
    public static final DeclaredLimits NONE = new DeclaredLimits(Map.of(), Map.of());

    /** Declares limits of queues, and none of keys. */
    public DeclaredLimits(Map<LimitName, Declared<Limit>> limits,
            Map<QueueName, Declared<Optional<LimitName>>> queues) {
        this(limits, queues, Map.of());
    }

    /** @throws IllegalArgumentException if a queue has a limit that is not declared */
    public DeclaredLimits {
        limits = Map.copyOf(limits);
        queues = Map.copyOf(queues);
        keys = Map.copyOf(keys);
        Set<LimitName> unknown = new HashSet<>();
        Stream.of(queues, keys).flatMap(uses -> uses.values().stream())
                .forEach(each -> each.value().ifPresent(unknown::add));
        unknown.removeAll(limits.keySet());
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("Queues have limits that are not declared: " + unknown);
        }
    }

    /** Whether it declares nothing. */
    public boolean isEmpty() {
        return queues.isEmpty() && keys.isEmpty();
    }

    /** What is stored, with the node whose declaration it is; null if that is not known. */
    public record Stored<T>(T value, @Nullable NodeId declarer) {}

    /** The declarations that replace stored ones, by name. */
    public record Changes(SortedMap<LimitName, Declared<Limit>> limits,
            SortedMap<QueueName, Declared<Optional<LimitName>>> queues,
            SortedMap<QueueName, Declared<Optional<LimitName>>> keys) {
        /** Whether nothing changes. */
        public boolean isEmpty() {
            return limits.isEmpty() && queues.isEmpty() && keys.isEmpty();
        }

        /** The queues that get a limit, for themselves or for each key. */
        public List<QueueName> limited() {
            return Stream.of(queues, keys).flatMap(uses -> uses.entrySet().stream())
                    .filter(each -> each.getValue().value().isPresent()).map(Map.Entry::getKey).distinct().toList();
        }
    }

    /**
     * The declarations that replace stored ones. A limit replaces none, whoever has declared none.
     *
     * @param limitOf the stored limit of a name; null for none
     * @param queueOf the stored limit of a queue; null if none was declared
     * @param keysOf the stored limit of each key of a queue; null if none was declared
     * @param alive whether a node sends heartbeats and was not declared dead
     */
    public Changes replacing(Function<LimitName, @Nullable Stored<Limit>> limitOf,
            Function<QueueName, @Nullable Stored<Optional<LimitName>>> queueOf,
            Function<QueueName, @Nullable Stored<Optional<LimitName>>> keysOf, Predicate<NodeId> alive) {
        SortedMap<LimitName, Declared<Limit>> changed = new TreeMap<>();
        limits.forEach((name, declared) -> {
            Stored<Limit> before = limitOf.apply(name);
            if (before == null || replaces(declared, before, alive)) {
                changed.put(name, declared);
            }
        });
        return new Changes(changed, replacing(queues, queueOf, alive), replacing(keys, keysOf, alive));
    }

    private static SortedMap<QueueName, Declared<Optional<LimitName>>> replacing(
            Map<QueueName, Declared<Optional<LimitName>>> uses,
            Function<QueueName, @Nullable Stored<Optional<LimitName>>> stored, Predicate<NodeId> alive) {
        SortedMap<QueueName, Declared<Optional<LimitName>>> used = new TreeMap<>();
        uses.forEach((name, declared) -> {
            Stored<Optional<LimitName>> before = stored.apply(name);
            boolean replaces = (before == null || before.value.isEmpty())
                    ? declared.value().isPresent()
                    : replaces(declared, before, alive);
            if (replaces) {
                used.put(name, declared);
            }
        });
        return used;
    }

    private static <T> boolean replaces(Declared<T> declared, Stored<T> before, Predicate<NodeId> alive) {
        boolean known = declared.value().equals(before.value) && declared.node().equals(before.declarer);
        return !known && declared.replaces(before.declarer, alive);
    }
}
