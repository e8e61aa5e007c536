package dev.orderly.testkit;

import dev.orderly.job.JobId;
import dev.orderly.job.NodeId;
import dev.orderly.job.store.Declared;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.NewJob;
import dev.orderly.schedule.ForgetScheduleResult;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.ScheduleState;
import dev.orderly.schedule.ScheduleStep;
import dev.orderly.schedule.ScheduleStore;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The schedules port of a {@link MemoryStore}. Its whole state survives {@link MemoryStore#crash}. */
final class MemorySchedules implements ScheduleStore {
    private final MemoryTable table;
    private final JobStore jobs;
    private final Map<ScheduleName, ScheduleState> kept;
    /** The nodes whose declarations count. Nodes of an earlier process are gone. */
    private final Map<ScheduleName, NodeId> declarers = new HashMap<>();

    /** @param kept schedules as another process left them */
    MemorySchedules(MemoryTable table, JobStore jobs, Map<ScheduleName, ScheduleState> kept) {
        this.table = table;
        this.jobs = jobs;
        this.kept = kept;
    }

    /** The schedules, for another process. */
    Map<ScheduleName, ScheduleState> kept() {
        return kept;
    }

    @Override
    public ScheduleState declare(ScheduleName name, Declared<String> timing, Instant now) {
        return table.locked(() -> {
            ScheduleState before = kept.get(name);
            boolean replaces = timing.replaces(declarers.get(name), table.liveness::isKnown);
            ScheduleState after = before == null
                    ? ScheduleState.first(name, timing.value(), now)
                    : before.declared(timing.value(), replaces, now);
            kept.put(name, after);
            if (replaces) {
                declarers.put(name, timing.node());
            }
            return after;
        });
    }

    @Override
    public void withdraw(NodeId node) {
        table.locked(() -> declarers.values().removeIf(node::equals));
    }

    @Override
    public void withdraw(NodeId node, ScheduleName name) {
        table.locked(() -> declarers.remove(name, node));
    }

    @Override
    public List<ScheduleName> undeclared() {
        return table.locked(() -> kept.keySet().stream().filter(name -> {
            NodeId declarer = declarers.get(name);
            return declarer == null || !table.liveness.isKnown(declarer);
        }).toList());
    }

    @Override
    public Optional<ScheduleState> take(ScheduleState seen, ScheduleStep step, Instant now) {
        return table.locked(() -> {
            ScheduleState before = kept.get(seen.name());
            if (before == null || !before.allows(seen, step)) {
                return Optional.empty();
            }
            NewJob job = step.job();
            JobId pushed = job == null ? null : jobs.push(List.of(job), now).getFirst().id();
            ScheduleState after = before.after(step, pushed, now);
            kept.put(seen.name(), after);
            return Optional.of(after);
        });
    }

    @Override
    public ForgetScheduleResult forget(ScheduleName name) {
        return table.locked(() -> {
            NodeId declarer = declarers.get(name);
            if (!kept.containsKey(name)) {
                return new ForgetScheduleResult.Unknown(name);
            }
            if (declarer != null && table.liveness.isKnown(declarer)) {
                return new ForgetScheduleResult.StillDeclared(name, declarer);
            }
            kept.remove(name);
            declarers.remove(name);
            return new ForgetScheduleResult.Forgotten(name);
        });
    }

    @Override
    public List<ScheduleState> states() {
        return table.locked(() -> List.copyOf(kept.values()));
    }
}
