package dev.orderly.schedule;

import dev.orderly.Registration;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The schedules that were made at run time, as this node declares them: those whose queue it has, and whose name is of
 * no schedule of its configuration or program. Thread-safe.
 */
final class DefinedSchedules {
    private static final Logger LOG = LoggerFactory.getLogger(DefinedSchedules.class);
    /** Time for which a removed schedule is tried to be forgotten, while other nodes let it go. */
    private static final Duration FORGETS_FOR = Duration.ofMinutes(1);

    private final Node node;
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private Map<ScheduleName, ScheduleDefinition> wanted = Map.of();
    private final Map<ScheduleName, InForce> inForce = new HashMap<>();
    /** Names whose definition is not in force, as far as it was logged. */
    private final Set<ScheduleName> reported = new HashSet<>();
    /** Removed schedules, with the monotonic time until which they are tried to be forgotten. */
    private final Map<ScheduleName, Long> removed = new HashMap<>();

    private record InForce(ScheduleDefinition definition, Registration registration) {}

    /** The node that declares them. Answers from memory. */
    interface Node {
        Registration declare(ScheduleName name, ScheduleDefinition definition);

        /** Why the node cannot declare a schedule now; empty for nothing. */
        String obstacle(ScheduleName name, ScheduleDefinition definition);
    }

    DefinedSchedules(Node node, Time time) {
        this.node = node;
        this.time = time;
    }

    /** Puts these schedules in force, in place of those before. */
    void define(Map<ScheduleName, ScheduleDefinition> all) {
        lock.lock();
        try {
            wanted = Map.copyOf(all);
            for (ScheduleName name : Set.copyOf(inForce.keySet())) {
                ScheduleDefinition next = wanted.get(name);
                InForce before = inForce.get(name);
                if (before != null && (next == null || !next.isLike(before.definition))) {
                    end(name);
                    if (next == null) {
                        removed.put(name, time.deadline(FORGETS_FOR));
                    }
                }
            }
            removed.keySet().removeAll(wanted.keySet());
            reported.retainAll(wanted.keySet());
            declareWanted();
        } finally {
            lock.unlock();
        }
    }

    private void end(ScheduleName name) {
        InForce ended = inForce.remove(name);
        if (ended != null) {
            ended.registration.close();
        }
    }

    /** Declares what this node can declare by now, and forgets removed schedules that no node declares any more. */
    void settle(Function<ScheduleName, ForgetScheduleResult> forget) {
        for (ScheduleName name : toForget()) {
            if (!(forget.apply(name) instanceof ForgetScheduleResult.StillDeclared)) {
                lock.lock();
                try {
                    removed.remove(name);
                } finally {
                    lock.unlock();
                }
            }
        }
    }

    private Set<ScheduleName> toForget() {
        lock.lock();
        try {
            declareWanted();
            removed.values().removeIf(time::reached);
            return Set.copyOf(removed.keySet());
        } finally {
            lock.unlock();
        }
    }

    private void declareWanted() {
        wanted.forEach((name, definition) -> {
            if (inForce.containsKey(name)) {
                return;
            }
            String obstacle = node.obstacle(name, definition);
            if (obstacle.isEmpty()) {
                inForce.put(name, new InForce(definition, node.declare(name, definition)));
                reported.remove(name);
            } else if (reported.add(name)) {
                LOG.warn("Schedule {}, which was made at run time, is not in force on this node: {}", name, obstacle);
            }
        });
    }

    /** Declares a schedule of the configuration or of the program, in place of one of its name made at run time. */
    Registration givingWay(ScheduleName name, Supplier<Registration> own) {
        lock.lock();
        try {
            end(name);
            return own.get();
        } finally {
            lock.unlock();
        }
    }

    /** Whether the schedule of this name on this node was made at run time. */
    boolean has(ScheduleName name) {
        lock.lock();
        try {
            return inForce.containsKey(name);
        } finally {
            lock.unlock();
        }
    }
}
