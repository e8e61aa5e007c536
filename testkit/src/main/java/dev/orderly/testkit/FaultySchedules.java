package dev.orderly.testkit;

import dev.orderly.job.NodeId;
import dev.orderly.job.store.Declared;
import dev.orderly.schedule.ForgetScheduleResult;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.ScheduleState;
import dev.orderly.schedule.ScheduleStep;
import dev.orderly.schedule.ScheduleStore;
import dev.orderly.testkit.FaultyStore.Call;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The schedules port of a {@link FaultyStore}. */
record FaultySchedules(ScheduleStore schedules, FaultyStore faults) implements ScheduleStore {
    @Override
    public ScheduleState declare(ScheduleName name, Declared<String> timing, Instant now) {
        return faults.call(Call.SCHEDULE_DECLARE, () -> schedules.declare(name, timing, now));
    }

    @Override
    public void withdraw(NodeId node) {
        faults.call(Call.SCHEDULE_WITHDRAW, () -> {
            schedules.withdraw(node);
            return node;
        });
    }

    @Override
    public void withdraw(NodeId node, ScheduleName name) {
        faults.call(Call.SCHEDULE_WITHDRAW, () -> {
            schedules.withdraw(node, name);
            return node;
        });
    }

    @Override
    public List<ScheduleName> undeclared() {
        return faults.call(Call.SCHEDULE_UNDECLARED, schedules::undeclared);
    }

    @Override
    public Optional<ScheduleState> take(ScheduleState seen, ScheduleStep step, Instant now) {
        return faults.call(Call.SCHEDULE_TAKE, () -> schedules.take(seen, step, now));
    }

    @Override
    public ForgetScheduleResult forget(ScheduleName name) {
        return faults.call(Call.FORGET, () -> schedules.forget(name));
    }

    @Override
    public List<ScheduleState> states() {
        return faults.call(Call.SCHEDULE_LIST, schedules::states);
    }
}
