package dev.orderly.schedule;

import dev.orderly.job.NodeId;
import dev.orderly.job.store.Declared;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The schedules of this node as it declares them in the store, and those of the store that no live node declares. */
final class NodeDeclarations {
    private static final Logger LOG = LoggerFactory.getLogger(NodeDeclarations.class);
    private static final Duration INTERVAL = Duration.ofSeconds(5);

    private final ScheduleStore store;
    private final NodeId node;
    private final Time time;
    private final Map<ScheduleName, DeclaredSchedule> schedules;
    /** Monotonic time of the next check; used by the loop only. */
    private long next;
    private volatile List<ScheduleName> undeclared = List.of();
    /** Schedules that this node declares no more, and may not have withdrawn yet. */
    private final Set<ScheduleName> ended = ConcurrentHashMap.newKeySet();

    NodeDeclarations(ScheduleStore store, NodeId node, Time time, Map<ScheduleName, DeclaredSchedule> schedules) {
        this.store = store;
        this.node = node;
        this.time = time;
        this.schedules = schedules;
        this.next = time.nanos();
    }

    /** The schedules that no live node declares, as of the last check. */
    List<ScheduleName> undeclared() {
        return undeclared;
    }

    /** The state of the schedule in the store; declares it there if this node has not yet. */
    ScheduleState look(DeclaredSchedule schedule, Instant now) {
        ScheduleState known = schedule.declared ? states().get(schedule.name) : null;
        if (known == null) {
            known = store.declare(schedule.name, Declared.anew(schedule.timing.toString(), node), now);
            schedule.declared = true;
            if (schedules.get(schedule.name) != schedule) { // its declaration ended meanwhile
                ended.add(schedule.name);
            }
        }
        return known;
    }

    /** Ends the declaration of a schedule by this node; the next check withdraws it from the store. */
    void end(DeclaredSchedule schedule) {
        schedules.remove(schedule.name, schedule);
        ended.add(schedule.name);
    }

    private void withdrawEnded() {
        for (ScheduleName name : List.copyOf(ended)) {
            try {
                if (ended.remove(name) && !schedules.containsKey(name)) {
                    store.withdraw(node, name);
                }
            } catch (StoreException e) {
                ended.add(name);
                throw e;
            }
        }
    }

    /** The state after this node has repeated its declaration. */
    ScheduleState repeat(DeclaredSchedule schedule, Instant now) {
        return store.declare(schedule.name, Declared.again(schedule.timing.toString(), node), now);
    }

    /** Deletes a schedule from the store, unless this node or another live one declares it. */
    ForgetScheduleResult forget(ScheduleName name) {
        if (schedules.containsKey(name)) {
            return new ForgetScheduleResult.StillDeclared(name, node);
        }
        withdrawEnded();
        ForgetScheduleResult result = store.forget(name);
        if (result instanceof ForgetScheduleResult.Forgotten) {
            undeclared = undeclared.stream().filter(known -> !known.equals(name)).toList();
        }
        return result;
    }

    Map<ScheduleName, ScheduleState> states() {
        return store.states().stream().collect(Collectors.toMap(ScheduleState::name, Function.identity()));
    }

    /**
     * Withdraws what this node declares no more. Every few seconds takes over the schedules of this node that no live
     * node declares, and notes the others.
     */
    void check(Instant now) {
        boolean due = time.reached(next);
        if (due) {
            next = time.deadline(INTERVAL);
        }
        try {
            withdrawEnded();
            if (!due) {
                return;
            }
            List<ScheduleName> found = store.undeclared();
            for (ScheduleName name : found) {
                DeclaredSchedule schedule = schedules.get(name);
                if (schedule != null && schedule.declared) {
                    schedule.sees(repeat(schedule, now));
                }
            }
            undeclared = found.stream().filter(name -> !schedules.containsKey(name)).toList();
        } catch (StoreException e) {
            LOG.debug("The declarations of schedules cannot be checked: {}", e.getMessage());
        }
    }

    /** Ends the declarations of this node; while the store is out of reach they end with its heartbeats. */
    void withdraw() {
        if (ended.isEmpty() && schedules.values().stream().noneMatch(schedule -> schedule.declared)) {
            return;
        }
        try {
            store.withdraw(node);
        } catch (StoreException e) {
            LOG.debug("The schedules of this node are not withdrawn: {}", e.getMessage());
        }
    }
}
