package dev.orderly.job.engine;

import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.store.Declared;
import dev.orderly.job.store.DeclaredLimits;
import dev.orderly.job.store.JobViews;
import dev.orderly.job.store.LimitView;
import dev.orderly.store.StoreException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The limits that this node declares to the store, and those that it answers to have in force. Warns once when another
 * node has declared other bounds later. One thread at a time uses it.
 */
final class LimitDeclarations {
    private static final Logger LOG = LoggerFactory.getLogger(LimitDeclarations.class);

    private final JobViews views;
    private final EngineOptions options;
    private final DeclaredQueues queues;
    /** What the store has accepted from this node. */
    private final Map<LimitName, Limit> limits = new ConcurrentHashMap<>();
    private final Map<QueueName, Optional<LimitName>> limitOf = new ConcurrentHashMap<>();
    private final Map<QueueName, Optional<LimitName>> limitOfKeys = new ConcurrentHashMap<>();
    /** What is in force and differs from what this node declares, as far as it was logged. */
    private final Map<LimitName, String> differing = new HashMap<>();

    LimitDeclarations(JobViews views, EngineOptions options, DeclaredQueues queues) {
        this.views = views;
        this.options = options;
        this.queues = queues;
    }

    /** What this node declares now. */
    DeclaredLimits declared() {
        Map<LimitName, Declared<Limit>> own = new HashMap<>();
        Map<QueueName, Declared<Optional<LimitName>>> used = new HashMap<>();
        Map<QueueName, Declared<Optional<LimitName>>> ofKeys = new HashMap<>();
        for (DeclaredQueue queue : queues.all()) {
            QueueOptions settings = queue.options(); // once, since a reload may change them
            LimitName name = queue.limitName(settings);
            if (name != null) {
                Limit limit = queues.bounds(name, settings);
                own.put(name, new Declared<>(limit, options.node(), !limit.equals(limits.get(name))));
            }
            LimitName keyName = queue.keyLimitName(settings);
            if (keyName != null) {
                Limit each = queues.limitOverride(keyName).over(settings.perKey().orElseThrow());
                own.put(keyName, new Declared<>(each, options.node(), !each.equals(limits.get(keyName))));
            }
            used.put(queue.name, use(name, limitOf.getOrDefault(queue.name, Optional.empty())));
            ofKeys.put(queue.name, use(keyName, limitOfKeys.getOrDefault(queue.name, Optional.empty())));
        }
        return new DeclaredLimits(own, used, ofKeys);
    }

    /** A node that has never given the queue a limit lifts none: it may only push, or not know of the limit yet. */
    private Declared<Optional<LimitName>> use(@Nullable LimitName name, Optional<LimitName> before) {
        Optional<LimitName> now = Optional.ofNullable(name);
        return new Declared<>(now, options.node(), !now.equals(before));
    }

    /** Notes that the store has taken a declaration, and takes over what is in force. */
    void accepted(DeclaredLimits declared) {
        declared.limits().forEach((name, limit) -> limits.put(name, limit.value()));
        declared.queues().forEach((queue, name) -> limitOf.put(queue, name.value()));
        declared.keys().forEach((queue, name) -> limitOfKeys.put(queue, name.value()));
        List<LimitView> inForce;
        try {
            inForce = views.limits();
        } catch (StoreException e) {
            if (!declared.limits().isEmpty()) {
                throw e;
            }
            LOG.debug("The limits in force cannot be read: {}", e.getMessage()); // the next round reads them
            return;
        }
        queues.limited(limitOf, limitOfKeys, inForce);
        declared.limits().forEach((name, own) -> compare(name, own.value(), inForce));
    }

    private void compare(LimitName name, Limit own, List<LimitView> views) {
        String others = views.stream().filter(view -> view.name().equals(name)).map(view -> view.limit().toString())
                .findFirst().orElse("the limit of no queue");
        if (own.toString().equals(others)) {
            differing.remove(name);
        } else if (!others.equals(differing.put(name, others))) {
            LOG.warn("Limit {} is {} on all nodes, as another node has declared last; this node has {}: give all"
                    + " nodes the same configuration", name, others, own);
        }
    }
}
