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
import org.jspecify.annotations.Nullable;

/**
 * The limits that a node declares for all nodes, and which of its queues has which.
 *
 * @param limits by name
 * @param queues the limit of each queue of the node, empty for none; each is one of {@code limits}
 */
public record DeclaredLimits(Map<LimitName, Declared<Limit>> limits,
        Map<QueueName, Declared<Optional<LimitName>>> queues) {
    /** Declares nothing. */
    public static final DeclaredLimits NONE = new DeclaredLimits(Map.of(), Map.of());

    /** @throws IllegalArgumentException if a queue has a limit that is not declared */
    public DeclaredLimits {
        limits = Map.copyOf(limits);
        queues = Map.copyOf(queues);
        Set<LimitName> unknown = new HashSet<>();
        queues.values().forEach(each -> each.value().ifPresent(unknown::add));
        unknown.removeAll(limits.keySet());
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("Queues have limits that are not declared: " + unknown);
        }
    }

    /** Whether it declares nothing. */
    public boolean isEmpty() {
        return queues.isEmpty();
    }

    /** What is stored, with the node whose declaration it is; null if that is not known. */
    public record Stored<T>(T value, @Nullable NodeId declarer) {}

    /** The declarations that replace stored ones, by name. */
    public record Changes(SortedMap<LimitName, Declared<Limit>> limits,
            SortedMap<QueueName, Declared<Optional<LimitName>>> queues) {
        /** The queues that get a limit. */
        public List<QueueName> limited() {
            return queues.entrySet().stream().filter(each -> each.getValue().value().isPresent()).map(Map.Entry::getKey)
                    .toList();
        }
    }

    /**
     * The declarations that replace stored ones. A limit replaces none, whoever has declared none.
     *
     * @param limitOf the stored limit of a name; null for none
     * @param queueOf the stored use of a queue; null if none was declared
     * @param alive whether a node sends heartbeats and was not declared dead
     */
    public Changes replacing(Function<LimitName, @Nullable Stored<Limit>> limitOf,
            Function<QueueName, @Nullable Stored<Optional<LimitName>>> queueOf, Predicate<NodeId> alive) {
        SortedMap<LimitName, Declared<Limit>> changed = new TreeMap<>();
        limits.forEach((name, declared) -> {
            Stored<Limit> before = limitOf.apply(name);
            if (before == null || replaces(declared, before, alive)) {
                changed.put(name, declared);
            }
        });
        SortedMap<QueueName, Declared<Optional<LimitName>>> used = new TreeMap<>();
        queues.forEach((name, declared) -> {
            Stored<Optional<LimitName>> before = queueOf.apply(name);
            boolean replaces = (before == null || before.value.isEmpty())
                    ? declared.value().isPresent()
                    : replaces(declared, before, alive);
            if (replaces) {
                used.put(name, declared);
            }
        });
        return new Changes(changed, used);
    }

    private static <T> boolean replaces(Declared<T> declared, Stored<T> before, Predicate<NodeId> alive) {
        boolean known = declared.value().equals(before.value) && declared.node().equals(before.declarer);
        return !known && declared.replaces(before.declarer, alive);
    }
}
