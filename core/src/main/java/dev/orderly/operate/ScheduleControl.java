package dev.orderly.operate;

import dev.orderly.job.PushRefusedException;
import dev.orderly.operate.OperationRefusedException.Reason;
import dev.orderly.schedule.ForgetScheduleResult;
import dev.orderly.schedule.RunResult;
import dev.orderly.schedule.ScheduleDefinition;
import dev.orderly.schedule.ScheduleDefinitions;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.ScheduleView;
import java.util.Map;

/** The operations on schedules. */
public final class ScheduleControl {
    private ScheduleControl() {}

    /** Stops the instants of a schedule on all nodes, or lets them fire again. */
    public static Operation<ScheduleView> pause(String schedule, boolean paused) {
        return new Operation<>(paused ? OperationSpec.PAUSE_SCHEDULE : OperationSpec.RESUME_SCHEDULE,
                (targets, who) -> {
                    ScheduleView view = targets.schedule(schedule);
                    var schedules = targets.orderly().schedules();
                    return new PreparedChange<>("schedule " + view.name(), state(view),
                            () -> (paused
                                    ? schedules.pause(view.name(), who.toString())
                                    : schedules.resume(view.name()))
                                    .orElseThrow(() -> Targets.unknownSchedule(view.name())),
                            ScheduleControl::state);
                });
    }

    private static String state(ScheduleView view) {
        return QueueControl.state(view.pause() != null);
    }

    /** Pushes the job of a schedule now. */
    public static Operation<RunResult.Started> run(String schedule) {
        return new Operation<>(OperationSpec.RUN_SCHEDULE, (targets, _) -> {
            ScheduleName name = Targets.scheduleName(schedule);
            return new PreparedChange<>("schedule " + name, null,
                    () -> switch (targets.orderly().schedules().run(name)) {
                        case RunResult.Started started -> started;
                        case RunResult.UnderWay(var job) -> throw new OperationRefusedException(Reason.RUN_UNDER_WAY,
                                "Job " + job
                                        + " of schedule " + name + " has not ended: wait for it, or cancel it",
                                Map.of("job", job.toString()));
                        case RunResult.Unknown _ -> throw Targets.unknownSchedule(name);
                    }, run -> "job " + run.id() + " in queue " + run.queue());
        });
    }

    /** Makes or changes a schedule over all nodes. */
    public static Operation<ScheduleDefinition> set(String schedule, ScheduleDefinition definition) {
        return new Operation<>(OperationSpec.SET_SCHEDULE, (targets, who) -> {
            ScheduleName name = Targets.scheduleName(schedule);
            ScheduleDefinitions definitions = targets.orderly().scheduleDefinitions();
            if (targets.orderly().schedules().isDeclared(name)) {
                throw new OperationRefusedException(Reason.SCHEDULE_DECLARED, "Schedule " + name
                        + " is declared by the configuration or the program of this node: change it there, or make one"
                        + " of another name");
            }
            try {
                targets.orderly().engines().schedules().check(name, definition);
            } catch (PushRefusedException e) {
                throw new OperationRefusedException(e.reason() == PushRefusedException.Reason.UNKNOWN_QUEUE
                        ? Reason.UNKNOWN_QUEUE
                        : Reason.BOUNDS, String.valueOf(e.getMessage()));
            }
            return new PreparedChange<>("schedule " + name, definitions.of(name).text(), () -> {
                try {
                    return definitions.change(name, _ -> definition, who.toString());
                } catch (IllegalArgumentException e) {
                    throw OperationRefusedException.bounds(e);
                }
            }, ScheduleDefinition::text);
        });
    }

    /** Removes a schedule that was made at run time, or deletes one that no live node declares. */
    public static Operation<ScheduleName> forget(String schedule) {
        return new Operation<>(OperationSpec.FORGET_SCHEDULE, (targets, who) -> {
            ScheduleName name = Targets.scheduleName(schedule);
            ScheduleDefinitions definitions = targets.orderly().scheduleDefinitions();
            if (!definitions.of(name).isEmpty()) {
                return new PreparedChange<>("schedule " + name, definitions.of(name).text(), () -> {
                    definitions.change(name, _ -> ScheduleDefinition.NONE, who.toString());
                    return name;
                }, _ -> "forgotten");
            }
            return new PreparedChange<>("schedule " + name, null,
                    () -> switch (targets.orderly().schedules().forget(name)) {
                        case ForgetScheduleResult.Forgotten _ -> name;
                        case ForgetScheduleResult.Unknown _ -> throw Targets.unknownSchedule(name);
                        case ForgetScheduleResult.StillDeclared declared ->
                            throw new OperationRefusedException(Reason.SCHEDULE_DECLARED, declared.text());
                    }, _ -> "forgotten");
        });
    }
}
