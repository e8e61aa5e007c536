package dev.orderly.job.store;

import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.QueueName;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
}
